/** The agent's job, in two steps: the work, and the handing over, which goes through also when the first step died. */
import {existsSync} from "node:fs";
import {readFile, rm} from "node:fs/promises";
import {join} from "node:path";
import {writeOutputs} from "../../src/github/runner.ts";
import {packBundle} from "../../src/handover/bundle.ts";
import {keptAttempt} from "../../src/record/attempt.ts";
import type {OnEvent} from "../../src/record/events.ts";
import {mayBePublished} from "../../src/record/record.ts";
import type {Candidate} from "../../src/record/verification.ts";
import {ok} from "../../src/record/words.ts";
import {catchBug, recordFailure} from "../../src/run/catch-bug.ts";
import {failureLines} from "../../src/run/event-log.ts";
import {withoutSecrets} from "../../src/run/publish-checks.ts";
import {newestWork} from "../../src/run/recover.ts";
import {agentFolder, type RunContext} from "../../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../../src/run/run-setup.ts";
import {redactRecord} from "../../src/secrets/redact-record.ts";
import type {AdmittedRun} from "../1-admit.ts";
import {work} from "../2-work.ts";
import type {Done} from "../4-settle.ts";
import {bundleFolder, resumeJob} from "./resume-job.ts";

/** Agent and gate, as in a run of one job; but the verdict is for the agent only, and nothing is pushed. */
export async function workJob(world: RunContext, listen: OnEvent): Promise<Done> {
  const taken = resumeJob(world, {again: false});
  if (!taken.ok) return {isGreen: false, why: failureLines(taken.failure).join("\n")};
  const {run, ticket} = taken.value;
  const worked = await catchBug(run, async () => {
    const laid = await prepareRun(run, ticket);
    const worked = laid.ok ? await work({run, ground: laid.value, onEvent: listen}) : laid;
    if (worked.ok) return worked.value;
    recordFailure(run, worked.failure);
    return null;
  });
  run.record.update({run: {...run.record.current().run, finishedAt: world.now()}});
  await worked?.close();
  return {isGreen: true, why: ""};
}

/** Leaves record, work and session for the next jobs, and says which comes next. */
export async function handOverJob(world: RunContext): Promise<Done> {
  const taken = resumeJob(world, {again: true});
  if (!taken.ok) return {isGreen: false, why: failureLines(taken.failure).join("\n")};
  const {run, ticket} = taken.value;
  const {record, folder} = run;
  // The agent could reach what the step before had laid out there.
  await rm(join(folder, "rules"), {recursive: true, force: true});
  const laid = await prepareRun(run, ticket);
  if (!laid.ok) run.record.addFailure(laid.failure);
  const {base, run: about} = record.current();
  if (about.finishedAt === null) {
    run.record.addFailure({kind: "interrupted", message: "the process was ended before the agent's job was over"});
    if (laid.ok && base !== null) await newestWork({run, repository: laid.value.repository, base: base.commit});
  }
  const candidate = laid.ok ? await sendable(run, laid.value) : null;
  const work = laid.ok && candidate !== null ? {repository: laid.value.repository, candidate} : null;
  const closed = redactRecord({record: record.current(), redact: world.redact});
  const packed = await packBundle({
    folder: bundleFolder(world, "work"),
    record: closed,
    session: await session(folder, world),
    work,
  });
  writeOutputs({next: packed.ok && work !== null && mayBePublished(closed) ? "verify" : "publish"});
  return packed.ok ? {isGreen: true, why: ""} : {isGreen: false, why: failureLines(packed.failure).join("\n")};
}

/** Who may read the repository may read what is sent: files with a secret are left out, for only this job knows the model's key. */
async function sendable(run: AdmittedRun, {repository, config}: RunSetup): Promise<Candidate | null> {
  const {attempts} = run.record.current();
  const kept = keptAttempt(attempts);
  if (!kept?.candidate || kept.changes.length === 0) return null;
  const candidate = await withoutSecrets({
    run,
    repository,
    candidate: kept.candidate,
    exampleSecrets: config.exampleSecrets,
  });
  if (candidate?.tree === kept.candidate.tree) return candidate;
  const changes = candidate === null ? ok([]) : await repository.changes(candidate.base, candidate.commit);
  if (!changes.ok) run.record.addFailure(changes.failure);
  const sent = changes.ok ? {candidate, changes: changes.value} : {candidate: null, changes: []};
  run.record.update({attempts: attempts.map((one) => (one === kept ? {...one, ...sent, verification: null} : one))});
  return sent.candidate;
}

/** The conversation that was spoken last. */
async function session(folder: string, {redact}: Pick<RunContext, "redact">): Promise<string> {
  const file = ["fresh-session.jsonl", "session.jsonl"]
    .map((name) => join(agentFolder({folder}), name))
    .find((path) => existsSync(path));
  return file === undefined ? "" : redact(await readFile(file, "utf8"));
}
