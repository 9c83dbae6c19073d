/** Copies the caches that the base's stages filled into the checkouts of candidates; each checkout gets its own copy. */
import {lstat, mkdir, realpath, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {writtenCache} from "../isolation/sandbox-view.ts";
import {CACHES, type Cache, type LeftoverFiles} from "./caches.ts";
import {copyPaths} from "./folders.ts";

/** A larger cache is not saved: copying it takes as long as it saves, and needs several times its size on the disk. */
const MAX_CACHE_BYTES = 1024 ** 3;
/** The stages need this much of the disk. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/** One cache of the base. No stage writes into `original`. */
interface SavedCache {
  readonly within: Cache["within"];
  readonly path: string;
  readonly original: string;
  readonly bytes: number;
}

export interface DependencyCache {
  /** contains everything that is saved; no stage needs to see it */
  readonly folder: string;
  /**
   * Saves the caches after a stage of the base, at low priority. Only the base's, because the author of one candidate also
   * writes the next. On an error, or if a cache is too large, the previously saved cache remains.
   */
  save(leftover: LeftoverFiles & {signal: AbortSignal}): Promise<void>;
  /** Puts the caches into a new checkout and its home. Existing files remain, and nothing is written through a link. */
  restore(target: {checkout: string; home: string; signal: AbortSignal}): Promise<void>;
}

/** `folder` is created with the first saved cache; the caller removes it. */
export function openDependencyCache(folder: string): DependencyCache {
  const caches = new Map<string, SavedCache>();
  let count = 0;
  const nextFolder = () => join(folder, String(++count));

  async function saveOne(cache: Cache, leftover: LeftoverFiles & {signal: AbortSignal}): Promise<void> {
    const path = cache.path(leftover);
    const from = cache.within === "home" ? writtenCache(leftover.home, path) : join(leftover.checkout, path);
    const files = await cache.list({...leftover, folder: from});
    const bytes = await sizeOf(from, files);
    const previous = caches.get(from);
    // Caches of this kind only grow, so the same size means the same content.
    if (files.length === 0 || bytes > MAX_CACHE_BYTES || bytes === previous?.bytes) return;
    await mkdir(folder, {recursive: true});
    if ((await missingSpace(folder, MIN_FREE_BYTES)) !== null) return;
    const original = nextFolder();
    const copied = await copyPaths({from, to: original, paths: files, signal: leftover.signal, isBackground: true});
    if (!copied.ok) return rm(original, REMOVAL);
    caches.set(from, {within: cache.within, path, original, bytes});
    if (previous !== undefined) await rm(previous.original, REMOVAL);
  }

  async function restoreOne(
    {within, path, original}: SavedCache,
    target: {checkout: string; home: string; signal: AbortSignal},
  ): Promise<void> {
    const to = join(target[within], path);
    if (within === "checkout" && !(await isFree(target.checkout, path))) return;
    if ((await missingSpace(folder, MIN_FREE_BYTES)) !== null) return;
    const copy = nextFolder();
    const copied = await copyPaths({from: original, to: copy, paths: ["."], signal: target.signal});
    if (!copied.ok) return rm(copy, REMOVAL);
    // A home is Assay's own, and the cache also contains what the base's install wrote there.
    if (within === "home") await rm(to, REMOVAL);
    await mkdir(dirname(to), {recursive: true});
    await rename(copy, to);
  }

  return {
    folder,
    async save(leftover) {
      for (const cache of CACHES) await saveOne(cache, leftover).catch(withoutCache);
    },
    async restore(target) {
      for (const cache of caches.values()) await restoreOne(cache, target).catch(withoutCache);
    },
  };
}

/** Without a cache the results are the same, only slower. */
const withoutCache = () => null;

const REMOVAL = {recursive: true, force: true, maxRetries: 3};

/** True if nothing is at `path`, not even a broken link, and no link leads to its folder: a candidate could have created one. */
async function isFree(root: string, path: string): Promise<boolean> {
  const [realRoot, realParent] = [await realpath(root), await realpath(dirname(join(root, path))).catch(() => "")];
  const there = await lstat(join(root, path)).catch(() => null);
  return there === null && realParent === join(realRoot, dirname(path));
}

async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (path) => (await lstat(join(folder, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
