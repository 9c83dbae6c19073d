/** `/verify`: the same verification on the current head, with no agent and no model. */

import type {OnEvent} from "../../record/events.ts";
import type {Failure} from "../../record/failure.ts";
import type {Plan} from "../../record/plan.ts";
import type {Candidate, Change, Verdict} from "../../record/verification.ts";
import {ok, type Result} from "../../record/words.ts";
import {unknownStages} from "../../verify/schedule/skip-reasons.ts";
import type {AdmittedRun} from "../admitted-run.ts";
import {applyParkedWork} from "../parked-work.ts";
import {requestRules} from "../request-rules.ts";
import type {RunSetup} from "../run-setup.ts";
import type {CheckedCandidate} from "../verifier.ts";
import {NOTHING_CHECKED, verifyOnce} from "../verify-once.ts";

/**
 * Verifies the head of the pull request, or of the default branch, and puts the one attempt into the record. With a `share`
 * only the stages in it run.
 */
export async function verifyHead(o: {
  run: AdmittedRun;
  setup: RunSetup;
  share?: Plan;
  onEvent: OnEvent;
}): Promise<CheckedCandidate> {
  const {run, setup, share = o.setup.plan, onEvent} = o;
  const {record} = run;
  const {only} = requestRules(run);
  const seen = await headOf(o);
  if (!seen.ok) {
    run.record.addFailure(seen.failure);
    return NOTHING_CHECKED;
  }
  const {candidate, changes, conflicts} = seen.value;
  const unknown = unknownStages(only, setup.plan.stages);
  // A change is compared with its base; without a change there is nothing to compare with.
  const {rules, resumes} = record.current();
  const other = resumes === undefined ? (rules?.commit ?? null) : candidate.base;
  return verifyOnce({
    run,
    setup: {...setup, plan: share, wholePlan: setup.plan},
    candidate,
    changes,
    only,
    compareWith: changes.length === 0 ? null : other,
    settled: whyNot({setup, unknown, conflicts}),
    onEvent,
  });
}

/**
 * The base of a `/verify` run is the verified head itself; on a pull request, its changes since the base branch count. Parked
 * work of an issue is compared with its base, as after a turn of the agent.
 */
async function headOf(o: {run: AdmittedRun; setup: RunSetup}): Promise<Result<Head, Failure>> {
  const {run, setup} = o;
  const parked = await applyParkedWork(o);
  if (!parked.ok) return parked;
  const {commit, tree} = setup.base;
  const {candidate, conflicts} = parked.value ?? {candidate: {commit, tree, base: commit}, conflicts: []};
  const rules = run.record.current().rules;
  const since = parked.value === null ? (run.head === null ? null : rules?.commit) : candidate.base;
  if (since == null) return ok({candidate, changes: [], conflicts});
  const changes = await setup.repository.changes(since, candidate.commit);
  return changes.ok ? ok({candidate, changes: changes.value, conflicts}) : changes;
}

interface Head {
  readonly candidate: Candidate;
  readonly changes: Change[];
  /** files in which parked work conflicts with newer commits of its base */
  readonly conflicts: readonly string[];
}

function whyNot(o: {setup: RunSetup; unknown: readonly string[]; conflicts: readonly string[]}): Verdict | null {
  const {configFailure, plan, config} = o.setup;
  if (configFailure !== null) {
    return {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"};
  }
  if (o.conflicts.length > 0) {
    const files = o.conflicts.slice(0, 20).join(", ");
    const detail = `the parked work conflicts with what came to its base meanwhile, in ${files}; \`/continue\` has the agent resolve that`;
    return {kind: "unverified", why: "gate-error", detail};
  }
  if (!config.enabled) return {kind: "nothing-to-verify", why: "disabled", detail: ""};
  if (o.unknown.length === 0) return null;
  const known = plan.stages.map((stage) => stage.name).join(", ") || "none";
  return {
    kind: "unverified",
    why: "no-stages",
    detail: `no stage is called ${o.unknown.join(", ")}. The stages here are: ${known}. Nothing was run`,
  };
}
