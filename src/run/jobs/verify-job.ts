/** The verifying job: a clean machine without agent, model key or token that writes. Its verdict is the final one. */

import {writeOutputs} from "../../github/runner.ts";
import {packBundle, unpackRecord, unpackWork} from "../../handover/bundle.ts";
import {encodeOutput} from "../../handover/encode-output.ts";
import {hasNoOwnStage} from "../../handover/shards.ts";
import {type ComparedTry, foreignTests} from "../../proof/cross-check.ts";
import {type Attempt, keptAttempt} from "../../record/attempt.ts";
import {isVerified} from "../../record/words.ts";
import {redactRecord} from "../../secrets/redact-record.ts";
import {costOf} from "../budget.ts";
import {catchBug, recordFailure} from "../catch-bug.ts";
import {type PreparedRun, prepareRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import {proveProposal} from "../requests/setup.ts";
import {verifyOnce} from "../requests/verify.ts";
import {verifyWithoutAgent} from "../requests/without-agent.ts";
import type {RunContext} from "../run-context.ts";
import {settledWithoutStages} from "../settled-without-stages.ts";
import {compareTry, triesWithMachine} from "../tries.ts";
import {settledByConflicts} from "../update-branch.ts";
import type {Verifier} from "../verifier.ts";
import {mayBeVerified} from "./hand-over-work.ts";
import {failedJob, type JobResult, resultOfJob} from "./job-result.ts";
import {bundleFolder, resumeJob} from "./resume-job.ts";

/**
 * Verifies the work of the agent's job, or the head for `/verify`, and writes the digest of its record as an output.
 */
export async function verifyJob(context: RunContext): Promise<JobResult> {
  const resumed = resumeJob(context);
  if (!resumed.ok) return failedJob(resumed.failure);
  const run = resumed.value;
  const {record} = run;
  if (context.inputs.try > 0) {
    const work = await unpackRecord(workFolder(context));
    if (!work.ok || !mayBeVerified(work.value)) return {isGreen: true, why: "This try has nothing to verify."};
  }
  let goesBack = false;
  await catchBug(run, async () => {
    const prepared = await prepareRun(run);
    if (!prepared.ok) return recordFailure(run, prepared.failure);
    const hasNoAgent = requestRules(run).task === null;
    const checked = await (hasNoAgent ? verifyWithoutAgent : verifyWork)(prepared.value);
    await checked?.close();
    goesBack = await mayGoBack(prepared.value);
  });
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const attempts = closed.attempts.map((one) => ({
    ...one,
    verification: one.verification && {...one.verification, job: "own" as const},
  }));
  const folder = bundleFolder(context, "verify");
  const bundle = await packBundle({folder, record: {...closed, attempts}, session: "", work: null});
  if (!bundle.ok) return failedJob(bundle.failure);
  const tree = closed.attempts.at(-1)?.candidate?.tree ?? "";
  const next = goesBack ? "work" : "publish";
  writeOutputs({digest: encodeOutput(bundle.value.digest), verdict: closed.verdict.kind, tree, next});
  if (goesBack) return {isGreen: true, why: "The failures go back to the agent, in a second set of jobs."};
  // With several machines, one may have no stage for the change. The publishing job decides from all results.
  const isNoNews = context.inputs.shard.of > 1 && closed.failures.length === 0 && hasNoOwnStage(closed.verdict);
  if (context.inputs.try > 0) return {isGreen: true, why: ""};
  if (isNoNews) return {isGreen: true, why: "No check of this machine's share concerns the change."};
  return resultOfJob(closed);
}

/** True if a second set of jobs takes the failures back to the agent, which can fix them and has turns left. */
async function mayGoBack({context, record, config}: PreparedRun): Promise<boolean> {
  const {set} = context.inputs;
  const {verdict, failures, request} = record.current();
  const isWork = request?.kind === "work" || request?.kind === "continue" || request?.kind === "ci";
  if (set.number === set.of || context.inputs.try > 0 || !isWork || verdict.kind !== "failed" || failures.length > 0)
    return false;
  const work = await unpackRecord(workFolder(context));
  if (!work.ok || work.value.tries !== undefined) return false;
  const {attempts} = work.value;
  const isSpent = costOf(attempts) >= (config.budget.usd ?? Number.POSITIVE_INFINITY);
  return !isSpent && attempts.length <= config.maxFixAttempts && attempts.at(-1)?.turn?.end.kind === "answered";
}

async function verifyWork(run: PreparedRun) {
  const base = run.base.commit;
  const folder = workFolder(run.context);
  const bundle = await unpackWork({folder, repository: run.repository, base});
  if (!bundle.ok || bundle.value === null) {
    recordFailure(run, bundle.ok ? {kind: "interrupted", message: "the agent's job has sent no work"} : bundle.failure);
    return null;
  }
  if (requestRules(run).isSetup) {
    await proveProposal(run, bundle.value);
    return null;
  }
  const {candidate, changes} = bundle.value;
  const work = run.config.heldOut ? await unpackRecord(folder) : null;
  if (work?.ok && work.value.heldOut) run.record.update({heldOut: work.value.heldOut});
  const {request} = run.record.current();
  const files = request?.kind === "update" ? request.conflicts : [];
  const unsolved = await settledByConflicts(run, {commit: candidate.commit, files});
  if (!unsolved.ok) {
    recordFailure(run, unsolved.failure);
    return null;
  }
  const settled = unsolved.value ?? (await settledWithoutStages(run, changes));
  const compareTries = (verifier: Verifier) => compareWithOthers(run, verifier);
  const afterwards = run.context.inputs.try > 0 && {afterwards: compareTries};
  return verifyOnce(run, {candidate, changes, compareWith: base, settled, ...afterwards});
}

const workFolder = (context: RunContext): string => bundleFolder(context, "work", {number: context.inputs.try});

/** The files of the other tries come from their bundles. The results that choose their tests are those of this machine. */
async function compareWithOthers(run: PreparedRun, verifier: Verifier): Promise<void> {
  const {record, context, repository, base} = run;
  const own = keptAttempt(record.current().attempts);
  const others: ComparedTry[] = [];
  for (const number of triesWithMachine(run)) {
    const folder = bundleFolder(context, "work", {number});
    const claimed = number === context.inputs.try ? null : await unpackRecord(folder);
    if (own === undefined || !claimed?.ok || !isVerified(claimed.value.verdict)) continue;
    const work = await unpackWork({folder, repository, base: base.commit, number: number + 1});
    if (!work.ok || work.value === null) continue;
    others.push({number, attempt: {...own, ...work.value, changes: [...work.value.changes]}});
  }
  const {signal} = context;
  const compare = (attempt: Attempt) => foreignTests(attempt, others, {...verifier, signal});
  await compareTry(run, {measure: (attempt) => verifier.measureTests(null, attempt, true), compare});
}
