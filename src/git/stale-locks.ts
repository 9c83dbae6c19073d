/** Removes lock files of git that no process holds any more. */
import {readdir, rm} from "node:fs/promises";
import {join} from "node:path";

/**
 * Removes the locks on refs and settings that a killed git has left in the bot's own git directory: with one of them there no
 * work could be put on a ref again. Only for a directory that no git works in any more.
 */
export async function removeLocks(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const refs = await readdir(join(folder, "refs"), {recursive: true}).catch(() => []);
  const locks = [...names, ...refs.map((name) => join("refs", name))].filter((name) => name.endsWith(".lock"));
  await Promise.all(locks.map((name) => rm(join(folder, name), {force: true})));
}
