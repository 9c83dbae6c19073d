/** A verification without an agent: one attempt, settled beforehand or by the stages, put into the record. */

import type {AdmittedRun} from "../../lifecycle/1-admit.ts";
import type {Attempt} from "../record/attempt.ts";
import type {OnEvent} from "../record/events.ts";
import type {Candidate, Change, Verdict} from "../record/verification.ts";
import type {RunSetup} from "./run-setup.ts";
import {type CheckedCandidate, openVerifier} from "./verifier.ts";

/**
 * Runs the stages of the ground's plan, unless `settled` says that none needs to run or may. `only` and `compareWith` are as
 * for the gate.
 */
export async function verifyOnce(o: {
  run: AdmittedRun;
  ground: RunSetup;
  candidate: Candidate;
  changes: readonly Change[];
  only: readonly string[];
  compareWith: string | null;
  settled: Verdict | null;
  onEvent: OnEvent;
}): Promise<CheckedCandidate> {
  const {run, ground, candidate, changes, only, settled, onEvent} = o;
  const conclude = (came: Pick<Attempt, "verification" | "verdict">) => {
    const attempt: Attempt = {number: 1, turn: null, candidate, changes: [...changes], ...came};
    run.record.update({attempts: [attempt], verdict: attempt.verdict});
    onEvent({kind: "attempt-finished", attempt});
  };
  if (ground.configFailure !== null) run.record.addFailure(ground.configFailure);
  if (settled !== null) {
    conclude({verification: null, verdict: settled});
    return NOTHING_CHECKED;
  }
  const gate = await openVerifier(o);
  const verification = await gate.verify({candidate, changes, only, before: null, mayLookFirst: false});
  conclude({verification, verdict: verification.verdict});
  return {kept: gate.kept, close: gate.dispose};
}

export const NOTHING_CHECKED: CheckedCandidate = {kept: null, close: async () => {}};
