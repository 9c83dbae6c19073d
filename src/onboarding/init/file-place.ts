/** Checks the places of the files that `assay init` writes: a link in a foreign repository may lead anywhere. */
import {lstatSync, realpathSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import {isBelow} from "../../process/mounts.ts";

/** True also for a link without a target. */
export const isTaken = (file: string): boolean => entryAt(file) !== null;

/** Why no file can be written at this path of the repository; null if it can. */
export function placeProblem(top: string, path: string): string | null {
  let folder = top;
  for (const name of dirname(path)
    .split("/")
    .filter((part) => part !== ".")) {
    folder = join(folder, name);
    const entry = entryAt(folder);
    if (entry === null) return null;
    const shown = relative(top, folder);
    const target = entry.isSymbolicLink() ? targetOf(folder) : folder;
    if (target === null || (entry.isSymbolicLink() && !isBelow(target, realpathSync(top))))
      return `${shown} is a link that leads out of the repository`;
    if (entryAt(target)?.isDirectory() !== true) return `${shown} is not a folder`;
  }
  return null;
}

function entryAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    // Something that cannot be seen cannot be replaced either: the write fails.
    return null;
  }
}

function targetOf(link: string): string | null {
  try {
    return realpathSync(link);
  } catch {
    return null;
  }
}
