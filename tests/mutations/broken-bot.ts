/** Builds a bot that is broken on purpose: the product's own sources with a few words exchanged. */
import {execFile} from "node:child_process";
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";
import {PRODUCT} from "../rig/runner.ts";

/** `text` stands exactly once in `file`, and is exchanged for `by`. */
export interface Edit {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** The bot takes git from the PATH, as the command line does, so that a test can put a gate in git's place. */
export const GIT_FROM_PATH: readonly Edit[] = ["main", "post"].map((entry) => ({
  file: `lifecycle/${entry}.ts`,
  text: "choosePrograms({otherwise:",
  by: "choosePrograms({first:",
}));

/** A folder with action.yml and dist, as `createRig({product})` takes it. An edit that fits nowhere, or twice, throws. */
export async function buildBroken(edits: readonly Edit[]): Promise<{folder: string} & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "broken-bot-"));
  const parts = ["src", "lifecycle", "scripts", "dist/grammars", "package.json", "tsconfig.json", "action.yml"];
  for (const part of parts) {
    await cp(join(PRODUCT, part), join(folder, part), {recursive: true});
  }
  await symlink(join(PRODUCT, "node_modules"), join(folder, "node_modules"));
  for (const {file, text, by} of edits)
    await writeFile(join(folder, file), (await around({file, text}, folder)).join(by));
  await promisify(execFile)(join(PRODUCT, "node_modules/.bin/bun"), ["scripts/build.mjs"], {cwd: folder});
  return {folder, [Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true})};
}

/** What stands before and after the text in the product's file. Throws when it stands nowhere in it, or twice. */
export async function around({file, text}: Pick<Edit, "file" | "text">, root = PRODUCT): Promise<string[]> {
  const parts = (await readFile(join(root, file), "utf8")).split(text);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places with: ${text}`);
  return parts;
}
