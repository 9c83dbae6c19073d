/** Reads and writes files in folders that the agent can write, between its turns, when none of its processes runs. */
import {lstat, mkdir, readdir, readFile, rm, writeFile} from "node:fs/promises";
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

/** Empties a folder, or creates it. The folder at the relative path `kept` stays, if no part of the path is a link. */
export async function emptyAgentFolder(folder: string, kept: string): Promise<void> {
  if (!(await lstat(folder).catch(() => null))?.isDirectory()) {
    await rm(folder, {force: true});
    await mkdir(folder, {recursive: true});
  }
  const [keptName, ...below] = kept.split("/");
  for (const entry of await readdir(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.name !== keptName || !entry.isDirectory()) await rm(path, {recursive: true, force: true});
    else if (below.length > 0) await emptyAgentFolder(path, below.join("/"));
  }
}
