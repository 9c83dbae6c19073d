/** Reads and writes files in folders that the agent can write, between its turns, when none of its processes runs. */
import {lstat, mkdir, readFile, rm, writeFile} from "node:fs/promises";
import {dirname, join, relative, sep} from "node:path";

/** Empty if there is no such file. A link is not followed: it may lead to a file that the agent cannot read. */
export async function readAgentFile(file: string): Promise<string> {
  return (await lstat(file).catch(() => null))?.isFile() ? readFile(file, "utf8") : "";
}

/** Writes a file below `root`, which the agent cannot replace. Links in its path are removed. */
export async function writeAgentFile(
  root: string,
  file: string,
  text: string | Uint8Array,
  mode = 0o666,
): Promise<void> {
  let folder = root;
  for (const name of relative(root, dirname(file)).split(sep).filter(Boolean)) {
    folder = join(folder, name);
    if ((await lstat(folder).catch(() => null))?.isDirectory()) continue;
    await rm(folder, {force: true});
    await mkdir(folder);
  }
  await rm(file, {recursive: true, force: true});
  await writeFile(file, text, {flag: "wx", mode});
}
