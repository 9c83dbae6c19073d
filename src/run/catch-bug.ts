/** Records the failures that stop a run: expected ones, and bugs in Assay. */

import type {Failure} from "../record/failure.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/** A throw is a bug in Assay: it goes into the report, the run is never green, and the result is null. */
export async function catchBug<T>(run: AdmittedRun, action: () => Promise<T>): Promise<T | null> {
  return action().catch((error: unknown) => {
    recordFailure(run, internalFailure(error));
    return null;
  });
}

function internalFailure(error: unknown): Failure {
  return {kind: "internal", message: error instanceof Error ? (error.stack ?? error.message) : String(error)};
}

export function recordFailure(run: AdmittedRun, failure: Failure): void {
  run.record.addFailure(failure);
  if (run.record.current().attempts.length > 0) return;
  run.record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}
