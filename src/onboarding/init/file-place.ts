/** Checks the places of the files that `assay init` writes: a link in a foreign repository may lead anywhere. */
import {statSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import {exists, leadsOut} from "../../process/linked-out.ts";

/** Why no file can be written at this path of the repository; null if it can. */
export function placeProblem(top: string, path: string): string | null {
  let folder = top;
  for (const name of dirname(path).split("/")) {
    folder = join(folder, name);
    if (!exists(folder)) return null;
    const shown = relative(top, folder);
    if (leadsOut(top, folder)) return `${shown} is a link that leads out of the repository`;
    if (!statSync(folder).isDirectory()) return `${shown} is not a folder`;
  }
  return null;
}
