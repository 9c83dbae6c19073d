/** The parked work of a thread: finds it by Assay's own comment and moves it onto the current base. */

import {writeWork} from "../agent/workspace.ts";
import {keepCandidate} from "../changes/candidate.ts";
import {merge} from "../git/merge.ts";
import type {Repository} from "../git/repository.ts";
import {readMarker, savedIn} from "../github/marker.ts";
import {readCommit} from "../publish/commit.ts";
import {expireRefs, KEPT_DAYS, TRY_DAYS} from "../publish/expire.ts";
import {readTrailers} from "../publish/message.ts";
import {isParkedWork} from "../publish/park.ts";
import {branchOf} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import {mayBePublished, type UndoneRun} from "../record/record.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {openOwnRepository, type PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";
import {type MergedWork, mergeBase} from "./update-branch.ts";

/** The saved merge has nothing of what was pushed to the branch after it, so the next `/update` merges again. */
const CANNOT_CONTINUE = "the newest saved changes are those of `/update`; comment `/update <hint>` to merge again";

/**
 * Records the parked commit that this run continues with, if the request asks for it. A comment of Assay names the
 * commit; the server must confirm that it is parked work. An unreadable thread or server is a failure.
 */
export async function findParkedWork(run: AdmittedRun): Promise<Result<null, Failure>> {
  const {record, context, event} = run;
  if (!requestRules(run).resumesIn.includes(run.head === null ? "issue" : "pull-request")) return ok(null);
  const {number: issue} = event.thread;
  const newest = await context.github.findComment(issue, (body) => readMarker(body)?.parked !== undefined);
  if (!newest.ok) return newest;
  if (record.current().request?.kind === "continue" && readMarker(newest.value?.body ?? "")?.parked === "merge")
    return refused({kind: "update-refused", message: CANNOT_CONTINUE, paths: []});
  const comment = await context.github.findComment(issue, (body) => savedIn(body) !== null);
  // An unreadable thread may have parked work. Without it, Assay would verify, or build on, the wrong tree.
  if (!comment.ok) return comment;
  const commit = savedIn(comment.value?.body ?? "") ?? "none";
  if (commit === "none") return ok(null);
  const ownRepository = await openOwnRepository(run);
  if (!ownRepository.ok) return ownRepository;
  const isParked = await isParkedWork({repository: ownRepository.value, commit, issue});
  if (!isParked.ok) return isParked;
  if (isParked.value) record.update({resumes: commit});
  else noteMissing(run, `${commit.slice(0, 12)} is not the tip of a branch or ref that Assay saved for #${issue}`);
  return ok(null);
}

/** True if the request is about saved work, and the thread has no saved changes, conversation or branch of Assay. */
export async function lacksSavedWork(run: PreparedRun): Promise<boolean> {
  const {record, context, event, target} = run;
  const {approves, task, resumesIn} = requestRules(run);
  if (record.current().resumes !== undefined || resumesIn.length === 0) return false;
  if (task === null) return approves !== null;
  if (target.expect !== null && branchOf(target.ref).startsWith("assay/")) return false;
  const session = await context.github.findComment(event.thread.number, (body) => Boolean(readMarker(body)?.session));
  return session.ok && session.value === null;
}

/** The parked work, or the branch to update, on the base of this run. Null if there is none; if it has disappeared, a note is added. */
export async function applyParkedWork(run: PreparedRun): Promise<Result<MergedWork | null, Failure>> {
  const {repository} = run;
  if (requestRules(run).isUpdate) return mergeBase(run);
  const commit = run.record.current().resumes;
  if (commit === undefined) return ok(null);
  const parkedIds = await fetchWithBase(repository, commit);
  if (!parkedIds.ok) {
    run.record.update({resumes: undefined});
    noteMissing(run, `${commit.slice(0, 12)} is no longer on the server`);
    return ok(null);
  }
  const {tree, base, undoes} = parkedIds.value;
  if (undoes !== null) run.record.update({undoes});
  const onto = run.base.commit;
  if (base === onto) return ok({candidate: {commit, tree, base}, conflicts: []});
  const merged = await merge({repository, base, theirs: onto, ours: tree});
  if (!merged.ok) return merged;
  const mergedCommit = await keepCandidate({repository, base: onto, tree: merged.value.tree});
  const {conflicts} = merged.value;
  return mergedCommit.ok
    ? ok({candidate: {commit: mergedCommit.value, tree: merged.value.tree, base: onto}, conflicts})
    : mergedCommit;
}

function noteMissing({record}: AdmittedRun, why: string): void {
  record.addNotes([{about: "saved work", text: `${why}, so this run began without it`}]);
}

/**
 * True if the run publishes or parks its work. `/verify` publishes parked work that passes; `/verify NAME` only
 * reports.
 */
export function deliversWork(run: AdmittedRun): boolean {
  const {task, only, approves, isUndo, isUpdate} = requestRules(run);
  const record = run.record.current();
  // An approval covers edits of the checks, but not failures that the base has, too.
  if (approves !== null && record.verdict.kind !== "verified") return false;
  return (
    task !== null || isUndo || isUpdate || (only.length === 0 && record.resumes !== undefined && mayBePublished(record))
  );
}

/** Puts the parked work, or the given one, into the agent's folder as uncommitted changes to the base. */
export async function checkOutParkedWork(
  run: PreparedRun,
  work: MergedWork | null,
): Promise<Result<MergedWork | null, Failure>> {
  const {repository, base} = run;
  const parkedWork = work === null ? await applyParkedWork(run) : ok(work);
  if (!parkedWork.ok || parkedWork.value === null) return parkedWork;
  const {tree} = parkedWork.value.candidate;
  const checkout = await writeWork({repository, folder: run.context.runner.workspace, base: base.commit, tree});
  return checkout.ok ? parkedWork : checkout;
}

/** Deletes and notes expired parked work and conversations. A later run repeats a failed attempt. */
export async function removeOldRefs(run: AdmittedRun): Promise<void> {
  const {record, context} = run;
  const ownRepository = context.signal.aborted ? null : await openOwnRepository(run);
  if (!ownRepository?.ok) return;
  const repository = ownRepository.value;
  const spare = record.current().resumes ?? null;
  const botEmail = context.inputs["bot-email"];
  const isInUse = async (branch: string) => {
    const pull = await context.github.pullRequestOf(branch);
    return !pull.ok || pull.value !== null;
  };
  const expiry = await expireRefs({repository, botEmail, now: new Date(context.now()), spare, isInUse});
  if (!expiry.ok) return context.log("Old saved work could not be checked; the next run tries again.");
  const {parked, tries, sessions} = expiry.value;
  const savedText = (days: number) => `was saved more than ${days} days ago and has been deleted`;
  const sessionText = `was deleted: it held a conversation older than ${KEPT_DAYS} days, or one without encryption`;
  record.addNotes([
    ...parked.map((ref) => ({about: branchOf(ref), text: savedText(KEPT_DAYS)})),
    ...tries.map((ref) => ({about: ref, text: savedText(TRY_DAYS)})),
    ...sessions.map((ref) => ({about: branchOf(ref), text: sessionText})),
  ]);
}

/** Parked work is one commit on its base. */
async function fetchWithBase(
  repository: Repository,
  commit: string,
): Promise<Result<{tree: string; base: string; undoes: UndoneRun | null}, Failure>> {
  const revision = await repository.fetch(commit);
  if (!revision.ok) return revision;
  const object = await readCommit(repository, commit);
  if (!object.ok) return object;
  const {tree, parent} = object.value.ids;
  if (parent === "" || parent.includes(" ")) {
    return refused({kind: "git-refused", message: "it is not one commit on a base"});
  }
  const parentRevision = await repository.fetch(parent);
  if (!parentRevision.ok) return parentRevision;
  return ok({tree, base: parent, undoes: await lookUpUndoneRun(repository, object.value.message)});
}

/** The commit that the saved work undoes; null for other work, and if that commit is no longer on the server. */
async function lookUpUndoneRun(repository: Repository, message: string): Promise<UndoneRun | null> {
  const commit = readTrailers(message)?.undoes ?? null;
  const revision = commit === null ? null : await repository.fetch(commit);
  const object = commit !== null && revision?.ok ? await readCommit(repository, commit) : null;
  if (commit === null || !object?.ok) return null;
  const [subject = ""] = object.value.message.split("\n", 1);
  return {commit, parent: object.value.ids.parent, subject};
}
