/** Takes workflow files out of a candidate before it is verified, and keeps them as a patch that a person can apply. */
import {putBack} from "../changes/candidate.ts";
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {type Candidate, type Change, changedPaths} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {levelsOf} from "./protected-paths.ts";

/** A longer patch has no place in a comment: then the paths stay in the candidate, where they keep it from being published. */
const MAX_PATCH = 20_000;

export interface SetAside {
  readonly paths: string[];
  /** as `git apply` takes it */
  readonly patch: string;
}

/**
 * Gives the candidate without what is to be set aside (by the base's `protectedPaths`), what then differs from the base,
 * and the rest as a patch; null where nothing had to be taken out. The new candidate has been verified by nobody yet.
 */
export async function setAside(o: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
  protectedPaths: readonly string[];
}): Promise<Result<{candidate: Candidate; changes: readonly Change[]; aside: SetAside | null}, Failure>> {
  const {repository, candidate, changes} = o;
  const levelOf = levelsOf(o.protectedPaths);
  const whole = ok({candidate, changes, aside: null});
  const all = changedPaths(changes);
  const paths = [...new Set(all.filter((path) => levelOf(path) === "set-aside"))];
  if (paths.length === 0) return whole;
  const diff = ["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--binary", "--full-index"];
  const ends = ["--end-of-options", candidate.base, candidate.commit, "--", ...paths];
  const patch = await repository.git(["--literal-pathspecs", ...diff, ...ends]);
  if (!patch.ok) return gitRefused(patch.failure);
  if (patch.value.length > MAX_PATCH) return whole;
  const rest = await putBack({repository, candidate, paths: new Set(paths)});
  if (!rest.ok) return rest;
  const left = await repository.changes(candidate.base, rest.value.commit);
  if (!left.ok) return left;
  return ok({candidate: rest.value, changes: left.value, aside: {paths, patch: patch.value}});
}
