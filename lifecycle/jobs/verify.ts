/** The verifying job: a clean machine without agent, model key or token that writes. Its verdict is the one that counts. */

import {writeOutputs} from "../../src/github/runner.ts";
import {packBundle, unpackWork} from "../../src/handover/bundle.ts";
import {encodeOutput} from "../../src/handover/encode-output.ts";
import {isIdle, shareOf} from "../../src/handover/shards.ts";
import type {OnEvent} from "../../src/record/events.ts";
import type {Plan} from "../../src/record/plan.ts";
import {isGreen} from "../../src/record/record.ts";
import {plainHeadline} from "../../src/report/headline.ts";
import {catchBug, recordFailure} from "../../src/run/catch-bug.ts";
import {failureLines} from "../../src/run/event-log.ts";
import type {RunContext} from "../../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../../src/run/run-setup.ts";
import {verifyHead} from "../../src/run/verify-head.ts";
import {verifyOnce} from "../../src/run/verify-once.ts";
import {redactRecord} from "../../src/secrets/redact-record.ts";
import type {AdmittedRun} from "../1-admit.ts";
import {settledWithoutStages} from "../2-work.ts";
import type {Done} from "../4-settle.ts";
import {bundleFolder, resumeJob} from "./resume-job.ts";

/** Verifies what the agent's job sent, or the head for `/verify`, and announces the record of it by its digest. */
export async function verifyJob(world: RunContext, listen: OnEvent): Promise<Done> {
  const taken = resumeJob(world, {again: false});
  if (!taken.ok) return {isGreen: false, why: failureLines(taken.failure).join("\n")};
  const {run, ticket} = taken.value;
  const {record} = run;
  await catchBug(run, async () => {
    const laid = await prepareRun(run, ticket);
    if (!laid.ok) return recordFailure(run, laid.failure);
    const isHead = record.current().request?.kind === "verify";
    const share = shareOf(laid.value.plan, world.inputs.shard);
    const checked = await (isHead ? verifyHead : verifyWork)({run, ground: laid.value, share, onEvent: listen});
    await checked?.close();
  });
  const closed = redactRecord({record: record.current(), redact: world.redact});
  const attempts = closed.attempts.map((one) => ({
    ...one,
    verification: one.verification && {...one.verification, job: "own" as const},
  }));
  const packed = await packBundle({
    folder: bundleFolder(world, "verify"),
    record: {...closed, attempts},
    session: "",
    work: null,
  });
  if (!packed.ok) return {isGreen: false, why: failureLines(packed.failure).join("\n")};
  const tree = closed.attempts.at(-1)?.candidate?.tree ?? "";
  writeOutputs({digest: encodeOutput(packed.value.digest), verdict: closed.verdict.kind, tree, next: "publish"});
  // On one machine of several that is no news; what all of them say together is for the publishing job.
  const isNoNews = world.inputs.shard.of > 1 && closed.failures.length === 0 && isIdle(closed.verdict);
  return {
    isGreen: isGreen(closed) || isNoNews,
    why: isNoNews
      ? "No stage of this machine's share concerns the change."
      : isGreen(closed)
        ? ""
        : plainHeadline(closed),
  };
}

async function verifyWork(o: {run: AdmittedRun; ground: RunSetup; share: Plan; onEvent: OnEvent}) {
  const {run, ground, share, onEvent} = o;
  const base = ground.base.commit;
  const folder = bundleFolder(run.world, "work");
  const handed = await unpackWork({folder, repository: ground.repository, base});
  if (!handed.ok || handed.value === null) {
    recordFailure(run, handed.ok ? {kind: "interrupted", message: "the agent's job has sent no work"} : handed.failure);
    return null;
  }
  const {candidate, changes} = handed.value;
  const settled = await settledWithoutStages({run, ground, changes});
  const shared = {...ground, plan: share, wholePlan: ground.plan};
  return verifyOnce({run, ground: shared, candidate, changes, only: [], compareWith: base, settled, onEvent});
}
