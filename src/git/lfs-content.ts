/** Puts the content of LFS files into a checkout, from the local LFS store or the working folder only. */
import {randomUUID} from "node:crypto";
import {constants} from "node:fs";
import {chmod, copyFile, lstat, rename, rm} from "node:fs/promises";
import {dirname, isAbsolute, join, resolve} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import type {Git} from "./git.ts";
import {hashFile, type LfsFile, lfsFilesIn, type Pointer} from "./lfs.ts";
import type {IndexEntry} from "./private-index.ts";

/** Where content may be on this machine: a working folder's files, and its LFS store. Nothing is fetched. */
export interface LfsSource {
  readonly folder: string;
  /** a git that works in the repository around its current folder */
  readonly git: Git;
  /** for a submodule: its repository, if the folder does not lead to it */
  readonly gitDir?: string;
}

/**
 * Writes the content of the checkout's LFS files in place of their pointers. A file whose content is missing on this
 * machine, or does not match its pointer, stays a pointer. `git` has an index with the commit, and the checkout as its
 * work tree.
 */
export async function writeLfsContent(options: {
  git: Git;
  checkout: string;
  source: LfsSource | null;
  entries: readonly IndexEntry[];
  paths?: readonly string[];
}): Promise<Result<null, Failure>> {
  const {git, checkout, source, entries} = options;
  if (source === null) return ok(null);
  const files = await lfsFilesIn({git, entries, ...(options.paths && {paths: options.paths})});
  if (!files.ok) return files;
  if (files.value.length === 0) return ok(null);
  const stores = await storesOf(source);
  for (const {entry, pointer} of files.value) {
    if (pointer === null) continue;
    const to = join(checkout, entry.path);
    for (const from of placesOf({source, stores, path: entry.path, pointer})) {
      if (!(await isCandidate(from, pointer))) continue;
      if (await copyChecked({from, to, pointer, isProgram: entry.mode === "100755"})) break;
    }
  }
  return ok(null);
}

/** LFS files of an index whose content is not on this machine. */
export async function missingLfsContent(options: {
  git: Git;
  entries: readonly IndexEntry[];
  source: LfsSource | null;
}): Promise<Result<string[], Failure>> {
  const files = await lfsFilesIn(options);
  if (!files.ok) return files;
  if (files.value.length === 0) return ok([]);
  const stores = options.source === null ? [] : await storesOf(options.source);
  const missingPaths: string[] = [];
  for (const {entry, pointer} of files.value) {
    if (pointer === null || pointer.size === 0) continue;
    const places = options.source === null ? [] : placesOf({source: options.source, stores, path: entry.path, pointer});
    const isPresent = await Promise.all(places.map((place) => isCandidate(place, pointer)));
    if (!isPresent.includes(true)) missingPaths.push(entry.path);
  }
  return ok(missingPaths);
}

/**
 * The LFS stores of a working folder: the common git directory's, or the one that `lfs.storage` names
 * (git-lfs-config(5)).
 */
async function storesOf({git, folder}: LfsSource): Promise<string[]> {
  const commonDir = await git(["rev-parse", "--path-format=absolute", "--git-common-dir"], {cwd: folder});
  if (!commonDir.ok) return [];
  const gitDir = commonDir.value.trim();
  const setting = await git(["config", "lfs.storage"], {cwd: folder});
  const ownStorage = setting.ok ? setting.value.trim() : "";
  const storage =
    ownStorage === "" ? join(gitDir, "lfs") : isAbsolute(ownStorage) ? ownStorage : resolve(gitDir, ownStorage);
  return [join(storage, "objects")];
}

function placesOf(options: {source: LfsSource; stores: readonly string[]; path: string; pointer: Pointer}): string[] {
  const {oid} = options.pointer;
  return [
    ...options.stores.map((store) => join(store, oid.slice(0, 2), oid.slice(2, 4), oid)),
    join(options.source.folder, options.path),
  ];
}

async function isCandidate(file: string, {size}: Pointer): Promise<boolean> {
  const stat = await lstat(file).catch(() => null);
  return stat?.isFile() === true && stat.size === size;
}

/** Hashes the copy, because the agent may write in the folder and in its store. */
async function copyChecked(options: {
  from: string;
  to: string;
  pointer: Pointer;
  isProgram: boolean;
}): Promise<boolean> {
  const temporary = join(dirname(options.to), `.assay-${randomUUID()}`);
  try {
    await copyFile(options.from, temporary, constants.COPYFILE_FICLONE);
    const hashed = await hashFile(temporary);
    if (hashed?.oid !== options.pointer.oid) return false;
    await chmod(temporary, options.isProgram ? 0o755 : 0o644);
    await rename(temporary, options.to);
    return true;
  } catch {
    return false;
  } finally {
    await rm(temporary, {force: true});
  }
}

/** True if the file's content is the one that the entry points to. */
export async function isContentOf(file: string, {pointer}: LfsFile): Promise<boolean> {
  if (pointer === null || !(await isCandidate(file, pointer))) return false;
  return (await hashFile(file))?.oid === pointer.oid;
}
