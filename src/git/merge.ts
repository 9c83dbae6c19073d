/** Merges what two sides made of one base, by plumbing: no work tree, no index, and no common history is needed. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {gitRefused} from "./git.ts";
import type {Repository} from "./repository.ts";

export interface Merged {
  readonly tree: string;
  /** files that have git's conflict markers in that tree; empty: it went through */
  readonly conflicts: readonly string[];
}

/** `base` is a commit, `theirs` and `ours` are trees or commits; all are in the repository. Fails as `git-refused`. */
export async function merge(options: {
  repository: Repository;
  base: string;
  theirs: string;
  ours: string;
}): Promise<Result<Merged, Failure>> {
  const {git} = options.repository;
  const sides: string[] = [];
  // Histories are shallow here, and a branch may have been rewritten: both sides are given the one ancestor that counts.
  for (const side of [options.theirs, options.ours]) {
    const sideCommit = await git(["commit-tree", "-p", options.base, `${side}^{tree}`], {input: "Side\n"});
    if (!sideCommit.ok) return gitRefused(sideCommit.failure);
    sides.push(sideCommit.value.trim());
  }
  const merged = await git(["merge-tree", "--write-tree", "--name-only", "--no-messages", ...sides]);
  // 1 means conflicts: git still prints the tree, followed by the files in conflict
  if (!merged.ok && merged.failure.code !== 1) return gitRefused(merged.failure);
  const output = merged.ok ? merged.value : merged.failure.stdout;
  const [tree = "", ...conflicts] = output.split("\n").filter((line) => line !== "");
  // a list too long to be kept whole has lost its beginning
  return /^[0-9a-f]{40}$/.test(tree)
    ? ok({tree, conflicts})
    : gitRefused({code: 1, message: "too many files are in conflict", stdout: ""});
}
