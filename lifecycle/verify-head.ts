/** `/verify`: the same verification on the current head, with no agent and no model. */
import type {OnEvent} from "../src/events.ts";
import type {Attempt} from "../src/record/attempt.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Candidate, Change, Verdict} from "../src/record/verification.ts";
import {verify} from "../src/verify/verify.ts";
import {ok, type Result} from "../src/words.ts";
import type {Run} from "./1-admit.ts";
import {addFailure} from "./2-work.ts";
import {openGate} from "./gate.ts";
import type {Ground} from "./ground.ts";

/** Verifies the head of the pull request, or of the default branch, and puts the one attempt into the record. */
export async function verifyHead(o: {run: Run; ground: Ground; onEvent: OnEvent}): Promise<void> {
  const {run, ground} = o;
  const {record} = run;
  const request = record.current().request;
  const only = request?.kind === "verify" ? request.only : [];
  const seen = await headOf(o);
  if (!seen.ok) return addFailure(run, seen.failure);
  const {candidate, changes} = seen.value;
  const unknown = only.filter(
    (name) => !ground.plan.stages.some((stage) => stage.name === name || stage.kind === name),
  );
  const settled = whyNot({ground, unknown});
  if (ground.configFailure !== null) addFailure(run, ground.configFailure);

  let attempt: Attempt = {
    number: 1,
    turn: null,
    candidate,
    changes,
    verification: null,
    verdict: settled ?? {kind: "verified"},
  };
  if (settled === null) {
    // A pull request answers for what it changes; the default branch has nobody to share its failures with.
    const compareWith = changes.length === 0 ? null : (record.current().rules?.commit ?? null);
    const gate = await openGate({...o, compareWith});
    const verification = await verify({...gate, candidate, changes, only, before: null});
    await gate.dispose();
    attempt = {...attempt, verification, verdict: verification.verdict};
  }
  record.update({attempts: [attempt], verdict: attempt.verdict});
  o.onEvent({kind: "attempt-finished", attempt});
}

/** The base of a `/verify` run is the very head that is verified; on a pull request, its changes since the base branch count. */
async function headOf(o: {
  run: Run;
  ground: Ground;
}): Promise<Result<{candidate: Candidate; changes: Change[]}, Failure>> {
  const {run, ground} = o;
  const {commit, tree} = ground.base;
  const candidate = {commit, tree, base: commit};
  const rules = run.record.current().rules;
  if (run.head === null || rules === null) return ok({candidate, changes: []});
  const changes = await ground.repository.changes(rules.commit, commit);
  return changes.ok ? ok({candidate, changes: changes.value}) : changes;
}

function whyNot(o: {ground: Ground; unknown: readonly string[]}): Verdict | null {
  const {configFailure, plan, config} = o.ground;
  if (configFailure !== null) {
    return {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"};
  }
  if (!config.enabled) return {kind: "nothing-to-verify", why: "disabled", detail: ""};
  if (o.unknown.length === 0) return null;
  const known = plan.stages.map((stage) => stage.name).join(", ") || "none";
  return {
    kind: "unverified",
    why: "no-stages",
    detail: `no stage is called ${o.unknown.join(", ")}; there are: ${known}`,
  };
}
