/** Copies the caches of the base's stages into candidates' checkouts; each checkout gets its own copy. */
import {lstat, mkdir, realpath, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {BUILD_INFO} from "../commands/incremental.ts";
import {missingSpace} from "../isolation/choose-sandbox.ts";
import {writtenCache} from "../isolation/sandbox-view.ts";
import {listDependencies} from "./cargo-target.ts";
import {copyPaths, filesBelow} from "./folders.ts";

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
  /** a folder for all saved caches; no stage needs to see it */
  readonly folder: string;
  /**
   * Saves the caches after a stage of the base, at low priority. Caches of candidates are not saved, because the author
   * of one candidate also writes the next. On an error, or if a cache is too large, the previously saved cache remains.
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
    const copyResult = await copyPaths({from, to: original, paths: files, signal: leftover.signal, isBackground: true});
    if (!copyResult.ok) return rm(original, REMOVAL);
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
    const copyResult = await copyPaths({from: original, to: copy, paths: ["."], signal: target.signal});
    if (!copyResult.ok) return rm(copy, REMOVAL);
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

/** Without a cache the results are the same, but take longer. */
const withoutCache = () => null;

const REMOVAL = {recursive: true, force: true, maxRetries: 3};

/**
 * True if nothing is at `path`, not even a broken link, and no link leads to its folder: a candidate could have created
 * one.
 */
async function isFree(root: string, path: string): Promise<boolean> {
  const [realRoot, realParent] = [await realpath(root), await realpath(dirname(join(root, path))).catch(() => "")];
  const existingEntry = await lstat(join(root, path)).catch(() => null);
  return existingEntry === null && realParent === join(realRoot, dirname(path));
}

async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (path) => (await lstat(join(folder, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The folders in which a stage of the base has just ended. `passes` runs a command in the stage's environment. */
interface LeftoverFiles {
  readonly checkout: string;
  readonly home: string;
  /** the stage's folder below the checkout */
  readonly cwd: string;
  readonly passes: (command: string) => Promise<boolean>;
}

interface Cache {
  readonly within: "checkout" | "home";
  /** the cache's folder below that */
  readonly path: (leftover: LeftoverFiles) => string;
  /** The files below the cache's folder to copy; empty if that is not safe, or if there is no such cache. */
  readonly list: (leftover: LeftoverFiles & {readonly folder: string}) => Promise<string[]>;
}

/**
 * These caches are not copied. Node's compile cache (written by tsc and eslint) identifies a module by its path, which
 * differs in each checkout: measured, it has no hits, and hits would save tsc 0.07 s. ruff, pytest, Python's `.pyc` and
 * .NET's `obj` use file times. ESLint, Prettier and mypy check a file without its dependencies, or trust their own list
 * of these. golangci-lint reads settings and generated files that are not in its key. Gradle, Nx, Turborepo, Jest and
 * Vitest cache test results under inputs that the change declares. ccache is nearly sound, but it is enabled by default
 * in no tool.
 */
const CACHES: readonly Cache[] = [
  {
    // An entry's key is the hash of all its inputs, of files by their content (cmd/go/internal/work, buildActionID).
    within: "home",
    path: () => ".cache/go-build",
    async list({folder, passes}) {
      const files = await filesBelow(folder);
      return files.length > 0 && (await passes(PREPARE_GO_CACHE)) ? filesBelow(folder) : [];
    },
  },
  {
    within: "checkout",
    path: ({cwd}) => join(cwd, "target"),
    list: listDependencies,
  },
  {
    // Only affected runs read it, and they prove nothing. The compiler identifies a file by its content's hash, and
    // compares settings.
    within: "checkout",
    path: () => BUILD_INFO,
    list: ({folder}) => filesBelow(folder),
  },
];

/** Assay tested overlays only on the disk of the checkouts. */
const PREPARE_GO_CACHE = `git grep -qF -e -trimpath -- ':(top)' ':(exclude,top)*.md' ':(exclude,top,glob)**/vendor/**' && exit 1 || [ $? = 1 ]
case "$(go env GOFLAGS)" in *-trimpath*) exit 1 ;; esac
go clean -testcache`;
