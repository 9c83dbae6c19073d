/** Removes workflow files from a candidate before it is verified, and keeps them as a patch that a person can apply. */
import {resetPaths} from "../changes/candidate.ts";
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {type Candidate, type Change, changedPaths} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {levelsOf} from "./protected-paths.ts";

/** A longer patch does not fit into a comment: then the paths stay in the candidate and prevent publishing. */
const MAX_PATCH = 20_000;

interface SetAside {
  readonly paths: string[];
  /** for `git apply` */
  readonly patch: string;
}

/**
 * Returns the candidate without the paths to set aside (by the base's `protectedPaths`), its changes since the base,
 * and the removed changes as a patch; `aside` is null if nothing was removed. The new candidate is not verified yet.
 */
export async function setAside(options: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
  protectedPaths: readonly string[];
}): Promise<Result<{candidate: Candidate; changes: readonly Change[]; aside: SetAside | null}, Failure>> {
  const {repository, candidate, changes, protectedPaths} = options;
  const levelOf = levelsOf(protectedPaths);
  const unchangedResult = ok({candidate, changes, aside: null});
  const paths = [...new Set(changedPaths(changes).filter((path) => levelOf(path) === "set-aside"))];
  if (paths.length === 0) return unchangedResult;
  const diff = ["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--binary", "--full-index"];
  const commitRange = ["--end-of-options", candidate.base, candidate.commit, "--", ...paths];
  const patch = await repository.git(["--literal-pathspecs", ...diff, ...commitRange]);
  if (!patch.ok) return gitRefused(patch.failure);
  if (patch.value.length > MAX_PATCH) return unchangedResult;
  const reducedCandidate = await resetPaths({repository, candidate, paths: new Set(paths)});
  if (!reducedCandidate.ok) return reducedCandidate;
  const remainingChanges = await repository.changes(candidate.base, reducedCandidate.value.commit);
  if (!remainingChanges.ok) return remainingChanges;
  return ok({candidate: reducedCandidate.value, changes: remainingChanges.value, aside: {paths, patch: patch.value}});
}
