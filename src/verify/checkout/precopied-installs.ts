/** Copies of the base's install, made while the machine is idle, so that a checkout does not wait for one. */
import {lstat, mkdir, rename} from "node:fs/promises";
import {dirname, join} from "node:path";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {copyPaths} from "./folders.ts";

/** A home, and the folders that the install added, below `root`. Nothing of any candidate was ever near them. */
export interface PrecopiedInstall {
  readonly root: string;
  readonly home: string;
}

/** Below this the stages need what is left of the disk. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Keeps spares in `folder`, which exists when the first is made. */
export function openPrecopiedInstalls(folder: string): {
  take(): PrecopiedInstall | null;
  fill(o: {from: PrecopiedInstall; paths: readonly string[]; upTo: number; signal: AbortSignal}): Promise<void>;
} {
  const ready: PrecopiedInstall[] = [];
  let count = 0;
  return {
    /** The next spare, for good; null where none is ready. */
    take: (): PrecopiedInstall | null => ready.pop() ?? null,
    /**
     * Copies at low priority until `upTo` are ready, the disk is too full, or the signal ends it; what is half-made then is
     * no spare. Rejects where the disk does.
     */
    async fill(o: {
      from: PrecopiedInstall;
      paths: readonly string[];
      upTo: number;
      signal: AbortSignal;
    }): Promise<void> {
      const how = {hardLinks: false, signal: o.signal, isBackground: true};
      while (ready.length < o.upTo && !o.signal.aborted && (await missingSpace(folder, ROOM_BYTES)) === null) {
        count += 1;
        const spare = {root: join(folder, `spare-${count}`), home: join(folder, `spare-${count}-home`)};
        for (const path of o.paths) await mkdir(dirname(join(spare.root, path)), {recursive: true});
        const copied = await copyPaths({...how, from: o.from.root, to: spare.root, paths: o.paths});
        if (!copied.ok) return;
        const furnished = await copyPaths({...how, from: o.from.home, to: spare.home, paths: ["."]});
        if (!furnished.ok) return;
        ready.push(spare);
      }
    },
  };
}

/** Moves what the install added from a spare into a checkout; gives the paths that have to be copied, for something is there. */
export async function useInstall(o: {
  spare: PrecopiedInstall;
  to: string;
  paths: readonly string[];
}): Promise<string[]> {
  const left: string[] = [];
  for (const path of o.paths) {
    const isFree = await lstat(join(o.to, path)).then(
      () => false,
      () => true,
    );
    const isMoved = isFree && (await rename(join(o.spare.root, path), join(o.to, path)).then(wasDone, wasRefused));
    if (!isMoved) left.push(path);
  }
  return left;
}

const wasDone = () => true;
const wasRefused = () => false;
