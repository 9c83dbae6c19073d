/** Decides from data what to do about the failed jobs of CI, and gives the agent the ends of their logs. */
import {basename} from "node:path";
import {commandOfAction} from "../detect/ci/known-actions.ts";
import {whyPrepares} from "../detect/ci/set-up-words.ts";
import {listOf, textAt, valueAt} from "../detect/files/manifest-values.ts";
import {screen} from "../detect/proposals/screen.ts";
import {distill} from "../diagnostics/distill.ts";
import {readWorkflow, type WorkflowFile} from "../github/workflow-job.ts";
import type {EndedJob} from "../github/workflow-runs.ts";
import type {Plan} from "../record/plan.ts";
import type {RedJob} from "../record/record.ts";
import type {NothingReason} from "../record/words.ts";
import {splitShell} from "../shell/split.ts";
import {recordFailure} from "./catch-bug.ts";
import {MAX_WORKFLOW_BYTES, type PreparedRun} from "./prepare-run.ts";

/** The steps that the runner itself adds to a job: actions/runner, `JobExtension.cs` and `JobRunner.cs`. */
const OF_THE_RUNNER = /^(?:Set up job|Complete job|Initialize containers|Stop containers|(?:Pre|Post|Pull|Build) .+)$/;
const LOG_CHARS = 8_000;
const MAX_LOGS = 4;

/** True if a failed workflow started the run and the agent could not help; the record has the reason. */
export async function endsWithoutFix(run: PreparedRun): Promise<boolean> {
  const {record, repository, config} = run;
  const {github} = run.context;
  const {request, rules} = record.current();
  if (request?.kind !== "ci" || rules === null) return false;
  const {path} = request;
  const text = await repository.readText(rules.commit, path, {maxBytes: MAX_WORKFLOW_BYTES});
  const jobs = await github.endedJobs(request.run);
  const baseRun = await github.runOfCommit(basename(path), rules.commit);
  const isBaseRed = baseRun.ok && baseRun.value?.conclusion === "failure";
  const baseJobs = isBaseRed && baseRun.value ? await github.endedJobs(baseRun.value.id) : null;
  for (const reading of [text, jobs, baseRun, baseJobs])
    if (reading?.ok === false) {
      recordFailure(run, reading.failure);
      return true;
    }
  const redOnBase = new Set((baseJobs?.ok ? baseJobs.value : []).filter(isRed).map(({name}) => name));
  const workflow = text.ok && text.value !== null ? readWorkflow({path, text: text.value}) : null;
  const facts = {workflow, path, plan: run.wholePlan, redOnBase};
  const redJobs = (jobs.ok ? jobs.value : []).filter(isRed).map((job) => judgeJob(job, facts));
  record.update({redJobs});
  const why = whyNoFix(redJobs, config.budget);
  if (why !== null) record.update({verdict: {kind: "nothing-to-verify", why, detail: ""}});
  return why !== null;
}

/** A job whose step failed. One that was cancelled, or got no machine, has none. */
const isRed = ({conclusion}: EndedJob): boolean => conclusion === "failure" || conclusion === "timed_out";

function whyNoFix(jobs: readonly RedJob[], left: PreparedRun["config"]["budget"]): NothingReason | null {
  const isAny = (outcome: RedJob["outcome"]) => jobs.some((job) => job.outcome === outcome);
  if (isAny("fix")) return left.minutes === 0 || left.usd === 0 ? "red-budget" : null;
  return isAny("not-run") ? "red-not-run" : isAny("on-base") ? "red-on-base" : "red-machine";
}

interface RedFacts {
  /** of the base; null if it cannot be read */
  readonly workflow: WorkflowFile | null;
  readonly path: string;
  readonly plan: Plan;
  /** the names of the jobs that fail on the base */
  readonly redOnBase: ReadonlySet<string>;
}

/** What Assay does about one failed job. The plan knows CI's commands by file and job. */
export function judgeJob({id, name, steps}: EndedJob, {workflow, path, plan, redOnBase}: RedFacts): RedJob {
  const step = steps.find(({conclusion}) => conclusion === "failure")?.name ?? null;
  const written = step === null ? null : findStep(workflow, {job: name, step});
  const judged = (outcome: RedJob["outcome"], entry = ""): RedJob => ({id, name, step, outcome, entry});
  if (step === null || (written === null && OF_THE_RUNNER.test(step)) || written?.command === null)
    return judged("machine");
  if (redOnBase.has(name)) return judged("on-base");
  const ofJob = (plan.ci ?? []).filter(({file, key}) => file === path && (written === null || key === written.job));
  const commands = new Set(commandsOf(written?.command ?? ""));
  const ofStep = ofJob.filter(({command}) => commandsOf(command).some((one) => commands.has(one)));
  const known = ofStep.length > 0 || written?.isExact ? ofStep : ofJob;
  const isInSetup = ({outcome}: (typeof known)[number]) => outcome.kind === "covered" && outcome.by.includes("setup");
  const prepares = written !== null && whyPrepares(written.command, [...commands]) !== null;
  if (prepares || (known.length > 0 && known.every(isInSetup))) return judged("machine");
  const isRun =
    known.some((one) => one.outcome.kind !== "listed" && !isInSetup(one)) ||
    plan.stages.some(({command}) => commandsOf(command).some((one) => commands.has(one)));
  if (isRun) return judged("fix");
  const entries = known.flatMap(({outcome}) => (outcome.kind === "listed" && outcome.fix !== "" ? [outcome.fix] : []));
  const isPlain = written !== null && /^[^\n$]+$/.test(written.command.trim()) && screen(written.command).kind === "ok";
  const own = {name: name.replaceAll(/[^\w@.:+-]+/g, "-"), command: written?.command.trim()};
  // A list of the owner replaces the detected stages, and excludes more of them.
  const entry = isPlain ? `"${plan.ci ? "extraStages" : "stages"}": [${JSON.stringify(own)}]` : "";
  return judged("not-run", entries[0] ?? entry);
}

const commandsOf = (text: string): string[] => (splitShell(text) ?? []).map(({words}) => words.join(" "));

/**
 * The failed step in the workflow: the id of its job, and its command, which is null for an action that is no check. Null
 * if the file does not name it, as in a called workflow. Names can have values of a matrix, so the text before them counts.
 */
function findStep(workflow: WorkflowFile | null, names: {job: string; step: string}) {
  const isNamed = (written: string, name: string) => {
    const [start = "", ...values] = written.split("${{");
    return values.length > 0 ? name.startsWith(start.trimEnd()) : name === written || name.startsWith(`${written} (`);
  };
  for (const [job, body] of workflow?.jobs ?? []) {
    if (!isNamed(textAt(body, "name") ?? job, names.job)) continue;
    for (const step of listOf(valueAt(body, "steps"))) {
      const [run, uses] = [textAt(step, "run"), textAt(step, "uses")];
      const label = textAt(step, "name") ?? `Run ${run?.trimStart().split("\n", 1)[0] ?? uses ?? ""}`;
      const command = run ?? commandOfAction(uses ?? "", valueAt(step, "with"));
      // The plan has the values of a matrix, and the commands of actions, in other words.
      if (isNamed(label, names.step)) return {job, command, isExact: run?.includes("${{") === false};
    }
  }
  return null;
}

/** The relevant lines of the failed jobs' logs, for the agent. Only the job that runs the agent reads a log. */
export async function readRedLogs({record, context}: PreparedRun): Promise<{job: string; text: string}[]> {
  const jobs = (record.current().redJobs ?? []).filter(({outcome}) => outcome === "fix").slice(0, MAX_LOGS);
  const logs = [];
  for (const {id, name, step} of jobs) {
    const log = await context.github.jobLog(id);
    if (!log.ok) record.addNotes([{about: name, text: `its log could not be read (${log.failure.message})`}]);
    const text = log.ok ? distill({log: context.redact(log.value), maxChars: LOG_CHARS}).excerpt : "";
    logs.push({job: step === null ? name : `${name}: ${step}`, text});
  }
  return logs;
}
