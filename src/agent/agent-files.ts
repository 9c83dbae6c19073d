/** Reads and writes files in folders that the agent can write, between its turns, when none of its processes runs. */
import {chmod, lstat, mkdir, readdir, readFile, rm, writeFile} from "node:fs/promises";
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
  await grantAccess(root);
  let folder = root;
  for (const name of relative(root, dirname(file)).split(sep).filter(Boolean)) {
    folder = join(folder, name);
    if (await grantAccess(folder)) continue;
    await rm(folder, {force: true});
    await mkdir(folder);
  }
  await remove(file);
  await writeFile(file, text, {flag: "wx", mode});
}

/** Makes a folder that Assay can write: creates it, replaces a link in its place, or restores the access to it. */
export async function openAgentFolder(folder: string): Promise<void> {
  if (await grantAccess(folder)) return;
  await rm(folder, {force: true});
  await mkdir(folder, {recursive: true});
}

/** Empties a folder, or creates it. The folder at the relative path `kept` stays, if no part of the path is a link. */
export async function emptyAgentFolder(folder: string, kept: string): Promise<void> {
  await openAgentFolder(folder);
  const [keptName, ...below] = kept.split("/");
  for (const entry of await readdir(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.name !== keptName || !entry.isDirectory()) await remove(path);
    else if (below.length > 0) await emptyAgentFolder(path, below.join("/"));
  }
}

async function remove(path: string): Promise<void> {
  if (await grantAccess(path)) {
    const entries = await readdir(path, {withFileTypes: true});
    for (const entry of entries) if (entry.isDirectory()) await remove(join(path, entry.name));
  }
  await rm(path, {recursive: true, force: true});
}

/** False if this is no folder. The agent may have made its folders read-only; then the caller could not write them. */
async function grantAccess(folder: string): Promise<boolean> {
  const stat = await lstat(folder).catch(() => null);
  if (!stat?.isDirectory()) return false;
  if ((stat.mode & 0o700) !== 0o700) await chmod(folder, stat.mode | 0o700);
  return true;
}
