/** The judging job: it has the model's key, and no agent, checkout, code of the repository or token that writes. */
import {writeOutputs} from "../../github/runner.ts";
import {refused} from "../../record/words.ts";
import {redactRecord} from "../../secrets/redact-record.ts";
import {catchBug, recordFailure} from "../catch-bug.ts";
import {asAnswered, judgeAttempts} from "../judge.ts";
import {type PreparedRun, prepareRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import {judgeHead} from "../requests/review.ts";
import {isReservedElsewhere} from "../reserve-spending.ts";
import type {RunContext} from "../run-context.ts";
import {removeConversation} from "../saved-session.ts";
import {readThread} from "../thread.ts";
import {encodeJobOpinion} from "./job-opinion.ts";
import {failedJob, type JobResult} from "./job-result.ts";
import {joinWork} from "./receive-work.ts";
import {resumeJob} from "./resume-job.ts";

/** Judges the work that the verifying job has verified. Always green, because an opinion never fails a job. */
export async function judgeJob(context: RunContext): Promise<JobResult> {
  const admittedRun = resumeJob(context);
  if (!admittedRun.ok) return failedJob(admittedRun.failure);
  const run = admittedRun.value;
  await catchBug(run, async () => {
    const stale = isReservedElsewhere(run);
    const preparation = stale === null ? await prepareRun(run) : refused(stale);
    if (preparation.ok) await judgeWork(preparation.value);
    else recordFailure(run, preparation.failure);
  });
  await removeConversation(run);
  const lastAttempt = redactRecord({record: run.record.current(), redact: context.redact}).attempts.at(-1);
  writeOutputs({opinion: lastAttempt === undefined ? "" : encodeJobOpinion(lastAttempt)});
  return {isGreen: true, why: ""};
}

async function judgeWork(run: PreparedRun): Promise<void> {
  const {task, isReview, isSetup} = requestRules(run);
  if ((task === null && !isReview) || isSetup || !run.config.judge.enabled) return;
  const {attempts, verdict} = (await joinWork(run)).check;
  // The judge would mistake an opinion from the agent's job for its own.
  const attemptsWithoutOpinion = attempts.map(({opinion: _, ...attempt}) => attempt);
  run.record.update({attempts: attemptsWithoutOpinion, verdict});
  if (task === null) return judgeHead(run);
  const lastAttempt = attemptsWithoutOpinion.at(-1);
  if (lastAttempt === undefined) return;
  const thread = await readThread(run, {task, resumed: null});
  await judgeAttempts(run, thread)(asAnswered(lastAttempt));
}
