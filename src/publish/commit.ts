/** Makes the commit that is published: the candidate's tree on the candidate's base, and nothing else (P1). */
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type CommitFacts, commitMessage} from "./message.ts";

/** A commit with the ids that the report shows and the promises compare. */
export interface FinalCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  /** with GitHub's signature in it */
  readonly signed: boolean;
}

/** Makes the commit by plumbing. Fails as `internal` when the candidate in hand is not the one in the repository. */
export async function makeCommit(o: {
  repository: Repository;
  candidate: Candidate;
  facts: Omit<CommitFacts, "base" | "tree">;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, candidate} = o;
  const known = await idsOf(repository, candidate.commit);
  if (!known.ok) return known;
  if (!isOfCandidate(known.value, candidate)) {
    const message = "the candidate is not the commit that was verified; nothing was published";
    return refused({kind: "internal", message});
  }
  const input = commitMessage({...o.facts, base: candidate.base, tree: candidate.tree});
  const made = await repository.git(["commit-tree", "-p", candidate.base, candidate.tree], {input});
  if (!made.ok) return gitRefused(made.failure);
  const final = await idsOf(repository, made.value.trim());
  if (final.ok && !isOfCandidate(final.value, candidate)) {
    throw new Error(`commit ${final.value.commit} is not the verified tree on its base`);
  }
  return final;
}

/** The ids of a commit that this repository has. More than one parent stand in `parent` with spaces between, none as "". */
export async function idsOf(repository: Repository, commit: string): Promise<Result<FinalCommit, Failure>> {
  const read = await readCommit(repository, commit);
  return read.ok ? ok(read.value.ids) : read;
}

/** Reads a commit as it is written: git itself hides the parents of one that came without its history. */
export async function readCommit(
  repository: Repository,
  commit: string,
): Promise<Result<{ids: FinalCommit; message: string}, Failure>> {
  const shown = await repository.git(["cat-file", "commit", commit]);
  if (!shown.ok) return gitRefused(shown.failure);
  const end = shown.value.indexOf("\n\n");
  const head = shown.value.slice(0, end).split("\n");
  const all = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ""] = all("tree");
  const ids = {commit, tree, parent: all("parent").join(" "), signed: all("gpgsig").length > 0};
  return ok({ids, message: shown.value.slice(end + 2)});
}

/** True for the candidate's tree on the candidate's base, whoever made that commit. */
export function isOfCandidate({tree, parent}: FinalCommit, candidate: Candidate): boolean {
  return tree === candidate.tree && parent === candidate.base;
}
