/** The verifying job: a clean machine without agent, model key or token that writes. Its verdict is the one that counts. */

import {writeOutputs} from "../../github/runner.ts";
import {packBundle, unpackWork} from "../../handover/bundle.ts";
import {encodeOutput} from "../../handover/encode-output.ts";
import {isIdle, shareOf} from "../../handover/shards.ts";
import type {OnEvent} from "../../record/events.ts";
import type {Plan} from "../../record/plan.ts";
import {isGreen} from "../../record/record.ts";
import {plainHeadline} from "../../report/headline.ts";
import {redactRecord} from "../../secrets/redact-record.ts";
import type {AdmittedRun} from "../admitted-run.ts";
import {catchBug, recordFailure} from "../catch-bug.ts";
import {requestRules} from "../request-rules.ts";
import {verifyHead} from "../requests/verify.ts";
import type {RunContext} from "../run-context.ts";
import {prepareRun, type RunSetup} from "../run-setup.ts";
import {settledWithoutStages} from "../settled-without-stages.ts";
import {verifyOnce} from "../verify-once.ts";
import {failedJob, type JobResult} from "./job-result.ts";
import {bundleFolder, resumeJob} from "./resume-job.ts";

/** Verifies the work of the agent's job, or the head for `/verify`, and writes the digest of its record as an output. */
export async function verifyJob(context: RunContext, listen: OnEvent): Promise<JobResult> {
  const taken = resumeJob(context, {again: false});
  if (!taken.ok) return failedJob(taken.failure);
  const {run, ticket} = taken.value;
  const {record} = run;
  await catchBug(run, async () => {
    const laid = await prepareRun(run, ticket);
    if (!laid.ok) return recordFailure(run, laid.failure);
    const isHead = requestRules(run).task === null;
    const share = shareOf(laid.value.plan, context.inputs.shard);
    const checked = await (isHead ? verifyHead : verifyWork)({run, setup: laid.value, share, onEvent: listen});
    await checked?.close();
  });
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const attempts = closed.attempts.map((one) => ({
    ...one,
    verification: one.verification && {...one.verification, job: "own" as const},
  }));
  const packed = await packBundle({
    folder: bundleFolder(context, "verify"),
    record: {...closed, attempts},
    session: "",
    work: null,
  });
  if (!packed.ok) return failedJob(packed.failure);
  const tree = closed.attempts.at(-1)?.candidate?.tree ?? "";
  writeOutputs({digest: encodeOutput(packed.value.digest), verdict: closed.verdict.kind, tree, next: "publish"});
  // One machine of several may have no stage for the change. The publishing job decides from all of them.
  const isNoNews = context.inputs.shard.of > 1 && closed.failures.length === 0 && isIdle(closed.verdict);
  return {
    isGreen: isGreen(closed) || isNoNews,
    why: isNoNews
      ? "No stage of this machine's share concerns the change."
      : isGreen(closed)
        ? ""
        : plainHeadline(closed),
  };
}

async function verifyWork(o: {run: AdmittedRun; setup: RunSetup; share: Plan; onEvent: OnEvent}) {
  const {run, setup, share, onEvent} = o;
  const base = setup.base.commit;
  const folder = bundleFolder(run.context, "work");
  const handed = await unpackWork({folder, repository: setup.repository, base});
  if (!handed.ok || handed.value === null) {
    recordFailure(run, handed.ok ? {kind: "interrupted", message: "the agent's job has sent no work"} : handed.failure);
    return null;
  }
  const {candidate, changes} = handed.value;
  const settled = await settledWithoutStages({run, setup, changes});
  const shared = {...setup, plan: share, wholePlan: setup.plan};
  return verifyOnce({run, setup: shared, candidate, changes, only: [], compareWith: base, settled, onEvent});
}
