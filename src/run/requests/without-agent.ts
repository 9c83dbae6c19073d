/** The requests that run stages and no agent, each by its own file. */
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import type {CheckedCandidate} from "../verifier.ts";
import {verifyUndo} from "./undo.ts";
import {verifyHead} from "./verify.ts";

/** Verifies what the request names, and puts the one attempt into the record. */
export function verifyWithoutAgent(run: PreparedRun): Promise<CheckedCandidate> {
  return requestRules(run).isUndo ? verifyUndo(run) : verifyHead(run);
}
