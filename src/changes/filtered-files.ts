/** Finds changed files whose content a git filter creates, and decides which of them may be published. */

import {type Git, gitRefused} from "../git/git.ts";
import {filtersOf, lfsFilesIn} from "../git/lfs.ts";
import {withIndex} from "../git/private-index.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

interface Filtered {
  readonly git: Git;
  /** the bot's bare repository */
  readonly repository: string;
  readonly tree: string;
  /** regular files that were added or changed */
  readonly paths: readonly string[];
}

const ENCRYPTING = /crypt/i;

/**
 * The files that may not be published: LFS content that no file of the base points to, because it would have to be
 * uploaded, and files that a filter must encrypt, because no filter of the repository runs here.
 */
export async function filterProblems(
  options: Filtered & {base: string},
): Promise<Result<{path: string; why: string}[], Failure>> {
  const {git, base} = options;
  if (options.paths.length === 0) return ok([]);
  return withIndex(
    {git, repository: options.repository, commit: options.tree, folder: options.repository},
    async (index) => {
      const filters = await filtersOf({git: index.git, paths: options.paths, cached: true});
      if (!filters.ok) return filters;
      const encryptedFiles = [...filters.value].filter(([, filter]) => ENCRYPTING.test(filter));
      const problems = encryptedFiles.map(([path, filter]) => ({
        path,
        why: `the filter \`${filter}\` encrypts it, and Assay runs no filters; commit it yourself`,
      }));
      const files = await lfsFilesIn({git: index.git, filters: filters.value, paths: options.paths});
      if (!files.ok) return files;
      const pointers = files.value.filter(({pointer}) => pointer !== null);
      if (pointers.length === 0) return ok(problems);
      const baseTree = await git(["ls-tree", "-r", "-z", "--full-tree", base]);
      if (!baseTree.ok) return gitRefused(baseTree.failure);
      const baseObjects = new Set(baseTree.value.split("\0").map((row) => row.split(/[ \t]/)[2]));
      const why = "Git LFS stores its content, and Assay does not upload it; commit it yourself";
      for (const {entry} of pointers) if (!baseObjects.has(entry.id)) problems.push({path: entry.path, why});
      return ok(problems);
    },
  );
}

/** The filters other than LFS that these files have, each with its files. */
export async function otherFilters(options: Filtered): Promise<Result<Map<string, string[]>, Failure>> {
  const byFilter = new Map<string, string[]>();
  if (options.paths.length === 0) return ok(byFilter);
  const place = {git: options.git, repository: options.repository, commit: options.tree, folder: options.repository};
  return withIndex(place, async ({git}) => {
    const filters = await filtersOf({git, paths: options.paths, cached: true});
    if (!filters.ok) return filters;
    for (const [path, filter] of filters.value)
      if (filter !== "lfs") byFilter.set(filter, [...(byFilter.get(filter) ?? []), path]);
    return ok(byFilter);
  });
}
