/** Finds links in a foreign repository through which Assay would write somewhere else. */
import {lstatSync, realpathSync} from "node:fs";
import {dirname, resolve} from "node:path";
import {isBelow} from "./mounts.ts";

/** True if `path`, which is below `top`, is elsewhere because of a link. It need not exist. */
export function leadsOut(top: string, path: string): boolean {
  let place = resolve(path);
  while (place !== resolve(top) && !exists(place)) place = dirname(place);
  try {
    return !isBelow(realpathSync(place), realpathSync(top));
  } catch {
    // a link without a target
    return true;
  }
}

/** True also for a link without a target. */
export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    // Something that cannot be seen cannot be replaced either.
    return false;
  }
}
