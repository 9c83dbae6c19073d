/** What keeps a run from its work, as a failure in its record: expected ones, and bugs of ours. */

import type {Failure} from "../record/failure.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/** A throw is a bug of ours: said in the report, never green, and then the answer is null. */
export async function catchBug<T>(run: AdmittedRun, action: () => Promise<T>): Promise<T | null> {
  return action().catch((error: unknown) => {
    recordFailure(run, internal(error));
    return null;
  });
}

function internal(error: unknown): Failure {
  return {kind: "internal", message: error instanceof Error ? (error.stack ?? error.message) : String(error)};
}

/** Puts what kept a run from its work into the record. */
export function recordFailure(run: AdmittedRun, failure: Failure): void {
  run.record.addFailure(failure);
  if (run.record.current().attempts.length > 0) return;
  run.record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}
