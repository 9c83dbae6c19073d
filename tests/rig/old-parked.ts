/** Work that a run of the bot parked too long ago to be kept. */
import {git} from "./git.ts";
import type {Rig} from "./world.ts";

/** Gives a commit on the base, 31 days old, with the bot's name and trailer; a branch for it is the caller's to make. */
export async function oldParkedCommit({origin, base}: Rig): Promise<string> {
  const {tree} = await origin.facts(base);
  const bot = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>";
  const then = Math.floor(Date.now() / 1_000) - 31 * 86_400;
  const head = [`tree ${tree}`, `parent ${base}`, `author ${bot} ${then} +0000`, `committer ${bot} ${then} +0000`];
  const text = `${head.join("\n")}\n\nParked\n\nAssay-Run: comment-99\n`;
  return git(origin.folder, ["hash-object", "-t", "commit", "-w", "--stdin"], text);
}
