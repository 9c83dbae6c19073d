/** Captures a working folder as the candidate, with notes on content that the candidate does not contain. */
import {basename} from "node:path";
import {makeCandidate} from "../changes/candidate.ts";
import {otherFilters} from "../changes/filtered-files.ts";
import {
  filesWithConflicts,
  readFolderIndex,
  readTreeSettings,
  refuseMissingFiles,
  unfinishedOperation,
} from "../git/local-state.ts";
import {entriesAt} from "../git/private-index.ts";
import type {Repository} from "../git/repository.ts";
import {submoduleChanges} from "../git/submodules.ts";
import type {Failure} from "../record/failure.ts";
import type {Note} from "../record/plan.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {formatPaths, missingLfsNotes} from "../run/lfs-notes.ts";

export interface CapturedFolder {
  readonly candidate: Candidate;
  readonly changes: Change[];
  readonly notes: readonly Note[];
}

/** Fails as `candidate-refused` for files with conflict markers, because a check could accept them by accident. */
export async function captureFolder(options: {
  repository: Repository;
  folder: string;
  base: string;
}): Promise<Result<CapturedFolder, Failure>> {
  const {repository, folder, base} = options;
  const place = {git: repository.git, folder};
  const [index, operation, settings] = await Promise.all([
    readFolderIndex(place),
    unfinishedOperation(place),
    readTreeSettings({...place, repository: repository.folder, variables: process.env}),
  ]);
  if (!index.ok) return index;
  if (!settings.ok) return settings;
  const {skipped, unmerged} = index.value;
  const conflicts = await filesWithConflicts(folder, unmerged);
  if (conflicts.length > 0) {
    const why = "has conflict markers of an unfinished merge; resolve them, then run `git add`";
    return refused({kind: "candidate-refused", problems: conflicts.map((path) => `${path}: ${why}`)});
  }
  const candidateResult = await makeCandidate({
    ...{repository, folder, base, skipped, isLocal: true},
    own: {...index.value, ...settings.value},
  });
  if (!candidateResult.ok) return candidateResult;
  const {candidate, changes} = candidateResult.value;
  const [missing, submodules, filtered] = await Promise.all([
    refuseMissingFiles({...place, revision: "HEAD", commit: candidate.commit}),
    submoduleChanges({repository, folder, base, variables: process.env}),
    filterNotes({repository, candidate, changes}),
  ]);
  if (!missing.ok) return missing;
  if (!operation.ok) return operation;
  if (!submodules.ok) return submodules;
  if (!filtered.ok) return filtered;
  const entries = await entriesAt({git: repository.git, commit: candidate.commit});
  if (!entries.ok) return entries;
  const idOf = new Map(entries.value.map(({path, id}) => [path, id]));
  const hidden = index.value.unwatched.filter(({path, id}) => idOf.get(path) !== id).map(({path}) => path);
  const hiddenText = "Verified as in the folder, but git does not commit these changes by itself (`git ls-files -v`).";
  const notes = [
    ...filtered.value,
    ...(hidden.length > 0 ? [{about: "git", text: `${formatPaths(hidden)}: ${hiddenText}`}] : []),
    ...operationNotes(operation.value, unmerged),
    ...submodules.value.map(({path, why}) => ({about: path, text: `${why}. It was not verified.`})),
  ];
  return ok({candidate, changes, notes});
}

/** Notes on files of git filters: missing LFS content, and files of other filters. */
async function filterNotes(options: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
}): Promise<Result<Note[], Failure>> {
  const {repository, candidate} = options;
  const {commit} = candidate;
  const entries = await entriesAt({git: repository.git, commit});
  if (!entries.ok) return entries;
  const hasAttributes = entries.value.some(({path}) => basename(path) === ".gitattributes");
  if (!hasAttributes) return ok([]);
  const missingFiles = await repository.missingLfs(commit);
  if (!missingFiles.ok) return missingFiles;
  const paths = options.changes.filter(({status}) => status !== "deleted").map(({path}) => path);
  const filters = await otherFilters({git: repository.git, repository: repository.folder, tree: commit, paths});
  if (!filters.ok) return filters;
  const text =
    "Verified as they are in the folder, without running the filter. Git may commit different content for them, or no change.";
  return ok([
    ...missingLfsNotes(missingFiles.value, "Run `git lfs pull`."),
    ...[...filters.value].map(([filter, files]) => ({
      about: `filter ${filter}`,
      text: `${formatPaths(files)}: ${text}`,
    })),
  ]);
}

function operationNotes(operation: string | null, unmerged: readonly string[]): Note[] {
  const operationNote = "The files were verified as they are in the folder.";
  const files = unmerged.length === 0 ? "" : ` Not marked as resolved: ${formatPaths(unmerged)}.`;
  if (operation !== null) return [{about: "git", text: `There is ${operation} in progress.${files} ${operationNote}`}];
  return files === "" ? [] : [{about: "git", text: `Git's index has unmerged files.${files} ${operationNote}`}];
}
