/** Copies of the base's install, made while the machine is idle, so that a checkout does not wait for a copy. */
import {mkdir, rename} from "node:fs/promises";
import {dirname, join} from "node:path";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {MIN_FREE_BYTES} from "./dependency-cache.ts";
import {copyPaths, isMissing} from "./folders.ts";

/** A home, and the folders that the install added below `root`. No candidate has run in them. */
export interface PrecopiedInstall {
  readonly root: string;
  readonly home: string;
}

interface PrecopyOptions {
  readonly from: PrecopiedInstall;
  readonly paths: readonly string[];
  readonly copies: number;
  readonly signal: AbortSignal;
}

/** Makes the copies in `folder`, which exists when the first one is made. */
export function openPrecopiedInstalls(folder: string) {
  const ready: PrecopiedInstall[] = [];
  let count = 0;
  return {
    /** Hands out one copy, which belongs to the caller; null if none is ready. */
    take: (): PrecopiedInstall | null => ready.pop() ?? null,
    /**
     * Copies at low priority until `copies` are ready, the disk is too full, or the signal aborts. An unfinished copy is
     * never handed out. Rejects on a disk error.
     */
    async prepare({from, paths, copies, signal}: PrecopyOptions): Promise<void> {
      const how = {hardLinks: false, signal, isBackground: true};
      while (ready.length < copies && !signal.aborted && (await missingSpace(folder, MIN_FREE_BYTES)) === null) {
        count += 1;
        const copy = {root: join(folder, `spare-${count}`), home: join(folder, `spare-${count}-home`)};
        for (const path of paths) await mkdir(dirname(join(copy.root, path)), {recursive: true});
        const filesCopied = await copyPaths({...how, from: from.root, to: copy.root, paths});
        if (!filesCopied.ok) return;
        const homeCopied = await copyPaths({...how, from: from.home, to: copy.home, paths: ["."]});
        if (!homeCopied.ok) return;
        ready.push(copy);
      }
    },
  };
}

/** Moves the install's paths from a precopied install into a checkout. Gives the paths that exist there and must be copied. */
export async function useInstall(o: {
  precopied: PrecopiedInstall;
  to: string;
  paths: readonly string[];
}): Promise<string[]> {
  const remaining: string[] = [];
  for (const path of o.paths) {
    const [source, target] = [join(o.precopied.root, path), join(o.to, path)];
    const isMoved = (await isMissing(target)) && (await rename(source, target).then(succeeded, failed));
    if (!isMoved) remaining.push(path);
  }
  return remaining;
}

const succeeded = () => true;
const failed = () => false;
