/** Second step: the agent works until a verdict or the last attempt; `/verify` only runs the stages. */
import type {Failure} from "../src/record/failure.ts";
import {ok, type Result} from "../src/record/words.ts";
import type {PreparedRun} from "../src/run/prepare-run.ts";
import {requestRules} from "../src/run/request-rules.ts";
import {verifyHead} from "../src/run/requests/verify.ts";
import {runAgent} from "../src/run/requests/work.ts";
import type {CheckedCandidate} from "../src/run/verifier.ts";

/** Puts attempts and verdict into the record. `session` is the file with the agent's conversation; null without an agent. */
export async function work(run: PreparedRun): Promise<Result<CheckedCandidate & {session: string | null}, Failure>> {
  const {task} = requestRules(run);
  return task === null ? ok({...(await verifyHead(run)), session: null}) : runAgent(run, task);
}
