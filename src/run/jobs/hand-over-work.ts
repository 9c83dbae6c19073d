/** Hands over the work of the agent's job, in a separate step that runs even if the agent's step crashed. */
import {rm} from "node:fs/promises";
import {join} from "node:path";
import {writeOutputs} from "../../github/runner.ts";
import {packBundle} from "../../handover/bundle.ts";
import {removeAbandonedPipes} from "../../process/pipes.ts";
import {keptAttempt} from "../../record/attempt.ts";
import {isGreen, isQuestion, mayBePublished, type RunRecord} from "../../record/record.ts";
import type {Candidate} from "../../record/verification.ts";
import {ok} from "../../record/words.ts";
import {redactRecord} from "../../secrets/redact-record.ts";
import {type PreparedRun, prepareRun} from "../prepare-run.ts";
import {withoutSecrets} from "../publish-checks.ts";
import {newestWork} from "../remaining-work.ts";
import {requestRules} from "../request-rules.ts";
import {conversationFolder, type RunContext} from "../run-context.ts";
import {removeConversation, sealRunSession} from "../saved-session.ts";
import {otherTries} from "../tries.ts";
import {failedJob, type JobResult} from "./job-result.ts";
import {bundleFolder, resumeJob} from "./resume-job.ts";

/** Writes record, work and session for the next jobs, and the output `next`. */
export async function handOverWork(context: RunContext): Promise<JobResult> {
  const admittedRun = resumeJob(context);
  if (!admittedRun.ok) return failedJob(admittedRun.failure);
  const run = admittedRun.value;
  const {record, folder} = run;
  // The agent had access to the files that the earlier step wrote there.
  await rm(join(folder, "rules"), {recursive: true, force: true});
  const preparation = await prepareRun(run);
  if (!preparation.ok) record.addFailure(preparation.failure);
  const {base, run: about} = record.current();
  if (about.finishedAt === null) {
    await removeAbandonedPipes();
    record.addFailure({kind: "interrupted", message: "the process ended before the agent's job was finished"});
    if (preparation.ok && base !== null) await newestWork(run, preparation.value.repository, base.commit);
  }
  const candidate = preparation.ok ? await withoutSecretFiles(preparation.value) : null;
  // Here, because this job has the key, and everyone can read the artifact.
  const files = ["fresh-session.jsonl", "session.jsonl"].map((name) => join(conversationFolder(run), name));
  // The conversation of a proposal is no work on the issue, so it does not replace the saved one.
  const isSaved = preparation.ok && !requestRules(run).isSetup;
  const session = isSaved ? await sealRunSession(preparation.value, files) : "";
  await removeConversation(run);
  const others = preparation.ok ? await otherTries(run, {...preparation.value, ...preparation.value.config}) : [];
  const {heldOut} = record.current();
  const tests = heldOut?.commit != null && candidate !== null ? [{commit: heldOut.commit, base: candidate.base}] : [];
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const bundle = await packBundle({
    folder: bundleFolder(context, "work"),
    record: closed,
    session,
    work: preparation.ok
      ? {
          repository: preparation.value.repository,
          candidate,
          others: [...others.map((other) => other.candidate), ...tests],
        }
      : null,
  });
  const isToVerify = bundle.ok && candidate !== null && mayBeVerified(closed);
  // Of several tries, one that needs a verification decides.
  writeOutputs({next: isToVerify ? "verify" : context.inputs.try > 0 ? "" : "publish"});
  return bundle.ok ? {isGreen: true, why: ""} : failedJob(bundle.failure);
}

export const mayBeVerified = (record: RunRecord): boolean =>
  mayBePublished(record) || ((isQuestion(record.verdict) || record.verdict.kind === "partial") && isGreen(record));

/**
 * Leaves out files with a secret: every reader of the repository can read the artifact, and only this job knows the
 * model's key.
 */
async function withoutSecretFiles(run: PreparedRun): Promise<Candidate | null> {
  const {repository, config} = run;
  const {attempts} = run.record.current();
  const keptWork = keptAttempt(attempts);
  if (!keptWork?.candidate || keptWork.changes.length === 0) return null;
  const {exampleSecrets} = config;
  const candidate = await withoutSecrets(run, {repository, candidate: keptWork.candidate, exampleSecrets});
  if (candidate?.tree === keptWork.candidate.tree) return candidate;
  const changes = candidate === null ? ok([]) : await repository.changes(candidate.base, candidate.commit);
  if (!changes.ok) run.record.addFailure(changes.failure);
  const remainder = changes.ok ? {candidate, changes: changes.value} : {candidate: null, changes: []};
  run.record.update({
    attempts: attempts.map((one) => (one === keptWork ? {...one, ...remainder, verification: null} : one)),
  });
  return remainder.candidate;
}
