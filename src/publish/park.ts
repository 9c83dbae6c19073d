/** Saves unpublished work on a branch or hidden ref, or else on this machine, so that nothing is lost (P8). */
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {type GitRefusal, gitRefused} from "../git/git.ts";
import {type HiddenRef, hiddenRef} from "../git/hidden-ref.ts";
import {type Pushed, push, pushFailure} from "../git/push.ts";
import {isRuleOfServer} from "../git/push-refusal.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Publication} from "../record/record.ts";
import {ok, type Result} from "../record/words.ts";
import {readCommit} from "./commit.ts";
import {hasRunTrailer} from "./message.ts";
import {ownerName, type WorkOwner} from "./target.ts";

type Parked = Extract<Publication, {kind: "parked" | "parked-locally"}>;

const MAX_NAMES = 20;

/** The first of several names. The hidden ref is used if a rule refuses the branch. */
function parkedRef(owner: WorkOwner): HiddenRef {
  return hiddenRef(`parked/${ownerName(owner)}`);
}

/** The parked work of one issue on the server, on branches and hidden refs. `issue-12` does not belong to `issue-1`. */
export async function parkedRefs(options: {
  repository: Repository;
  issue: WorkOwner;
}): Promise<Result<{ref: string; commit: string}[], Failure>> {
  const {repository, issue} = options;
  const {branch, hidden} = parkedRef(issue);
  const remoteRefs = await repository.remoteRefs(branch, hidden);
  if (!remoteRefs.ok) return remoteRefs;
  const suffixOf = (ref: string) => ref.slice((ref.startsWith(branch) ? branch : hidden).length);
  return ok(remoteRefs.value.filter(({ref}) => /^(?:-(?:\d+|[0-9a-f]{40}))?$/.test(suffixOf(ref))));
}

/**
 * True for work that Assay parked for this issue: a commit with Assay's trailer at the tip of one of the issue's parked
 * refs, which need write access. A comment that names the commit proves nothing.
 */
export async function isParkedWork(options: {
  repository: Repository;
  commit: string;
  issue: WorkOwner;
}): Promise<Result<boolean, Failure>> {
  const {repository, commit, issue} = options;
  const refs = await parkedRefs({repository, issue});
  if (!refs.ok) return refs;
  if (!refs.value.some((parked) => parked.commit === commit)) return ok(false);
  const fetchResult = await repository.fetch(commit);
  if (!fetchResult.ok) return fetchResult;
  const object = await readCommit(repository, commit);
  return object.ok ? ok(hasRunTrailer(object.value.message)) : object;
}

/**
 * Parks a commit. An existing ref is never moved: the next free name (`-2`, `-3` …) is used, unless the ref has this
 * commit already. If a rule of the server refuses the branch, a hidden ref is used, to which branch rules do not apply.
 * If no ref of the server reaches the base any more, the saved commit is on a copy of the base. If the server refuses
 * all of this, the commit is kept on a ref of the bot's repository and, if possible, in a bundle file in `folder`;
 * `problem` says why. `publication` is null only if that fails, too.
 */
export async function park(options: {
  repository: Repository;
  commit: string;
  tree: string;
  issue: WorkOwner;
  /** for the bundle, such as the runner's temporary folder */
  folder: string;
  pausesMs?: readonly number[];
  /** true for work that no person asked to see: no branch, only the hidden ref */
  isHidden?: boolean;
}): Promise<{publication: Parked | null; problem: Failure | null}> {
  const {repository, tree} = options;
  let {commit} = options;
  let {ref, pushed} = await pushVisibleOrHidden(options);
  if (pushed.kind === "base-gone") {
    // With the newest files of the default branch here, git sends only the files that the server lacks.
    await repository.fetch("HEAD");
    const copy = await withCopiedBase(repository, commit);
    if (copy.ok) ({ref, pushed} = await pushVisibleOrHidden({...options, commit: copy.value}));
    if (copy.ok && pushed.kind === "pushed") commit = copy.value;
  }
  const problem = pushFailure(ref, pushed);
  if (problem === null) return {publication: {kind: "parked", ref, commit, tree}, problem};
  const local = await keepLocally({...options, as: "parked"});
  if (!local.ok) return {publication: null, problem: {kind: "git-refused", message: local.failure.message}};
  return {publication: {kind: "parked-locally", commit, ...local.value}, problem};
}

interface ParkingPush {
  readonly repository: Repository;
  readonly commit: string;
  readonly pausesMs?: readonly number[];
}

async function pushVisibleOrHidden(
  options: ParkingPush & {issue: WorkOwner; isHidden?: boolean},
): Promise<{ref: string; pushed: Pushed}> {
  const {branch, hidden} = parkedRef(options.issue);
  if (options.isHidden) return pushToFreeName({...options, firstName: hidden});
  const onBranch = await pushToFreeName({...options, firstName: branch});
  const isRefusedByRule = onBranch.pushed.kind === "refused" && isRuleOfServer(onBranch.pushed.message);
  return isRefusedByRule ? pushToFreeName({...options, firstName: hidden}) : onBranch;
}

/**
 * The same commit on a copy of its base that has no parent. Git refuses a commit on a base that no ref of the server
 * reaches, because this repository does not have the base's history. The difference stays the saved change, and the
 * message still names the base.
 */
async function withCopiedBase(repository: Repository, commit: string): Promise<Result<string, Failure>> {
  const object = await readCommit(repository, commit);
  if (!object.ok) return object;
  const {ids, message} = object.value;
  const base = await repository.git(["commit-tree", `${ids.parent}^{tree}`], {input: `Files of ${ids.parent}\n`});
  if (!base.ok) return gitRefused(base.failure);
  const copy = await repository.git(["commit-tree", "-p", base.value.trim(), ids.tree], {input: message});
  return copy.ok ? ok(copy.value.trim()) : gitRefused(copy.failure);
}

async function pushToFreeName(options: ParkingPush & {firstName: string}): Promise<{ref: string; pushed: Pushed}> {
  const {repository, commit, firstName, pausesMs} = options;
  for (let number = 1; ; number++) {
    // After the last number, the name contains the commit's id, so that it is free.
    const suffix = number === 1 ? "" : `-${number > MAX_NAMES ? commit : number}`;
    const ref = `${firstName}${suffix}`;
    const pushResult = await push({repository, commit, ref, expect: null, ...(pausesMs && {pausesMs})});
    if (pushResult.kind !== "lost" || number > MAX_NAMES) return {ref, pushed: pushResult};
  }
}

/**
 * Keeps a commit on a ref, which rarely fails, and in a bundle file, which can be copied. Returns the folder of the
 * work.
 */
export async function keepLocally(options: {
  repository: Repository;
  commit: string;
  issue: WorkOwner;
  folder: string;
  /** why it is not on the server: the server refused it, or it has files that could not be searched for secrets */
  as: "parked" | "unsearched";
}): Promise<Result<{ref: string; folder: string}, GitRefusal>> {
  const {repository, commit, issue, folder, as} = options;
  const ref = `refs/assay/${as}/${ownerName(issue)}`;
  const refUpdate = await repository.git(["update-ref", ref, commit]);
  if (!refUpdate.ok) return refUpdate;
  const hasFolder = await mkdir(folder, {recursive: true}).then(
    () => true,
    () => false,
  );
  const file = join(folder, `assay-${as}-${ownerName(issue)}.bundle`);
  // Without the base, which every clone has, the bundle stays small.
  const isBundled = hasFolder && (await repository.git(["bundle", "create", "--quiet", file, ref, `^${commit}^`])).ok;
  return ok({ref, folder: isBundled ? folder : repository.folder});
}
