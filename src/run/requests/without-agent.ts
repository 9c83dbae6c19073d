/** Routes the requests that run stages without an agent, each with its own file. */
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import type {CheckedCandidate} from "../verifier.ts";
import {reviewHead} from "./review.ts";
import {verifyUndo} from "./undo.ts";
import {verifyHead} from "./verify.ts";

/** Verifies the requested commit, and records the single attempt. */
export function verifyWithoutAgent(run: PreparedRun): Promise<CheckedCandidate> {
  const {isUndo, isReview} = requestRules(run);
  if (isUndo) return verifyUndo(run);
  return isReview ? reviewHead(run) : verifyHead(run);
}
