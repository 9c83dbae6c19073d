/** Handles `/update`: merges the base branch into a branch of Assay, as one commit with both as parents. */
import {keepCandidate} from "../changes/candidate.ts";
import {gitRefused} from "../git/git.ts";
import {commonAncestor, fetchHistory} from "../git/history.ts";
import {type Merged, merge} from "../git/merge.ts";
import type {Repository} from "../git/repository.ts";
import {levelsOf, steersAgents} from "../publish/protected-paths.ts";
import {branchOf} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import {type Candidate, type Change, changedPaths, type Verdict} from "../record/verification.ts";
import {listSome, ok, type Result, refused} from "../record/words.ts";
import {short} from "../report/format.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {MEMORY_BRANCH} from "./propose-memory.ts";
import {requestRules} from "./request-rules.ts";

/** At most this many commits of both branches are searched for their common ancestor. */
const MAX_COMMITS = 250;
/** An agent solves conflicts in at most this many files. */
const MAX_CONFLICTS = 50;
const MAX_NAMED = 20;

/** Work of an earlier run, or of a branch, on the base of this run: a new tree, not yet verified (P5). */
export interface MergedWork {
  readonly candidate: Candidate;
  /** files with git's conflict markers */
  readonly conflicts: readonly string[];
  /** for `/update`: the branches whose versions are above and below `=======` in those files */
  readonly sides?: {readonly above: string; readonly below: string};
}

/**
 * Records the files that the agent has to merge, or refuses; false if the branch is up to date. In separate jobs the
 * job `admit` decides this, because another job would start the agent.
 */
export async function findConflicts(run: PreparedRun): Promise<Result<boolean, Failure>> {
  const {target, repository, base, config, context, record} = run;
  const branch = branchOf(target.ref);
  if (target.expect === null) return refuse("Assay has no open pull request for this issue");
  if (!branch.startsWith("assay/")) return refuse(`${branch} is not a branch of Assay`);
  if (target.ref === MEMORY_BRANCH) return refuse(`no check reads the files of ${branch}`);
  if (context.inputs["sign-commits"]) return refuse("GitHub's API signs no commit with two parents (`sign-commits`)");
  const merged = await mergeBase(run);
  if (!merged.ok) return merged;
  if (merged.value === null) return ok(false);
  const {candidate, conflicts} = merged.value;
  const changes = await repository.changes(base.commit, candidate.commit);
  if (!changes.ok) return changes;
  if (changes.value.length === 0) return refuse(`all changes of ${branch} are already in its base branch`);
  if (conflicts.length > MAX_CONFLICTS) return refuse(`${conflicts.length} files are in conflict`, conflicts);
  const marked = await findMarkers(repository, {commit: candidate.commit, files: conflicts});
  if (!marked.ok) return marked;
  const unmarked = conflicts.filter((path) => !marked.value.includes(path));
  if (unmarked.length > 0)
    return refuse("a binary, deleted or renamed file is in conflict, which a person has to merge", unmarked);
  // In the agent's folder these files are those of the base branch, so the branch's version would be lost.
  const levelOf = levelsOf(config.protectedPaths);
  const isKept = (path: string) => steersAgents(path) || ["blocked", "set-aside"].includes(levelOf(path));
  const keptPaths = conflicts.length === 0 ? [] : changedPaths(changes.value).filter(isKept);
  if (keptPaths.length > 0) {
    const message = `${branch} changes protected files, and there are conflicts in ${listSome(conflicts, MAX_NAMED)}`;
    return refuse(message, keptPaths);
  }
  const {request} = record.current();
  if (request?.kind === "update") record.update({request: {...request, conflicts: [...conflicts]}});
  return ok(true);
}

/**
 * The change of the branch on the newest commit of its base branch: a new tree, so it is verified (P5). The base of this
 * candidate is that commit, so that the commits of others are not charged to the change. Null if the branch has it.
 */
export async function mergeBase(run: PreparedRun): Promise<Result<MergedWork | null, Failure>> {
  const {repository, target, base} = run;
  const merged = await mergeTree(run);
  if (!merged.ok || merged.value === null) return merged.ok ? ok(null) : merged;
  const {tree, conflicts} = merged.value;
  const commit = await keepCandidate({repository, base: base.commit, tree});
  if (!commit.ok) return commit;
  const nameOf = (ref: string, id: string) => `${branchOf(ref)} (${short(id)})`;
  const sides = {above: nameOf(target.ref, target.expect ?? ""), below: nameOf(target.base.ref, base.commit)};
  return ok({candidate: {commit: commit.value, tree, base: base.commit}, conflicts, sides});
}

async function mergeTree({repository, target, base, context}: PreparedRun): Promise<Result<Merged | null, Failure>> {
  const head = target.expect;
  if (head === null) return refuse("the branch is gone");
  const commits = [head, base.commit];
  const history = await fetchHistory({repository, commits, depth: MAX_COMMITS, signal: context.signal});
  if (!history.ok) return history;
  const fork = await commonAncestor(repository, head, base.commit);
  if (fork === base.commit) return ok(null);
  if (fork === null) return refuse(`the newest ${MAX_COMMITS} commits of both branches have none in common`);
  return merge({repository, base: fork, theirs: head, ours: base.commit});
}

/** The first parent of the commit to push, if it merges; else null. */
export const mergesInto = (run: PreparedRun): string | null => (requestRules(run).isUpdate ? run.target.expect : null);

/** The changes that are not in the branch already. Only those are judged before the push. */
export async function newChanges(
  run: PreparedRun,
  {candidate, changes}: {candidate: Candidate; changes: readonly Change[]},
): Promise<Result<readonly Change[], Failure>> {
  const head = mergesInto(run);
  if (head === null) return ok(changes);
  // The job that publishes has not merged by itself.
  const branch = await run.repository.fetch(head, {signal: run.context.signal});
  const entries = branch.ok ? await run.repository.rawChanges(head, candidate.tree) : branch;
  if (!entries.ok) return entries;
  const paths = new Set(entries.value.map(({path}) => path));
  return ok(changes.filter((change) => changedPaths([change]).some((path) => paths.has(path))));
}

/** The verdict on files that still have conflict markers, or have lost the branch's changes; null if none has. */
export async function settledByConflicts(
  run: PreparedRun,
  work: {commit: string; files: readonly string[]},
): Promise<Result<Verdict | null, Failure>> {
  const marked = await findMarkers(run.repository, work);
  if (!marked.ok) return marked;
  const isMarked = marked.value.length > 0;
  const found = isMarked ? marked : await findLost(run, work);
  if (!found.ok || found.value.length === 0) return found.ok ? ok(null) : found;
  const what = isMarked ? "git's conflict markers are still in" : "files without a conflict lost the branch's changes:";
  return ok({kind: "unverified", why: "gate-error", detail: `${what} ${listSome(found.value, MAX_NAMED)}`});
}

/** The files without a conflict that are those of the base branch again, although the branch has changed them. */
async function findLost(
  run: PreparedRun,
  {commit, files}: {commit: string; files: readonly string[]},
): Promise<Result<readonly string[], Failure>> {
  const {repository, base} = run;
  const merged = requestRules(run).isUpdate && files.length > 0 ? await mergeTree(run) : ok(null);
  if (!merged.ok || merged.value === null) return merged.ok ? ok([]) : merged;
  const ofBranch = await repository.rawChanges(base.commit, merged.value.tree);
  const ofWork = ofBranch.ok ? await repository.rawChanges(base.commit, commit) : ofBranch;
  if (!ofBranch.ok) return ofBranch;
  if (!ofWork.ok) return ofWork;
  const kept = new Set([...files, ...ofWork.value.map(({path}) => path)]);
  return ok(ofBranch.value.flatMap(({path}) => (kept.has(path) ? [] : [path])));
}

/** The files that have conflict markers. The attribute `conflict-marker-size` can make them longer. */
async function findMarkers(
  {git}: Repository,
  {commit, files}: {commit: string; files: readonly string[]},
): Promise<Result<readonly string[], Failure>> {
  if (files.length === 0) return ok([]);
  const pattern = "^(<{7,}|>{7,}) ";
  const grep = await git(["--literal-pathspecs", "grep", "-l", "-z", "-E", "-e", pattern, commit, "--", ...files]);
  // 1 means that no file has a marker
  if (!grep.ok) return grep.failure.code === 1 ? ok([]) : gitRefused(grep.failure);
  return ok(grep.value.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf(":") + 1)])));
}

const refuse = (message: string, paths: readonly string[] = []): Result<never, Failure> =>
  refused({kind: "update-refused", message, paths: paths.slice(0, MAX_NAMED)});
