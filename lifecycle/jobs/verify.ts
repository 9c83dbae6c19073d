/** The verifying job: a clean machine without agent, model key or token that writes. Its verdict is the one that counts. */
import type {OnEvent} from "../../src/events.ts";
import {writeOutputs} from "../../src/github/runner.ts";
import {opaque} from "../../src/handover/opaque.ts";
import {pack, unpackWork} from "../../src/handover/parcel.ts";
import {isIdle, shareOf} from "../../src/handover/shards.ts";
import type {Plan} from "../../src/record/plan.ts";
import {isGreen} from "../../src/record.ts";
import {plainHeadline} from "../../src/report/headline.ts";
import {redactRecord} from "../../src/report/redact-record.ts";
import type {Run} from "../1-admit.ts";
import {settledWithoutStages} from "../2-work.ts";
import type {Done} from "../4-settle.ts";
import {attempt, fail} from "../fail.ts";
import {type Ground, lay} from "../ground.ts";
import {failureLines} from "../tell.ts";
import {verifyHead} from "../verify-head.ts";
import {verifyOnce} from "../verify-once.ts";
import type {World} from "../world.ts";
import {parcelFolder, takeUp} from "./take-up.ts";

/** Verifies what the agent's job sent, or the head for `/verify`, and announces the record of it by its digest. */
export async function verifyJob(world: World, listen: OnEvent): Promise<Done> {
  const taken = takeUp(world, {again: false});
  if (!taken.ok) return {isGreen: false, why: failureLines(taken.failure).join("\n")};
  const {run, ticket} = taken.value;
  const {record} = run;
  await attempt(run, async () => {
    const laid = await lay(run, ticket);
    if (!laid.ok) return fail(run, laid.failure);
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
  const packed = await pack({
    folder: parcelFolder(world, "verify"),
    record: {...closed, attempts},
    session: "",
    work: null,
  });
  if (!packed.ok) return {isGreen: false, why: failureLines(packed.failure).join("\n")};
  const tree = closed.attempts.at(-1)?.candidate?.tree ?? "";
  writeOutputs({digest: opaque(packed.value.digest), verdict: closed.verdict.kind, tree, next: "publish"});
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

async function verifyWork(o: {run: Run; ground: Ground; share: Plan; onEvent: OnEvent}) {
  const {run, ground, share, onEvent} = o;
  const base = ground.base.commit;
  const folder = parcelFolder(run.world, "work");
  const handed = await unpackWork({folder, repository: ground.repository, base});
  if (!handed.ok || handed.value === null) {
    fail(run, handed.ok ? {kind: "interrupted", message: "the agent's job has sent no work"} : handed.failure);
    return null;
  }
  const {candidate, changes} = handed.value;
  const settled = await settledWithoutStages({run, ground, changes});
  const shared = {...ground, plan: share, wholePlan: ground.plan};
  return verifyOnce({run, ground: shared, candidate, changes, only: [], compareWith: base, settled, onEvent});
}
