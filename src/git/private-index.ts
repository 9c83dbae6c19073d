/** Uses a temporary index to read a folder, so that neither the folder's index nor its flags can hide a change. */
import {randomUUID} from "node:crypto";
import {rm} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";

/** A submodule's entry: a commit id in place of a file. */
export interface Gitlink {
  readonly path: string;
  readonly id: string;
}

/** One file of an index; mode `000000` means that there is no file. */
export interface IndexEntry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

export interface PrivateIndex {
  /** git with this index, and with `folder` as its work tree */
  readonly git: Git;
  /** every entry of the commit's tree, including submodules */
  readonly entries: readonly IndexEntry[];
  /** Entries that were removed: with them in the index, git would read nested repositories, and run their programs. */
  readonly gitlinks: readonly Gitlink[];
}

/** Fills an index with a commit's tree without submodules, passes it to `use`, and removes it. */
export async function withIndex<T>(
  options: {git: Git; repository: string; commit: string; folder: string},
  use: (index: PrivateIndex) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const file = join(options.repository, `index-${randomUUID()}`);
  const git: Git = (args, call) =>
    options.git(args, {...call, gitDir: options.repository, workTree: options.folder, index: file});
  try {
    const [readTree, allEntries] = await Promise.all([git(["read-tree", options.commit]), entriesAt(options)]);
    if (!readTree.ok) return gitRefused(readTree.failure);
    if (!allEntries.ok) return allEntries;
    const entries = allEntries.value;
    const gitlinks = entries.filter(isGitlink);
    const removal = await updateIndex(
      git,
      gitlinks.map(({path}) => ({mode: "000000", id: "0".repeat(40), path})),
    );
    return removal.ok ? await use({git, entries, gitlinks}) : removal;
  } finally {
    await rm(file, {force: true});
    await rm(`${file}.lock`, {force: true});
  }
}

/** The entries of the index that `git` works with, without those of unmerged paths. */
export async function entriesOf(git: Git): Promise<Result<IndexEntry[], Failure>> {
  const listing = await git(["ls-files", "-z", "--stage"]);
  return listing.ok ? ok(entriesIn(listing.value, /^(\d+) ([0-9a-f]+) 0\t(.*)$/s)) : gitRefused(listing.failure);
}

const entriesIn = (listing: string, form: RegExp): IndexEntry[] =>
  listing.split("\0").flatMap((row) => {
    const [, mode = "", id = "", path] = form.exec(row) ?? [];
    return path === undefined ? [] : [{mode, id, path}];
  });

/** The files and submodules of a commit or tree; of another git directory than that of `git`, such as a submodule's. */
export async function entriesAt({
  git,
  repository,
  commit,
}: {
  git: Git;
  repository?: string;
  commit: string;
}): Promise<Result<IndexEntry[], Failure>> {
  const call = repository === undefined ? {} : {gitDir: repository};
  const listing = await git(["ls-tree", "-r", "-z", "--full-tree", commit], call);
  return listing.ok ? ok(entriesIn(listing.value, /^(\d+) [a-z]+ ([0-9a-f]+)\t(.*)$/s)) : gitRefused(listing.failure);
}

export const isGitlink = ({mode}: IndexEntry): boolean => mode === "160000";

/**
 * Writes entries into the index; mode `000000` removes. Removals go first, so that a file can take a folder's place.
 */
export async function updateIndex(git: Git, entries: readonly IndexEntry[]): Promise<Result<null, Failure>> {
  if (entries.length === 0) return ok(null);
  const isRemoval = (entry: {mode: string}) => entry.mode === "000000";
  const sorted = [...entries.filter(isRemoval), ...entries.filter((entry) => !isRemoval(entry))];
  const input = sorted.map(({mode, id, path}) => `${mode} ${id}\t${path}\0`).join("");
  const output = await git(["update-index", "-z", "--index-info"], {input});
  return output.ok ? ok(null) : gitRefused(output.failure);
}

/** Makes git keep these entries unchanged, whether their files are in the folder or not. */
export async function pinEntries(git: Git, paths: readonly string[]): Promise<Result<null, Failure>> {
  if (paths.length === 0) return ok(null);
  const input = paths.map((path) => `${path}\0`).join("");
  const output = await git(["update-index", "-z", "--skip-worktree", "--stdin"], {input});
  return output.ok ? ok(null) : gitRefused(output.failure);
}
