/** Creates the published commit: the candidate's tree on the candidate's base (P1), merged into a branch by `/update`. */
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type CommitFacts, commitMessage} from "./message.ts";

/** A commit with the ids that the report shows and that P1 compares. */
export interface FinalCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  /** contains GitHub's signature */
  readonly signed: boolean;
}

/** Fails as `internal` if the given candidate is not the one in the repository. */
export async function makeCommit(options: {
  repository: Repository;
  candidate: Candidate;
  facts: Omit<CommitFacts, "base" | "tree">;
  /** the first parent, if the commit merges the base into a branch */
  into?: string | null;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, candidate, facts, into = null} = options;
  const ids = await idsOf(repository, candidate.commit);
  if (!ids.ok) return ids;
  if (!isOfCandidate(ids.value, candidate)) {
    const message = "the change is not the commit that was verified; nothing was published";
    return refused({kind: "internal", message});
  }
  const input = commitMessage({...facts, base: candidate.base, tree: candidate.tree});
  const parents = into === null ? [candidate.base] : [into, candidate.base];
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), candidate.tree];
  const commit = await repository.git(args, {input});
  if (!commit.ok) return gitRefused(commit.failure);
  const final = await idsOf(repository, commit.value.trim());
  if (final.ok && !isOfCandidate(final.value, {...candidate, base: parents.join(" ")})) {
    throw new Error(`commit ${final.value.commit} is not the verified tree on its base`);
  }
  return final;
}

/** The ids of a commit in this repository. `parent` has several parents separated by spaces, or is "". */
export async function idsOf(repository: Repository, commit: string): Promise<Result<FinalCommit, Failure>> {
  const object = await readCommit(repository, commit);
  return object.ok ? ok(object.value.ids) : object;
}

/**
 * Reads the stored commit object, because other git commands hide the parents of a commit fetched without its history.
 */
export async function readCommit(
  repository: Repository,
  commit: string,
): Promise<Result<{ids: FinalCommit; message: string}, Failure>> {
  const object = await repository.git(["cat-file", "commit", commit]);
  if (!object.ok) return gitRefused(object.failure);
  const end = object.value.indexOf("\n\n");
  const head = object.value.slice(0, end).split("\n");
  const valuesOf = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ""] = valuesOf("tree");
  const ids = {commit, tree, parent: valuesOf("parent").join(" "), signed: valuesOf("gpgsig").length > 0};
  return ok({ids, message: object.value.slice(end + 2)});
}

/** The parents as the record has them: the branch's commit, and for `/update` the commit that it merges. */
export function parentsOf({parent: ids}: FinalCommit): {parent: string; merges?: string} {
  const [parent = "", merges] = ids.split(" ");
  return {parent, ...(merges !== undefined && {merges})};
}

/** True for the candidate's tree on the candidate's base, even if GitHub created that commit. */
export function isOfCandidate({tree, parent}: FinalCommit, candidate: Candidate): boolean {
  return tree === candidate.tree && parent === candidate.base;
}
