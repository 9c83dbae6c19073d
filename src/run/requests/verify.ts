/** Handles `/verify`: the same verification on the current head, without agent and model. */

import type {ChangeBase} from "../../engine/checkout/compared-commits.ts";
import {unknownStages} from "../../engine/schedule/skip-reasons.ts";
import {NOT_MEASURED} from "../../proof/after-verification.ts";
import type {Attempt} from "../../record/attempt.ts";
import type {Failure} from "../../record/failure.ts";
import type {Approval, Candidate, Change, Verdict} from "../../record/verification.ts";
import {ok, type Result} from "../../record/words.ts";
import {readApproval} from "../approval.ts";
import {recordFailure} from "../catch-bug.ts";
import {findChangeBase} from "../change-base.ts";
import {recordHeldOut} from "../held-out.ts";
import {applyParkedWork} from "../parked-work.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import {type CheckedCandidate, openVerifier, type Verifier} from "../verifier.ts";

/** Verifies the head of the pull request, or of the default branch, and records the single attempt. */
export async function verifyHead(run: PreparedRun): Promise<CheckedCandidate> {
  const {record} = run;
  const head = await headOf(run);
  if (!head.ok) {
    recordFailure(run, head.failure);
    return NOTHING_CHECKED;
  }
  const {candidate, changes, conflicts} = head.value;
  const approval = await readApproval(run, candidate);
  if (!approval.ok) {
    recordFailure(run, approval.failure);
    return NOTHING_CHECKED;
  }
  // A change is compared with its base; without a change there is nothing to compare with.
  const {rules, resumes} = record.current();
  const changeStart = resumes === undefined ? (rules?.commit ?? null) : candidate.base;
  const compareWith = changes.length === 0 ? null : changeStart;
  const hasUnknownBase = compareWith !== null && compareWith !== candidate.base;
  const changeBase = hasUnknownBase ? await findChangeBase(run, {head: candidate.commit, tip: compareWith}) : null;
  return verifyOnce(run, {
    candidate,
    changes,
    compareWith,
    changeBase,
    approval: approval.value,
    settled: verdictWithoutStages(run, conflicts),
  });
}

/**
 * The base of a `/verify` run is the verified head itself; on a pull request, its changes since the base branch count.
 * Parked work of an issue is compared with its base, as after a turn of the agent.
 */
async function headOf(run: PreparedRun): Promise<Result<Head, Failure>> {
  const parkedWork = await applyParkedWork(run);
  if (!parkedWork.ok) return parkedWork;
  const {commit, tree} = run.base;
  const {candidate, conflicts} = parkedWork.value ?? {candidate: {commit, tree, base: commit}, conflicts: []};
  const rules = run.record.current().rules;
  const since = parkedWork.value === null ? (run.head === null ? null : rules?.commit) : candidate.base;
  if (since == null) return ok({candidate, changes: [], conflicts});
  const changes = await run.repository.changes(since, candidate.commit);
  return changes.ok ? ok({candidate, changes: changes.value, conflicts}) : changes;
}

interface Head {
  readonly candidate: Candidate;
  readonly changes: Change[];
  /** files where parked work conflicts with newer commits of its base */
  readonly conflicts: readonly string[];
}

function verdictWithoutStages(run: PreparedRun, conflicts: readonly string[]): Verdict | null {
  const {configFailure, wholePlan, config} = run;
  if (configFailure !== null) {
    return {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"};
  }
  if (conflicts.length > 0) {
    const files = conflicts.slice(0, 20).join(", ");
    const detail = `the saved work conflicts with newer commits on its base, in ${files}; \`/continue\` lets the agent resolve that`;
    return {kind: "unverified", why: "gate-error", detail};
  }
  if (!config.enabled) return {kind: "nothing-to-verify", why: "disabled", detail: ""};
  const unknown = unknownStages(requestRules(run).only, wholePlan.stages);
  if (unknown.length === 0) return null;
  const names = wholePlan.stages.map((stage) => stage.name).join(", ") || "none";
  const detail = `no check is called ${unknown.join(", ")}. The checks here are: ${names}. Nothing was run`;
  return {kind: "unverified", why: "no-stages", detail};
}

interface OnceVerified {
  readonly candidate: Candidate;
  readonly changes: readonly Change[];
  /** see `openVerifier` */
  readonly compareWith: string | null;
  /** for the head of a pull request, which is its own base here */
  readonly changeBase?: ChangeBase | null;
  readonly approval?: Approval | null;
  /** the verdict if no stage needs to run, or none may */
  readonly settled: Verdict | null;
  /** uses the verifier once more */
  readonly afterwards?: (verifier: Verifier) => Promise<void>;
}

/** Runs the stages that the request names, or all. */
export async function verifyOnce(run: PreparedRun, once: OnceVerified): Promise<CheckedCandidate> {
  const {candidate, changes, compareWith, settled} = once;
  const conclude = (outcome: Pick<Attempt, "verification" | "verdict">) => {
    const attempt: Attempt = {number: 1, turn: null, candidate, changes: [...changes], ...outcome};
    run.record.update({attempts: [attempt], verdict: attempt.verdict});
    run.onEvent({kind: "attempt-finished", attempt});
  };
  if (run.configFailure !== null) run.record.addFailure(run.configFailure);
  if (settled !== null) {
    conclude({verification: null, verdict: settled});
    return NOTHING_CHECKED;
  }
  const verifier = await openVerifier(run, compareWith);
  const {only} = requestRules(run);
  const {changeBase = null, approval = null} = once;
  const scope = {candidate, changes, only, changeBase, approval};
  const verification = await verifier.verify({...scope, previous: null, mayRunAffectedFirst: false});
  conclude({verification, verdict: verification.verdict});
  await recordHeldOut(run, verifier);
  await once.afterwards?.(verifier);
  const measureTests = () => verifier.measureTests(changeBase);
  return {baseline: verifier.kept, measureTests, close: verifier.dispose};
}

export const NOTHING_CHECKED: CheckedCandidate = {
  baseline: null,
  measureTests: async () => NOT_MEASURED,
  close: async () => {},
};
