/** Has GitHub create and sign the commit on a separate branch, and accepts it only if it has the verified tree (P1). */

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

/**
 * Base64 adds a third. GitHub was observed to refuse more than 40 MB (grafana/github-api-commit-action, pull request
 * 66).
 */
const MAX_BYTES = 25_000_000;
const MAX_NAMED = 10;
const FETCH_MS = 120_000;

/** Asks GitHub for the commit, such as `createSignedCommit`. */
type CreateCommit = (wanted: WantedCommit) => Promise<Result<{commit: string; isSigned: boolean}, Failure>>;

/** The branch on which GitHub creates a run's commits, before they are pushed to their target. */
export function signingRef(run: string): string {
  return `refs/heads/assay/signing/${run.replaceAll(/[^\w-]/g, "-")}`;
}

/**
 * Returns the same commit as `unsigned`, created by GitHub: same tree, parent and message. The target is not touched;
 * `ref` exists only during the call. Whatever GitHub answers, the object is fetched and read: another tree, another
 * parent or no signature is `signing-refused`, and so is a change that the mutation does not support.
 */
export async function signCommit(options: {
  repository: Repository;
  unsigned: FinalCommit;
  /** full name, see `signingRef` */
  ref: string;
  createCommit: CreateCommit;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, unsigned, ref} = options;
  const request = await wantedCommit(options);
  if (!request.ok) return request;
  const clearResult = await clearSigning({repository, ref});
  if (!clearResult.ok) return clearResult;
  const {parent} = unsigned;
  const problem = pushFailure(ref, await push({repository, commit: parent, ref, expect: null}));
  if (problem !== null) return refused(problem);
  const signResult = await createOnRef({...options, wanted: request.value});
  // If the server does not delete the branch, the next run does.
  await clearSigning({repository, ref});
  return signResult;
}

/** Deletes the branch that an earlier try, or a run that was killed, left. */
export async function clearSigning(options: {repository: Repository; ref: string}): Promise<Result<null, Failure>> {
  const {repository, ref} = options;
  const tip = await repository.remoteRef(ref);
  if (!tip.ok) return tip;
  if (tip.value === null || (await deleteRef({repository, ref, at: tip.value}))) return ok(null);
  return refused({kind: "push-refused", ref, message: "it could not be deleted"});
}

async function createOnRef(options: {
  repository: Repository;
  unsigned: FinalCommit;
  ref: string;
  createCommit: CreateCommit;
  wanted: WantedCommit;
}): Promise<Result<FinalCommit, Failure>> {
  const {repository, unsigned, ref, createCommit, wanted} = options;
  const answer = await createCommit(wanted);
  if (answer.ok && !answer.value.isSigned)
    return signingRefused("the commit that GitHub created has no valid signature");
  const tip = await repository.remoteRef(ref);
  if (!tip.ok) return tip;
  // if only the answer was lost, the branch has moved to the commit
  if (!answer.ok && (tip.value === null || tip.value === unsigned.parent)) return answer;
  const commit = answer.ok ? answer.value.commit : (tip.value ?? "");
  const fetchResult = await fetchOnTop(repository, commit);
  if (!fetchResult.ok) return fetchResult;
  const ids = await idsOf(repository, commit);
  if (!ids.ok) return ids;
  const {tree, parent, signed} = ids.value;
  if (tree !== unsigned.tree)
    return signingRefused(`GitHub created the tree ${tree}, and ${unsigned.tree} was verified`);
  if (parent !== unsigned.parent)
    return signingRefused(`the commit that GitHub created is on ${parent}, not on the base`);
  return signed ? ids : signingRefused("the commit that GitHub created is not signed");
}

/** Fetched without a depth, because a depth would hide from git the parent that the repository already has. */
async function fetchOnTop(repository: Repository, commit: string): Promise<Result<null, Failure>> {
  if (repository.source.kind !== "remote") return signingRefused("there is no server behind this run");
  const {url} = repository.source;
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: FETCH_MS};
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, commit];
  const fetchResult = await repository.git(args, call);
  return fetchResult.ok ? ok(null) : gitRefused(fetchResult.failure);
}

async function wantedCommit(options: {
  repository: Repository;
  unsigned: FinalCommit;
  ref: string;
}): Promise<Result<WantedCommit, Failure>> {
  const {repository, unsigned, ref} = options;
  const entries = await repository.rawChanges(unsigned.parent, unsigned.tree);
  if (!entries.ok) return entries;
  const unsupportedPaths = entries.value.filter((entry) => !isSupported(entry)).map(({path}) => path);
  if (unsupportedPaths.length > 0) {
    const files = unsupportedPaths.slice(0, MAX_NAMED).join(", ");
    return signingRefused(`GitHub signs regular files only, no links, submodules or changed modes: ${files}`);
  }
  const present = entries.value.filter(({letter}) => letter !== "D");
  const ids = new Set(present.map(({newId}) => newId));
  const contents = await readContents(repository, [...ids]);
  if (!contents.ok) return contents;
  const object = await readCommit(repository, unsigned.commit);
  if (!object.ok) return object;
  return ok({
    branch: branchOf(ref),
    parent: unsigned.parent,
    message: object.value.message,
    additions: present.map(({path, newId}) => ({path, base64: contents.value.get(newId) ?? ""})),
    deletions: entries.value.filter(({letter}) => letter === "D").map(({path}) => path),
  });
}

/**
 * True if GitHub can create the entry. For an executable file, the comparison of trees shows whether GitHub kept its
 * mode.
 */
function isSupported({letter, oldMode, newMode}: RawEntry): boolean {
  if (letter === "D") return oldMode !== "160000";
  return newMode === "100644" ? letter === "A" || oldMode === newMode : newMode === "100755" && oldMode === newMode;
}

/** Contents in base64, by object id. All are read at once, after their sizes are known. */
async function readContents(
  repository: Repository,
  ids: readonly string[],
): Promise<Result<Map<string, string>, Failure>> {
  if (ids.length === 0) return ok(new Map());
  const input = ids.map((id) => `${id}\n`).join("");
  const sizes = await repository.git(["cat-file", "--batch-check=%(objectsize)"], {input});
  if (!sizes.ok) return gitRefused(sizes.failure);
  const bytes = sizes.value.trim().split("\n").map(Number);
  // a missing object makes the sum NaN, and NaN is within no limit
  if (!(bytes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES)) {
    return signingRefused(`GitHub signs changes of up to ${MAX_BYTES / 1_000_000} MB, and this one is larger`);
  }
  const batch = await repository.git(["cat-file", "--batch"], {input, isBytes: true});
  if (!batch.ok) return gitRefused(batch.failure);
  const contents = new Map<string, string>();
  let from = 0;
  for (const [at, id] of ids.entries()) {
    const start = batch.value.indexOf("\n", from) + 1;
    const end = start + (bytes[at] ?? 0);
    contents.set(id, Buffer.from(batch.value.slice(start, end), "latin1").toString("base64"));
    from = end + 1;
  }
  return ok(contents);
}

function signingRefused(message: string): {ok: false; failure: Failure} {
  return refused({kind: "signing-refused", message});
}
