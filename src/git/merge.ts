/** Merges two versions of one base with git's plumbing: without a work tree, an index or a common history. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {gitRefused} from "./git.ts";
import type {Repository} from "./repository.ts";

export interface Merged {
  readonly tree: string;
  /** files in conflict; in that tree, text files have git's conflict markers. Empty if the merge succeeded */
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
  // Histories are shallow here, and a branch may have been rewritten, so both sides get the base as their only
  // ancestor.
  for (const side of [options.theirs, options.ours]) {
    const sideCommit = await git(["commit-tree", "-p", options.base, `${side}^{tree}`], {input: "Side\n"});
    if (!sideCommit.ok) return gitRefused(sideCommit.failure);
    sides.push(sideCommit.value.trim());
  }
  const mergeOutput = await git(["merge-tree", "-z", "--write-tree", "--name-only", "--no-messages", ...sides]);
  // 1 means conflicts: git still prints the tree, followed by the files in conflict
  if (!mergeOutput.ok && mergeOutput.failure.code !== 1) return gitRefused(mergeOutput.failure);
  const output = mergeOutput.ok ? mergeOutput.value : mergeOutput.failure.stdout;
  const [tree = "", ...conflicts] = output.split("\0").filter((path) => path !== "");
  // an output above the size limit has lost its beginning
  return /^[0-9a-f]{40}$/.test(tree)
    ? ok({tree, conflicts})
    : gitRefused({code: 1, message: "too many files are in conflict", stdout: ""});
}
