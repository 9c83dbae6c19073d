/** Parks work that is not published. */
import {idsOf, isOfCandidate, makeCommit} from "../publish/commit.ts";
import {park} from "../publish/park.ts";
import {branchOf} from "../publish/target.ts";
import {mayBePublished, type Publication} from "../record/record.ts";
import type {Candidate} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import {describeChange} from "../report/description.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";
import {type SearchedWork, withoutSecrets} from "./publish-checks.ts";
import {requestRules} from "./request-rules.ts";

/** Parks a candidate without its files with secrets. If that fails, the report has the failure. */
export async function parkCandidate(
  run: AdmittedRun,
  work: SearchedWork & {
    /** finds the place where a crashed run already parked the candidate; null: nowhere */
    findParked?: (candidate: Candidate) => Promise<Publication | null>;
  },
): Promise<Publication> {
  const {repository} = work;
  if (await isParkedAlready(run, work)) return {kind: "none"};
  const candidate = await withoutSecrets(run, work);
  if (candidate === null) return {kind: "none"};
  const earlierPlace = (await work.findParked?.(candidate)) ?? null;
  if (earlierPlace !== null) return earlierPlace;
  const finalCommit = await makeCommit({repository, candidate, facts: commitFacts(run)});
  const commit = finalCommit.ok ? finalCommit.value.commit : candidate.commit;
  // A cancelled run has only seconds left, so it does not retry.
  const pausesMs = run.context.signal.aborted ? {pausesMs: []} : {};
  const {tree} = candidate;
  const parkResult = await park({
    repository,
    commit,
    tree,
    issue: workOwner(run.event),
    folder: run.folder,
    ...pausesMs,
  });
  if (parkResult.problem !== null) run.record.addFailure(parkResult.problem);
  const {publication} = parkResult;
  if (publication?.kind === "parked" && publication.commit !== commit) noteCopiedBase(run, candidate);
  return publication ?? {kind: "none"};
}

/** Names the files that a rewritten branch has removed: a person may want to delete the saved branch, too. */
function noteCopiedBase({record}: AdmittedRun, {base}: Candidate): void {
  const text = `no branch of the server contains ${base.slice(0, 12)} any more, where this run started, because one was force-pushed or deleted; the changes are saved on a copy of its files, also of files that were removed since`;
  record.addNotes([{about: "saved changes", text}]);
}

/** True for `/verify` of parked work: if it still does not pass, its ref stays unchanged. */
async function isParkedAlready(run: AdmittedRun, {repository, candidate}: SearchedWork): Promise<boolean> {
  const {resumes} = run.record.current();
  if (requestRules(run).task !== null || resumes === undefined) return false;
  const parkedIds = await idsOf(repository, resumes);
  return parkedIds.ok && isOfCandidate(parkedIds.value, candidate);
}

/**
 * The commit's message contains "verified" only if the run is: documents that no stage reads are published without that
 * word.
 */
export function commitFacts(admitted: AdmittedRun) {
  const {record, event, context} = admitted;
  const {run, verdict, undoes, attempts, proposal, rules} = record.current();
  const {isUpdate, title: wanted} = requestRules(admitted);
  const described = proposal === undefined && !isUpdate ? describeChange(attempts)?.title : null;
  const done = isUpdate ? `Merge branch "${branchOf(rules?.ref ?? "")}"` : `Undo "${undoes?.subject}"`;
  const title = isUpdate || undoes !== undefined ? done : event.thread.title;
  return {
    request: context.redact(described ?? wanted ?? title),
    issue: event.thread.number || null,
    run: run.id,
    verified: isVerified(verdict) && mayBePublished(record.current()),
    approvedBy: record.current().approval?.by ?? null,
    undoes: undoes?.commit ?? null,
    // On a person's machine, no account is known.
    requester: context.clone === null ? event.author : null,
  };
}
