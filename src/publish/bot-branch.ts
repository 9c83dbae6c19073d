/** Keeps a few small files on a branch of the bot's own, from one run to the next on any runner. */
import {gitRefused} from "../changes/git.ts";
import type {Repository} from "../changes/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../words.ts";
import {type Pushed, push, pushFailure} from "./push.ts";

/** Names and contents; the branch holds these and nothing else. */
export type BranchFiles = Readonly<Record<string, string>>;

const TRIES = 3;

/**
 * Saves the files as one small commit on the branch's tip; gives its id. `files` is asked anew whenever somebody else was
 * faster, and is given the tip, fetched, or null for a branch that does not exist yet. After three races: `push-lost`.
 */
export async function saveOnBranch(o: {
  repository: Repository;
  /** full name, `refs/heads/…` */
  ref: string;
  message: string;
  files: (tip: string | null) => Promise<BranchFiles>;
}): Promise<Result<string, Failure>> {
  const {repository, ref} = o;
  let last: Pushed = {kind: "unreachable", message: "not tried"};
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const tip = await repository.remoteRef(ref);
    if (!tip.ok) return tip;
    if (tip.value !== null) {
      const fetched = await repository.fetch(tip.value);
      if (!fetched.ok) return fetched;
    }
    const commit = await commitOn({repository, files: await o.files(tip.value), tip: tip.value, message: o.message});
    if (!commit.ok) return commit;
    last = await push({repository, commit: commit.value, ref, expect: tip.value});
    if (last.kind === "pushed") return ok(commit.value);
    if (last.kind !== "lost") break;
  }
  return refused(pushFailure(ref, last) ?? {kind: "internal", message: `${ref} was pushed and not seen`});
}

async function commitOn(o: {
  repository: Repository;
  files: BranchFiles;
  tip: string | null;
  message: string;
}): Promise<Result<string, Failure>> {
  const {repository, files, tip, message} = o;
  const rows: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    // git's input ends with the text; an empty one would leave it waiting
    const input = content === "" ? "\n" : content;
    const blob = await repository.git(["hash-object", "-w", "--stdin", "--no-filters"], {input});
    if (!blob.ok) return gitRefused(blob.failure);
    rows.push(`100644 blob ${blob.value.trim()}\t${name}\0`);
  }
  const tree = await repository.git(["mktree", "-z"], {input: rows.join("")});
  if (!tree.ok) return gitRefused(tree.failure);
  const parent = tip === null ? [] : ["-p", tip];
  const commit = await repository.git(["commit-tree", ...parent, tree.value.trim()], {input: `${message}\n`});
  return commit.ok ? ok(commit.value.trim()) : gitRefused(commit.failure);
}

/** JSON of a file that others may have written; what it says when it is broken is nobody's business. */
export function parseForeign(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
