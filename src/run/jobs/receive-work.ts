/** Receives the work in the publishing job, which runs no code and trusts only facts that it reads itself. */
import {isSessionOf} from "../../agent/store.ts";
import {examineCandidate, keepCandidate} from "../../changes/candidate.ts";
import {
  type HandoverPart,
  hasRecord,
  unpackRecord,
  unpackSession,
  unpackVerdict,
  unpackWork,
} from "../../handover/bundle.ts";
import {decodeOutput} from "../../handover/encode-output.ts";
import {verifyHandover} from "../../handover/verify-handover.ts";
import type {Attempt} from "../../record/attempt.ts";
import type {Failure} from "../../record/failure.ts";
import type {Note} from "../../record/plan.ts";
import type {SetupProposal} from "../../record/proposal.ts";
import {mayBePublished, type RunRecord} from "../../record/record.ts";
import type {Try} from "../../record/tries.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {budgetNotes} from "../budget.ts";
import {chooseTry} from "../choose-try.ts";
import {applyParkedWork} from "../parked-work.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import {proposalCandidate} from "../requests/setup.ts";
import {undoneCandidate} from "../requests/undo.ts";
import type {FailedWork} from "../requests/work.ts";
import {mayHaveLostTurns} from "../reserve-spending.ts";
import {noteUnsaved, openConversation, saveRunSession} from "../saved-session.ts";
import {describeTry, triesWithMachine} from "../tries.ts";
import {withJobOpinion} from "./job-opinion.ts";
import {bundleFolder} from "./resume-job.ts";

/**
 * Joins the results of the earlier jobs, as far as they can be trusted; of one try if each has a machine, or of the
 * second set of these jobs.
 */
export async function joinWork(run: PreparedRun, {number = 0, set = 1}: {number?: number; set?: number} = {}) {
  const {inputs} = run.context;
  const folder = bundleFolder(run.context, "work", {number, set});
  const work = (await hasRecord(folder)) ? await unpackRecord(folder) : null;
  const {record, repository, base} = run;
  const bundle =
    requestRules(run).task === null
      ? await workWithoutAgent(run)
      : await unpackWork({folder, repository, base: base.commit, number: number || set});
  const digests =
    set > 1 ? [inputs["second-digest"]] : number === 0 ? inputs.digest : [inputs["try-digests"][number - 1] ?? ""];
  const verification = await unpackVerdict({
    digests: digests.map(decodeOutput),
    folderOf: (machine) => bundleFolder(run.context, machine === null ? "verify" : `verify-${machine}`, {number, set}),
    plan: run.wholePlan,
    divided: run.divided,
  });
  const check = verifyHandover({mine: record.current(), work, own: verification, handed: bundle});
  const {proposal, heldOut, tries} = verification?.ok ? verification.value : {};
  return {check, work, bundle, proposal, heldOut, tries};
}

/** The work that counts: that of the second set of jobs, unless that was not needed or is lost. */
export async function joinNewestWork(run: PreparedRun) {
  const isNeeded = run.context.inputs["second-digest"] !== "";
  const second = isNeeded ? await joinWork(run, {set: 2}) : null;
  const isRefused = second?.check.failures.some(({kind}) => kind === "handover-refused");
  // Without an attempt, it has not even received the work before it.
  const hasAttempt = second !== null && second.check.attempts.length > 0;
  if (hasAttempt && second.work?.ok && second.bundle.ok && !isRefused) return {...second, set: 2};
  const first = await joinWork(run);
  if (!isNeeded) return {...first, set: 1};
  const {attempts, notes} = first.check;
  const check = {...first.check, attempts: attempts.map(withUnknownCost), notes: [...notes, LOST]};
  return {...first, check, set: 1};
}

/** In the second set of jobs: the work of the first one, and the failures that its verifying job has seen. */
export async function receiveFailedWork(run: PreparedRun): Promise<Result<FailedWork, Failure>> {
  const {record, context, event} = run;
  const {check, work, bundle} = await joinWork(run);
  const {attempts, verdict, failures, notes} = check;
  const [problem] = failures;
  if (problem !== undefined) return refused(problem);
  if (verdict.kind !== "failed" || !work?.ok || !bundle.ok || bundle.value === null)
    return refused({kind: "handover-refused", problems: ["the verifying job reported no failure"]});
  const {heldOut, session} = work.value;
  record.update({attempts, verdict, session, ...(heldOut && {heldOut})});
  record.addNotes(notes);
  const document = await unpackSession(bundleFolder(context, "work", {set: 1}));
  const isSaved = document !== "" && run.config.sessions !== "off";
  const conversation = isSaved ? openConversation(run, {document: ok(document), issue: event.thread.number}) : null;
  return ok({attempts, candidate: bundle.value.candidate, conversation});
}

/** The lost turns of the second set have cost something, too. */
const withUnknownCost = (attempt: Attempt): Attempt => {
  const {turn} = attempt;
  return turn === null ? attempt : {...attempt, turn: {...turn, usage: {...turn.usage, hasUnknownCost: true}}};
};

const LOST: Note = {
  about: "verification",
  text: "The second set of jobs, which was to fix the failures, left no result. This is the work before it.",
};

/** Adds the results of the earlier jobs to the record. Of several tries with a machine each, this job chooses one. */
export async function receiveWork(run: PreparedRun): Promise<Pick<RunRecord, "attempts" | "verdict">> {
  const {record, context} = run;
  if (context.inputs["try-digests"].length === 0) return receiveOne(run);
  const {failures, notes, session} = record.current();
  const tries: {row: Try; results: Partial<RunRecord>}[] = [];
  for (const number of triesWithMachine(run)) {
    record.update({failures, notes, session, setAside: undefined});
    const {attempts, verdict, claimed, measured} = await receiveOne(run, number);
    const {durationMs = 0} = claimed?.rows[0] ?? {};
    const {foreignFailed, failsTestsOf, executed, noticed} = measured?.rows[0] ?? {};
    const current = record.current();
    const hasSecret = current.failures.some(({kind}) => kind === "secret-in-change");
    const described = await describeTry(run, {number, durationMs});
    const row = {
      ...described,
      foreignFailed,
      failsTestsOf,
      executed,
      noticed,
      ...(hasSecret && {unsaved: "secret" as const}),
      ...(mayHaveLostTurns(current) && {usage: {...described.usage, hasUnknownCost: true}}),
    };
    const {setAside} = current;
    const others = {failures: current.failures, notes: current.notes, session: current.session};
    tries.push({row, results: {attempts, verdict, setAside, ...others}});
  }
  const rows = tries.map(({row}) => row);
  const choice = chooseTry(rows);
  const {results} = tries.find(({row}) => row.number === choice.chosen) ?? {};
  record.update({...results, tries: {mode: "best", ...choice, rows}});
  await saveSessionOfWork(run, {number: choice.chosen});
  const {attempts, verdict} = record.current();
  return {attempts, verdict};
}

async function receiveOne(run: PreparedRun, number = 0) {
  const {record} = run;
  const joined = number === 0 ? await joinNewestWork(run) : {...(await joinWork(run, {number})), set: 1};
  const {check, work, proposal, heldOut, tries, set} = joined;
  const {verdict, failures, notes} = check;
  const {task, isReview, isSetup} = requestRules(run);
  const isJudged = (task !== null && !isSetup) || isReview;
  const attempts = isJudged ? withJobOpinion(run, check.attempts, run.context.inputs.opinion) : check.attempts;
  const ownRecord = record.current();
  if (work?.ok && work.value.setAside) record.update({setAside: work.value.setAside});
  const tests = heldOut ?? (work?.ok ? work.value.heldOut : undefined);
  if (tests !== undefined) record.update({heldOut: tests});
  const claimed = work?.ok ? work.value.tries : undefined;
  if (number === 0 && claimed) record.update({tries: claimed});
  // Two jobs that search for the same parked work write the same notes.
  const newNotes = notes.filter(({text}) => !ownRecord.notes.some((note) => note.text === text));
  record.update({
    attempts,
    verdict,
    failures: [...ownRecord.failures, ...failures],
    notes: [...ownRecord.notes, ...newNotes, ...budgetNotes(run.config.budget, attempts)],
  });
  if (work?.ok && work.value.session?.resumed) record.update({session: work.value.session});
  if (task !== null && number === 0) await saveSessionOfWork(run, {set});
  if (isSetup && proposal !== undefined) await receiveProposal(run, proposal);
  return {attempts: record.current().attempts, verdict, claimed, measured: tries};
}

/** Replaces the agent's work by the commit that only adds the kept entries, which this job makes itself. */
async function receiveProposal(run: PreparedRun, proposal: SetupProposal): Promise<void> {
  const {record} = run;
  record.update({proposal});
  const {attempts} = record.current();
  const attempt = attempts.at(-1);
  const hasKept = proposal.rows.some(({isKept}) => isKept);
  if (!hasKept || !attempt?.candidate || !mayBePublished(record.current())) return;
  const final = await proposalCandidate(run, {candidate: attempt.candidate, changes: attempt.changes}, proposal);
  if (!final.ok) return record.addFailure(final.failure);
  const {candidate, changes} = final.value;
  const problems = ["the job that proved the proposal has other files"];
  if (candidate.tree !== proposal.tree) return record.addFailure({kind: "handover-refused", problems});
  record.update({attempts: [...attempts.slice(0, -1), {...attempt, candidate, changes: [...changes]}]});
}

/** The change of `/undo`, or parked work, as this job itself computes it; null if the head was verified. */
function workWithoutAgent(run: PreparedRun): Promise<Result<HandoverPart | null, Failure>> {
  return requestRules(run).isUndo ? undoneCandidate(run) : parkedWork(run);
}

/** The parked work of `/verify` on an issue, moved onto the base by this job itself; null if there is none. */
async function parkedWork(run: PreparedRun): Promise<Result<HandoverPart | null, Failure>> {
  const parkedCandidate = await applyParkedWork(run);
  if (!parkedCandidate.ok || parkedCandidate.value === null) return parkedCandidate.ok ? ok(null) : parkedCandidate;
  const {repository} = run;
  const {commit, tree, base} = parkedCandidate.value.candidate;
  // A commit that was fetched without its history seems to have no parent, so a copy is examined.
  const copy = await keepCandidate({repository, base, tree});
  if (!copy.ok) return copy;
  const examined = await examineCandidate({repository, base, commit: copy.value});
  if (!examined.ok) return examined;
  const {candidate, changes} = examined.value;
  // GitHub's check belongs on this commit, not on the copy: the parked one, unless that was moved onto a newer base.
  return ok({candidate: {...candidate, commit}, changes});
}

/** Saves the encrypted conversation, which this job cannot read. It alone decides which commit contains it. */
async function saveSessionOfWork(run: PreparedRun, place: {number?: number; set?: number}): Promise<void> {
  const document = await unpackSession(bundleFolder(run.context, "work", place));
  if (document === "" || run.config.sessions === "off") return;
  const {repository, thread} = run.event;
  if (!isSessionOf(document, {repository: repository.fullName, issue: thread.number, run: run.marker.run}))
    return noteUnsaved(run, "the agent's job did not hand it over encrypted, for this run");
  await saveRunSession(run, document);
}
