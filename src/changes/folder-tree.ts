/** A git tree of what stands in a folder now: committed, staged, untracked or none of it, without asking the folder's `.git`. */
import {lstat} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../words.ts";
import {MAX_FILE_BYTES} from "./admissible.ts";
import {gitRefused} from "./git.ts";
import {updateIndex, withIndex} from "./private-index.ts";
import type {Repository} from "./repository.ts";

const LONG_MS = 600_000;

/**
 * Writes the folder as a tree into the bot's repository. The folder's `.gitignore` files apply to what `commit` does not
 * track; its `info/exclude`, its configuration and its index flags do not. Submodules stay as in `commit`.
 * Fails as `candidate-refused` with what a tree cannot or must not hold, each with its path; with `leaveOut` that is as in
 * `commit` instead.
 */
export async function folderTree(o: {
  repository: Repository;
  folder: string;
  commit: string;
  leaveOut?: boolean;
}): Promise<Result<string, Failure>> {
  const {folder, leaveOut = false} = o;
  return withIndex(
    {git: o.repository.git, repository: o.repository.folder, commit: o.commit, folder},
    async (index) => {
      const {git, gitlinks} = index;
      const listed = await git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {timeoutMs: LONG_MS});
      if (!listed.ok) return gitRefused(listed.failure);
      const paths = listed.value.split("\0").filter((path) => path !== "");
      const known = new Set(gitlinks.map(({path}) => path));
      const problems: {path: string; why: string}[] = [];
      // git shows a nested repository as a folder, with a slash at the end
      for (const path of paths.filter((path) => path.endsWith("/"))) {
        if (!known.has(path.slice(0, -1)))
          problems.push({path: path.slice(0, -1), why: "it is a git repository of its own"});
      }
      for (const {path} of gitlinks) {
        const replaced = paths.some(
          (other) => other === path || (other.startsWith(`${path}/`) && other !== `${path}/`),
        );
        if (replaced) problems.push({path, why: "it replaces a submodule"});
      }
      problems.push(...(await tooLarge(folder, paths)));
      if (problems.length > 0 && !leaveOut) {
        return refused({kind: "candidate-refused", problems: problems.map(({path, why}) => `${path}: ${why}`)});
      }

      const excluded = [...gitlinks, ...problems].map(({path}) => `:(top,exclude,literal)${path}\0`);
      const errors = leaveOut ? ["--ignore-errors"] : [];
      const added = await git(["add", "--all", ...errors, "--pathspec-from-file=-", "--pathspec-file-nul"], {
        input: [":(top)\0", ...excluded].join(""),
        timeoutMs: LONG_MS,
      });
      if (!added.ok && !leaveOut) return refused({kind: "candidate-refused", problems: [added.failure.message]});
      const put = await updateIndex(
        git,
        gitlinks.map(({path, id}) => ({mode: "160000", id, path})),
      );
      if (!put.ok) return put;
      const tree = await git(["write-tree"]);
      return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
    },
  );
}

/** Looked at before git reads them: adding a file of many gigabytes would eat the time that saving the work needs. */
async function tooLarge(folder: string, paths: readonly string[]): Promise<{path: string; why: string}[]> {
  const problems: {path: string; why: string}[] = [];
  for (const path of paths) {
    const found = await lstat(join(folder, path)).catch(() => null);
    if (found?.isFile() && found.size > MAX_FILE_BYTES) problems.push({path, why: "it is larger than 100 MB"});
  }
  return problems;
}
