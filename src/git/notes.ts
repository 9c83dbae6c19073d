/** Reads what git's notes say about a commit, and the default branch that a clone knows. */
import type {Git} from "./git.ts";

/** The note of the commit in this notes ref; null without one. `source` is the repository that has it. */
export async function readNote(wanted: {
  git: Git;
  source: string;
  ref: string;
  commit: string;
}): Promise<string | null> {
  const {git, source, ref, commit} = wanted;
  const blob = await git(["notes", `--ref=${ref}`, "list", commit], {cwd: source});
  // `git notes show` would start `git show`, which reads the settings of the repository.
  const text = blob.ok ? await git(["cat-file", "blob", blob.value.trim()], {cwd: source}) : blob;
  return text.ok ? text.value : null;
}

/** The default branch of `origin`, such as `main`; null if the clone in `source` does not know it. */
export async function originBranch(git: Git, source: string): Promise<string | null> {
  const head = await git(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], {cwd: source});
  return head.ok ? head.value.trim().replace("refs/remotes/origin/", "") : null;
}
