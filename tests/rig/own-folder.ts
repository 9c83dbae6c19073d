/** The bot's own folder on the runner's disk, for a test that does there what an agent can do where nothing fences it in. */
import {readdirSync} from "node:fs";
import {dirname, join} from "node:path";
import type {Rig} from "./world.ts";

/** Of the run that goes on, and the agent's folder beside it. */
export function ownFolder(rig: Pick<Rig, "folder">): {own: string; workspace: string} {
  const names = readdirSync(rig.folder, {recursive: true, encoding: "utf8"});
  const found = names.filter((name) => /^run-\d+\/runner-temp-[^/]+\/assay\/[^/]+\/bot$/.test(name));
  const [own] = found;
  if (own === undefined || found.length > 1) throw new Error(`there are ${found.length} folders of runs`);
  const run = dirname(dirname(dirname(dirname(own))));
  return {own: join(rig.folder, own), workspace: join(rig.folder, run, "workspace")};
}
