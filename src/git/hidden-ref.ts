/** Keeps a few small files on a ref of Assay, from one run to the next on any runner. */
import {setTimeout as pause} from "node:timers/promises";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {gitRefused} from "./git.ts";
import {deleteRef, type Pushed, push, pushFailure} from "./push.ts";
import type {Repository} from "./repository.ts";

/**
 * The same name in two places: rules for branches do not apply to `hidden`, and GitHub's pages show only the branch.
 * Earlier versions kept sessions and baselines on the branch, and they are moved from there.
 */
export interface HiddenRef {
  /** `refs/assay/…` */
  readonly hidden: string;
  /** `refs/heads/assay/…` */
  readonly branch: string;
}

export const hiddenRef = (name: string): HiddenRef => ({
  hidden: `refs/assay/${name}`,
  branch: `refs/heads/assay/${name}`,
});

/** Names and contents of all files on the ref. */
export type RefFiles = Readonly<Record<string, string>>;

const TRIES = 3;

/** The commits of the hidden ref and of the branch, from one request; null for a missing ref. */
export async function refCommits(
  repository: Repository,
  {hidden, branch}: HiddenRef,
): Promise<Result<{hidden: string | null; branch: string | null}, Failure>> {
  const refs = await repository.remoteRefs(hidden, branch);
  if (!refs.ok) return refs;
  const commitOf = (name: string) => refs.value.find(({ref}) => ref === name)?.commit ?? null;
  return ok({hidden: commitOf(hidden), branch: commitOf(branch)});
}

/**
 * Saves the files as one small commit on the hidden ref's tip and returns its id. If another push was faster, `files`
 * is called again with the newest tip, already fetched, or null if the ref does not exist. After three lost races it
 * fails: `push-lost`. A branch that is still there becomes a parent of the commit, and is deleted: nothing that it had
 * is lost. With `hasHistory: false` the commit replaces all of that, and `files` gets null.
 */
export async function saveOnRef(options: {
  repository: Repository;
  to: HiddenRef;
  message: string;
  files: (tip: string | null) => Promise<RefFiles>;
  hasHistory?: boolean;
}): Promise<Result<string, Failure>> {
  const {repository, message, hasHistory = true} = options;
  const {hidden: ref, branch} = options.to;
  let lastPush: Pushed = {kind: "unreachable", message: "not tried"};
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const tips = await refCommits(repository, options.to);
    if (!tips.ok) return tips;
    const parents = hasHistory ? [tips.value.hidden, tips.value.branch].filter((tip) => tip !== null) : [];
    for (const parent of parents) {
      const revision = await repository.fetch(parent);
      if (!revision.ok) return revision;
    }
    const commit = await commitOn({repository, files: await options.files(parents[0] ?? null), parents, message});
    if (!commit.ok) return commit;
    lastPush = await push({repository, commit: commit.value, ref, expect: tips.value.hidden, replaces: !hasHistory});
    if (lastPush.kind === "pushed") {
      if (tips.value.branch !== null) await deleteRef({repository, ref: branch, at: tips.value.branch});
      return ok(commit.value);
    }
    if (lastPush.kind !== "lost") break;
  }
  return refused(pushFailure(ref, lastPush) ?? {kind: "internal", message: `${ref} was pushed and not seen`});
}

/**
 * Changes the one file of a ref, with one commit. `change` gets the file's text, null without the ref, and is called
 * again if another run was faster; null writes nothing. The server accepts only one of two changes of the same text.
 */
export async function changeOnRef(options: {
  repository: Repository;
  ref: string;
  file: string;
  message: string;
  change: (text: string | null) => Result<string | null, Failure>;
  patienceMs: number;
}): Promise<Result<null, Failure>> {
  const {repository, ref, file, message, change, patienceMs} = options;
  const endMs = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    const there = await repository.remoteRef(ref);
    const tip = there.ok && there.value !== null ? await repository.fetch(ref) : ok(null);
    if (!there.ok) return there;
    if (!tip.ok) return tip;
    const expect = tip.value?.commit ?? null;
    const text = expect === null ? ok(null) : await repository.readText(expect, file, {maxBytes: MAX_CHANGED_BYTES});
    const changed = text.ok ? change(text.value) : text;
    if (!changed.ok) return changed;
    if (changed.value === null) return ok(null);
    const commit = await commitOn({
      repository,
      files: {[file]: changed.value},
      parents: [expect ?? []].flat(),
      message,
    });
    if (!commit.ok) return commit;
    const pushed = await push({repository, commit: commit.value, ref, expect});
    const failure = pushFailure(ref, pushed);
    if (failure === null) return ok(null);
    if (pushed.kind !== "lost" || performance.now() > endMs) return refused(failure);
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
  }
}

const MAX_CHANGED_BYTES = 4 * 1024 * 1024;
const FIRST_PAUSE_MS = 500;
/** With 40 runs at the same moment, most pushes are then in time. */
const LONGEST_PAUSE_MS = 30_000;

async function commitOn(options: {
  repository: Repository;
  files: RefFiles;
  parents: readonly string[];
  message: string;
}): Promise<Result<string, Failure>> {
  const {repository, files, message} = options;
  const rows: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    // git expects a line break at the end of the input and would wait for one
    const input = content === "" ? "\n" : content;
    const blob = await repository.git(["hash-object", "-w", "--stdin", "--no-filters"], {input});
    if (!blob.ok) return gitRefused(blob.failure);
    rows.push(`100644 blob ${blob.value.trim()}\t${name}\0`);
  }
  const tree = await repository.git(["mktree", "-z"], {input: rows.join("")});
  if (!tree.ok) return gitRefused(tree.failure);
  const parents = [...new Set(options.parents)].flatMap((parent) => ["-p", parent]);
  const commit = await repository.git(["commit-tree", ...parents, tree.value.trim()], {input: `${message}\n`});
  return commit.ok ? ok(commit.value.trim()) : gitRefused(commit.failure);
}
