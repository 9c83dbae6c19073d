/** Has GitHub make the commit, and so sign it: on a branch beside the target, and taken only if it is the verified tree (P1). */

import {gitRefused} from "../git/git.ts";
import {deleteRef, push, pushFailure} from "../git/push.ts";
import type {RawEntry} from "../git/raw-diff.ts";
import {protocolOf} from "../git/remote.ts";
import type {Repository} from "../git/repository.ts";
import type {WantedCommit} from "../github/commits.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type FinalCommit, idsOf, readCommit} from "./commit.ts";
import {branchOf} from "./target.ts";

/** Base64 makes a third more of it; above 40 MB GitHub was seen to refuse (grafana/github-api-commit-action, pull request 66). */
const MOST_BYTES = 25_000_000;
const MOST_NAMED = 10;
const FETCH_MS = 120_000;

/** Asks GitHub for the commit, such as `createSignedCommit`. */
export type AskForCommit = (wanted: WantedCommit) => Promise<Result<{commit: string; isSigned: boolean}, Failure>>;

/** The branch on which a run's commits are made, before they go where they belong. */
export function signingRef(run: string): string {
  return `refs/heads/assay/signing/${run.replaceAll(/[^\w-]/g, "-")}`;
}

/**
 * Gives the same commit as `unsigned`, made by GitHub: same tree, parent and message. The target is not touched; `ref` is made,
 * and is gone again when this returns. Whatever GitHub answers, the object is fetched and read: another tree, another parent or
 * no signature is `signing-refused`, and so is a change that the mutation cannot carry.
 */
export async function signCommit(o: {
  repository: Repository;
  unsigned: FinalCommit;
  /** full name, see `signingRef` */
  ref: string;
  ask: AskForCommit;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, unsigned, ref} = o;
  const wanted = await wantedCommit(o);
  if (!wanted.ok) return wanted;
  const cleared = await clearSigning({repository, ref});
  if (!cleared.ok) return cleared;
  const {parent} = unsigned;
  const problem = pushFailure(ref, await push({repository, commit: parent, ref, expect: null}));
  if (problem !== null) return refused(problem);
  const made = await makeThere({...o, wanted: wanted.value});
  // What stays there, when the server does not let go, is no claim of anybody; the next run clears it.
  await clearSigning({repository, ref});
  return made;
}

/** Deletes the branch that an earlier try, or a run that died, has left. */
export async function clearSigning(o: {repository: Repository; ref: string}): Promise<Result<null, Failure>> {
  const {repository, ref} = o;
  const at = await repository.remoteRef(ref);
  if (!at.ok) return at;
  if (at.value === null || (await deleteRef({repository, ref, at: at.value}))) return ok(null);
  return refused({kind: "push-refused", ref, message: "it could not be deleted"});
}

async function makeThere(o: {
  repository: Repository;
  unsigned: FinalCommit;
  ref: string;
  ask: AskForCommit;
  wanted: WantedCommit;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, unsigned, ref} = o;
  const answered = await o.ask(o.wanted);
  if (answered.ok && !answered.value.isSigned) return cannot("the commit that GitHub made has no valid signature");
  const tip = await repository.remoteRef(ref);
  if (!tip.ok) return tip;
  // an answer that was lost is no commit that was lost: where the branch moved, it is there
  if (!answered.ok && (tip.value === null || tip.value === unsigned.parent)) return answered;
  const commit = answered.ok ? answered.value.commit : (tip.value ?? "");
  const fetched = await fetchOnTop(repository, commit);
  if (!fetched.ok) return fetched;
  const made = await idsOf(repository, commit);
  if (!made.ok) return made;
  const {tree, parent, signed} = made.value;
  if (tree !== unsigned.tree) return cannot(`the tree that GitHub made is ${tree}, and ${unsigned.tree} was verified`);
  if (parent !== unsigned.parent) return cannot(`the commit that GitHub made stands on ${parent}, not on the base`);
  return signed ? made : cannot("the commit that GitHub made is not signed");
}

/** Without a depth: that would take from git's sight the parent, which is here already. */
async function fetchOnTop(repository: Repository, commit: string): Promise<Result<null, Failure>> {
  if (repository.source.kind !== "remote") return cannot("there is no server behind this run");
  const {url} = repository.source;
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: FETCH_MS};
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, commit];
  const fetched = await repository.git(args, call);
  return fetched.ok ? ok(null) : gitRefused(fetched.failure);
}

async function wantedCommit(o: {
  repository: Repository;
  unsigned: FinalCommit;
  ref: string;
}): Promise<Result<WantedCommit, Failure>> {
  const {repository, unsigned, ref} = o;
  const entries = await repository.rawChanges(unsigned.parent, unsigned.tree);
  if (!entries.ok) return entries;
  const odd = entries.value.filter((entry) => !isCarried(entry)).map(({path}) => path);
  if (odd.length > 0) {
    const named = odd.slice(0, MOST_NAMED).join(", ");
    return cannot(`GitHub signs regular files only, no links, submodules or changed modes: ${named}`);
  }
  const kept = entries.value.filter(({letter}) => letter !== "D");
  const contents = await readContents(
    repository,
    kept.map(({newId}) => newId),
  );
  if (!contents.ok) return contents;
  const read = await readCommit(repository, unsigned.commit);
  if (!read.ok) return read;
  return ok({
    branch: branchOf(ref),
    parent: unsigned.parent,
    message: read.value.message,
    additions: kept.map(({path, newId}) => ({path, base64: contents.value.get(newId) ?? ""})),
    deletions: entries.value.filter(({letter}) => letter === "D").map(({path}) => path),
  });
}

/** What is executable already may stay so: whether GitHub leaves its mode alone, the tree tells. */
function isCarried({letter, oldMode, newMode}: RawEntry): boolean {
  if (letter === "D") return oldMode !== "160000";
  return newMode === "100644" ? letter === "A" || oldMode === newMode : newMode === "100755" && oldMode === newMode;
}

/** Contents in base64, by object id. Everything is read at once, after its size is known. */
async function readContents(
  repository: Repository,
  all: readonly string[],
): Promise<Result<Map<string, string>, Failure>> {
  const ids = [...new Set(all)];
  if (ids.length === 0) return ok(new Map());
  const input = ids.map((id) => `${id}\n`).join("");
  const sizes = await repository.git(["cat-file", "--batch-check=%(objectsize)"], {input});
  if (!sizes.ok) return gitRefused(sizes.failure);
  const bytes = sizes.value.trim().split("\n").map(Number);
  // an object that is not there gives no number, and no number is no size that is allowed
  if (!(bytes.reduce((sum, size) => sum + size, 0) <= MOST_BYTES)) {
    return cannot(`GitHub signs what has up to ${MOST_BYTES / 1_000_000} MB, and this is more`);
  }
  const read = await repository.git(["cat-file", "--batch"], {input, isBytes: true});
  if (!read.ok) return gitRefused(read.failure);
  const found = new Map<string, string>();
  let from = 0;
  for (const [at, id] of ids.entries()) {
    const start = read.value.indexOf("\n", from) + 1;
    const end = start + (bytes[at] ?? 0);
    found.set(id, Buffer.from(read.value.slice(start, end), "latin1").toString("base64"));
    from = end + 1;
  }
  return ok(found);
}

function cannot(message: string): {ok: false; failure: Failure} {
  return refused({kind: "signing-refused", message});
}
