/** Second step: the agent works until a verdict or the last attempt; `/verify` only runs the stages. */
import type {Failure} from "../src/record/failure.ts";
import type {RunRecord} from "../src/record/record.ts";
import {ok, type Result, refused} from "../src/record/words.ts";
import {missingProgram} from "../src/run/check-before-agent.ts";
import {refuseAgent} from "../src/run/organization-policy.ts";
import type {PreparedRun} from "../src/run/prepare-run.ts";
import {requestRules} from "../src/run/request-rules.ts";
import {verifyWithoutAgent} from "../src/run/requests/without-agent.ts";
import {type FailedWork, runAgent} from "../src/run/requests/work.ts";
import {forTry, triesOf} from "../src/run/tries.ts";
import type {CheckedCandidate} from "../src/run/verifier.ts";

interface FinishedWork extends CheckedCandidate, Pick<RunRecord, "attempts" | "verdict"> {
  /** the file with the agent's conversation; null without an agent */
  readonly session: string | null;
}

/** The record gets each attempt when it ends, so that a crash loses none. */
export async function work(run: PreparedRun, failed: FailedWork | null = null): Promise<Result<FinishedWork, Failure>> {
  const {task, isSetup} = requestRules(run);
  const numbers = Array.from({length: triesOf(run).count}, (_, at) => at + 1);
  const refusal = task === null ? undefined : numbers.flatMap((number) => refuseAgent(forTry(run, number)) ?? [])[0];
  const failure = refusal ?? (task === null || isSetup ? null : missingProgram(run));
  if (failure !== null) return refused(failure);
  const result =
    task === null ? ok({...(await verifyWithoutAgent(run)), session: null}) : await runAgent(run, {task, failed});
  if (!result.ok) return result;
  const {attempts, verdict} = run.record.current();
  return ok({...result.value, attempts, verdict});
}
