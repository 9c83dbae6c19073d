/** One verification without an agent, recorded as one attempt. */

import type {Attempt} from "../record/attempt.ts";
import type {OnEvent} from "../record/events.ts";
import type {Candidate, Change, Verdict} from "../record/verification.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunSetup} from "./run-setup.ts";
import {type CheckedCandidate, openVerifier} from "./verifier.ts";

/**
 * Runs the stages of the setup's plan, unless `settled` says that none needs to run or may. `only` and `compareWith` are as
 * for the verifier.
 */
export async function verifyOnce(o: {
  run: AdmittedRun;
  setup: RunSetup;
  candidate: Candidate;
  changes: readonly Change[];
  only: readonly string[];
  compareWith: string | null;
  settled: Verdict | null;
  onEvent: OnEvent;
}): Promise<CheckedCandidate> {
  const {run, setup, candidate, changes, only, settled, onEvent} = o;
  const conclude = (came: Pick<Attempt, "verification" | "verdict">) => {
    const attempt: Attempt = {number: 1, turn: null, candidate, changes: [...changes], ...came};
    run.record.update({attempts: [attempt], verdict: attempt.verdict});
    onEvent({kind: "attempt-finished", attempt});
  };
  if (setup.configFailure !== null) run.record.addFailure(setup.configFailure);
  if (settled !== null) {
    conclude({verification: null, verdict: settled});
    return NOTHING_CHECKED;
  }
  const verifier = await openVerifier(o);
  const verification = await verifier.verify({candidate, changes, only, previous: null, mayRunAffectedFirst: false});
  conclude({verification, verdict: verification.verdict});
  return {kept: verifier.kept, close: verifier.dispose};
}

export const NOTHING_CHECKED: CheckedCandidate = {kept: null, close: async () => {}};
