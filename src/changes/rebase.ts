/** Puts a candidate onto another base by plumbing: no work tree, no index, and no history is needed. */
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result} from "../words.ts";
import {keepCandidate} from "./candidate.ts";
import {gitRefused} from "./git.ts";
import type {Repository} from "./repository.ts";

export interface Rebased {
  /** a new tree, which nobody has verified yet (P5) */
  readonly candidate: Candidate;
  /** files that have git's conflict markers now; empty: it went through */
  readonly conflicts: readonly string[];
}

/**
 * Merges the candidate's changes into the tree of `onto`. Its base, the candidate and `onto` must be in the repository, for
 * which no common history is needed: the merge is made between stand-ins. Fails as `git-refused`.
 */
export async function rebase(o: {
  repository: Repository;
  candidate: Candidate;
  onto: string;
}): Promise<Result<Rebased, Failure>> {
  const {repository, candidate, onto} = o;
  if (candidate.base === onto) return ok({candidate, conflicts: []});
  const {git} = repository;
  const standIn = async (treeish: string, parent: readonly string[]) => {
    const made = await git(["commit-tree", ...parent, `${treeish}^{tree}`], {input: "Stand-in\n"});
    return made.ok ? ok(made.value.trim()) : gitRefused(made.failure);
  };
  const root = await standIn(candidate.base, []);
  if (!root.ok) return root;
  const theirs = await standIn(onto, ["-p", root.value]);
  if (!theirs.ok) return theirs;
  const ours = await standIn(candidate.commit, ["-p", root.value]);
  if (!ours.ok) return ours;
  const merged = await git(["merge-tree", "--write-tree", "--name-only", "--no-messages", theirs.value, ours.value]);
  // 1 means conflicts, and the tree is there all the same, with markers in the files that are named after it
  const said = merged.ok ? merged.value : merged.failure.code === 1 ? merged.failure.stdout : "";
  const [tree = "", ...conflicts] = said.split("\n").filter((line) => line !== "");
  if (!/^[0-9a-f]{40,64}$/.test(tree)) {
    return merged.ok
      ? gitRefused({code: null, message: "git merge-tree gave no tree", stdout: ""})
      : gitRefused(merged.failure);
  }
  const commit = await keepCandidate({repository, base: onto, tree});
  return commit.ok ? ok({candidate: {commit: commit.value, tree, base: onto}, conflicts}) : commit;
}
