/** Finds the folder that a working folder belongs to: the repository's top, without starting git. */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";

/** The top of the work tree that `cwd` is in; null outside of any. */
export function gitTop(cwd: string): string | null {
  return closest(cwd, (folder) => existsSync(join(folder, ".git")));
}

/** The folder itself or the closest one above it that fits; null where none does. */
export function closest(folder: string, fits: (folder: string) => boolean): string | null {
  for (let here = folder; ; here = dirname(here)) {
    if (fits(here)) return here;
    if (dirname(here) === here) return null;
  }
}

/** The bare repository that `cwd` is in, by the files that git looks for (gitrepository-layout(5)); null for none. */
export function bareRepository(cwd: string): string | null {
  return closest(cwd, (folder) => ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name))));
}
