/** What keeps a run from its work, as a failure in its record: expected ones, and bugs of ours. */
import type {Failure} from "../src/record/failure.ts";
import type {Run} from "./1-admit.ts";

/** A throw is a bug of ours: said in the report, never green, and then the answer is null. */
export async function attempt<T>(run: Run, action: () => Promise<T>): Promise<T | null> {
  return action().catch((error: unknown) => {
    fail(run, internal(error));
    return null;
  });
}

function internal(error: unknown): Failure {
  return {kind: "internal", message: error instanceof Error ? (error.stack ?? error.message) : String(error)};
}

/** Puts what kept a run from its work into the record. */
export function fail(run: Run, failure: Failure): void {
  run.record.addFailure(failure);
  if (run.record.current().attempts.length > 0) return;
  run.record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}
