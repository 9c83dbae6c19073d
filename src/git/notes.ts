/** Reads and adds git's notes about a commit, and reads the default branch that a clone knows. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";
import {push, pushFailure} from "./push.ts";
import type {Repository} from "./repository.ts";

const TRIES = 3;

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

/** Adds a note to the commit on the server, in place of an earlier one. Others may add notes at the same time. */
export async function addNote(wanted: {
  repository: Repository;
  ref: string;
  commit: string;
  text: string;
}): Promise<Result<null, Failure>> {
  const {repository, ref, commit, text} = wanted;
  const blob = await repository.git(["hash-object", "-w", "--stdin"], {input: text});
  if (!blob.ok) return gitRefused(blob.failure);
  for (let tries = 1; ; tries += 1) {
    const there = await repository.remoteRef(ref);
    const notes = there.ok && there.value !== null ? await repository.fetch(ref) : ok(null);
    if (!there.ok) return there;
    if (!notes.ok) return notes;
    const expect = notes.value?.commit ?? null;
    const start = await repository.git(["update-ref", ...(expect === null ? ["-d", ref] : [ref, expect])]);
    const note = start.ok
      ? await repository.git(["notes", `--ref=${ref}`, "add", "-f", "-C", blob.value.trim(), commit])
      : start;
    const added = note.ok ? await repository.git(["rev-parse", "--verify", "--quiet", ref]) : note;
    if (!added.ok) return gitRefused(added.failure);
    const pushed = await push({repository, commit: added.value.trim(), ref, expect});
    const failure = pushFailure(ref, pushed);
    if (failure === null) return ok(null);
    if (pushed.kind !== "lost" || tries === TRIES) return {ok: false, failure};
  }
}
