/** Removes git's lock files that no process uses. */
import {readdir, rm} from "node:fs/promises";
import {join} from "node:path";

/**
 * Removes the locks on refs and settings that a killed git left in the bot's git directory, because they would block
 * later updates. Call it only if no git works in the directory.
 */
export async function removeLocks(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const refs = await readdir(join(folder, "refs"), {recursive: true}).catch(() => []);
  const locks = [...names, ...refs.map((name) => join("refs", name))].filter((name) => name.endsWith(".lock"));
  await Promise.all(locks.map((name) => rm(join(folder, name), {force: true})));
}
