/** Carries what the base's own stages left in their caches into the checkouts of candidates: to each a copy of its own. */
import {lstat, mkdir, realpath, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {writtenCache} from "../isolation/sandbox-view.ts";
import {CACHES, type Cache, type LeftoverFiles} from "./caches.ts";
import {copyFiles, copyPaths} from "./folders.ts";

/** A larger cache is left where it is: to copy it takes as long as it saves, and several times its room on the disk. */
const MOST_BYTES = 1024 ** 3;
/** For the copies of all caches that lie ready. */
const MOST_READY_BYTES = 2 * 1024 ** 3;
/** Below this the stages need what is left of the disk. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** One cache as a stage of the base left it. No stage writes into `original`, nor into a copy before it lies in a checkout. */
interface Shelf {
  readonly within: Cache["within"];
  readonly path: string;
  readonly original: string;
  readonly bytes: number;
  readonly ready: string[];
}

export interface DependencyCache {
  /** everything that it keeps; no stage needs to see that */
  readonly folder: string;
  /**
   * Keeps what the caches hold after a stage of the base, at low priority. Only the base's: the author of one candidate is the
   * author of the next. What goes wrong, or is too much, leaves what was kept before, and costs time only.
   */
  keep(o: LeftoverFiles & {signal: AbortSignal}): Promise<void>;
  /** Makes copies ahead for so many checkouts, at low priority, as far as bounds and disk allow. */
  stock(o: {upTo: number; signal: AbortSignal}): Promise<void>;
  /** Puts the caches into a new checkout and its home. What is there already stays, and none of it is written through a link. */
  lay(o: {checkout: string; home: string; signal: AbortSignal}): Promise<void>;
}

/** `folder` is made when there is something to keep; the caller removes it. */
export function openDependencyCache(folder: string): DependencyCache {
  const shelves = new Map<string, Shelf>();
  let count = 0;
  const nextPlace = () => join(folder, String(++count));

  async function keepOne(cache: Cache, left: LeftoverFiles & {signal: AbortSignal}): Promise<void> {
    const path = cache.path(left);
    const from = cache.within === "home" ? writtenCache(left.home, path) : join(left.checkout, path);
    const files = await cache.list({...left, folder: from});
    const bytes = await sizeOf(from, files);
    const known = shelves.get(from);
    // Caches of this kind only grow: as many bytes as before are the same ones.
    if (files.length === 0 || bytes > MOST_BYTES || bytes === known?.bytes) return;
    await mkdir(folder, {recursive: true});
    if ((await missingSpace(folder, ROOM_BYTES)) !== null) return;
    const original = nextPlace();
    if (!(await copyFiles({from, to: original, files, signal: left.signal}))) return rm(original, REMOVAL);
    shelves.set(from, {within: cache.within, path, original, bytes, ready: []});
    for (const old of known === undefined ? [] : [known.original, ...known.ready]) await rm(old, REMOVAL);
  }

  async function layOne(shelf: Shelf, o: {checkout: string; home: string; signal: AbortSignal}): Promise<void> {
    const {within, path, original, ready} = shelf;
    const to = join(o[within], path);
    // A home is the bot's own, and what the base's install left there is in the cache too.
    if (within === "home") await mkdir(dirname(to), {recursive: true});
    else if (!(await isFree({root: o.checkout, path}))) return;
    const copy = ready.pop() ?? (await copyOf(original, {signal: o.signal, isBackground: false}));
    if (copy === null) return;
    if (within === "home") await rm(to, REMOVAL);
    await rename(copy, to);
  }

  async function copyOf(original: string, o: {signal: AbortSignal; isBackground: boolean}): Promise<string | null> {
    if ((await missingSpace(folder, ROOM_BYTES)) !== null) return null;
    const place = nextPlace();
    const copied = await copyPaths({...o, from: original, to: place, paths: ["."], hardLinks: false});
    if (copied.ok) return place;
    await rm(place, REMOVAL);
    return null;
  }

  return {
    folder,
    async keep(left) {
      for (const cache of CACHES) await keepOne(cache, left).catch(asColdAsBefore);
    },
    async stock({upTo, signal}) {
      const readyBytes = () => [...shelves.values()].reduce((sum, {bytes, ready}) => sum + bytes * ready.length, 0);
      for (const shelf of shelves.values()) {
        while (shelf.ready.length < upTo && readyBytes() + shelf.bytes <= MOST_READY_BYTES && !signal.aborted) {
          const copy = await copyOf(shelf.original, {signal, isBackground: true});
          if (copy === null) return;
          shelf.ready.push(copy);
        }
      }
    },
    async lay(o) {
      for (const shelf of shelves.values()) await layOne(shelf, o).catch(asColdAsBefore);
    },
  };
}

/** Without a cache everything is as right, and slower. */
const asColdAsBefore = () => null;

const REMOVAL = {recursive: true, force: true, maxRetries: 3};

/** True where nothing is, in a folder that is reached through no link: a candidate could have made one. */
async function isFree({root, path}: {root: string; path: string}): Promise<boolean> {
  const [real, above] = [await realpath(root), await realpath(dirname(join(root, path))).catch(() => "")];
  if (above !== join(real, dirname(path))) return false;
  return lstat(join(root, path)).then(
    () => false,
    () => true,
  );
}

async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (path) => (await lstat(join(folder, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
