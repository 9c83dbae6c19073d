/** Keeps work that is not proposed: on a branch or a hidden ref of the server, or else on this machine, so that nothing is lost (P8). */
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {GitRefusal} from "../git/git.ts";
import {type HiddenRef, hiddenRef} from "../git/hidden-ref.ts";
import {type Pushed, push, pushFailure} from "../git/push.ts";
import {isRuleOfServer} from "../git/push-refusal.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Publication} from "../record/record.ts";
import {ok, type Result} from "../record/words.ts";
import {readCommit} from "./commit.ts";
import {namesRun} from "./message.ts";

type Parked = Extract<Publication, {kind: "parked" | "parked-locally"}>;

const MAX_NAMES = 20;

/** Where work on an issue is parked: on the branch, which people find, or hidden where a rule refuses that. The first of several names. */
export function parkedRef(issue: number): HiddenRef {
  return hiddenRef(`parked/issue-${issue}`);
}

/** The parked work of one issue as the server has it, in both places: `issue-1` is not the beginning of `issue-12` here. */
export async function parkedRefs(o: {
  repository: Repository;
  issue: number;
}): Promise<Result<{ref: string; commit: string}[], Failure>> {
  const {branch, hidden} = parkedRef(o.issue);
  const listed = await o.repository.remoteRefs(branch, hidden);
  if (!listed.ok) return listed;
  const suffixOf = (ref: string) => ref.slice((ref.startsWith(branch) ? branch : hidden).length);
  return ok(listed.value.filter(({ref}) => /^(?:-(?:\d+|[0-9a-f]{40}))?$/.test(suffixOf(ref))));
}

/**
 * Whether a commit is work that Assay parked for this issue: the tip of one of its parked refs, where only people with write
 * access can put anything, with Assay's trailer. That a comment names the commit is no reason to believe it.
 */
export async function isParkedWork(o: {
  repository: Repository;
  commit: string;
  issue: number;
}): Promise<Result<boolean, Failure>> {
  const {repository, commit} = o;
  const refs = await parkedRefs(o);
  if (!refs.ok) return refs;
  if (!refs.value.some((one) => one.commit === commit)) return ok(false);
  const fetched = await repository.fetch(commit);
  if (!fetched.ok) return fetched;
  const read = await readCommit(repository, commit);
  return read.ok ? ok(namesRun(read.value.message)) : read;
}

/**
 * Parks a commit. A ref that is there is never moved: the next free name (`-2`, `-3` …) is taken, unless it already has this
 * commit. A branch that a rule of the server refuses becomes a hidden ref, which rules for branches do not reach. When the
 * server takes none, the commit stays on a ref of the bot's repository and, where possible, in a bundle file in `folder`, and
 * `problem` says why. `publication` is null only when even that failed.
 */
export async function park(o: {
  repository: Repository;
  commit: string;
  tree: string;
  issue: number;
  /** where the bundle goes, such as the runner's temporary folder */
  folder: string;
  pausesMs?: readonly number[];
}): Promise<{publication: Parked | null; problem: Failure | null}> {
  const {commit, tree} = o;
  const {branch, hidden} = parkedRef(o.issue);
  let at = await pushToFreeName({...o, first: branch});
  if (at.pushed.kind === "refused" && isRuleOfServer(at.pushed.message))
    at = await pushToFreeName({...o, first: hidden});
  const problem = pushFailure(at.ref, at.pushed);
  if (problem === null) return {publication: {kind: "parked", ref: at.ref, commit, tree}, problem};
  const kept = await keepLocally({...o, as: "parked"});
  if (!kept.ok) return {publication: null, problem: {kind: "git-refused", message: kept.failure.message}};
  return {publication: {kind: "parked-locally", commit, ...kept.value}, problem};
}

async function pushToFreeName(o: {
  repository: Repository;
  commit: string;
  first: string;
  pausesMs?: readonly number[];
}): Promise<{ref: string; pushed: Pushed}> {
  const {repository, commit, first, pausesMs} = o;
  for (let number = 1; ; number++) {
    const ref = nameOf({first, number, commit});
    const pushed = await push({repository, commit, ref, expect: null, ...(pausesMs && {pausesMs})});
    if (pushed.kind !== "lost" || number > MAX_NAMES) return {ref, pushed};
  }
}

/** Numbers are for people. When they are used up the commit's own id is: nobody else has that name, and nothing stays behind. */
function nameOf({first, number, commit}: {first: string; number: number; commit: string}): string {
  if (number === 1) return first;
  return number > MAX_NAMES ? `${first}-${commit}` : `${first}-${number}`;
}

/** A ref first, for that hardly fails; then a file that can be carried away. Gives the folder where the work is found. */
export async function keepLocally(o: {
  repository: Repository;
  commit: string;
  issue: number;
  folder: string;
  /** why it is not on the server: the server took nothing, or it holds what could not be searched */
  as: "parked" | "unsearched";
}): Promise<Result<{ref: string; folder: string}, GitRefusal>> {
  const {git} = o.repository;
  const ref = `refs/assay/${o.as}/issue-${o.issue}`;
  const kept = await git(["update-ref", ref, o.commit]);
  if (!kept.ok) return kept;
  const isThere = await mkdir(o.folder, {recursive: true}).then(
    () => true,
    () => false,
  );
  const file = join(o.folder, `assay-${o.as}-issue-${o.issue}.bundle`);
  // The base is left out of the bundle: whoever opens it has that commit, and the bundle stays small.
  const isBundled = isThere && (await git(["bundle", "create", "--quiet", file, ref, `^${o.commit}^`])).ok;
  return ok({ref, folder: isBundled ? o.folder : o.repository.folder});
}
