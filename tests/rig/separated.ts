/** Runs the jobs of a workflow file, each on its own machine and with its own token; artifacts are folders. */
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {cp, mkdir, mkdtemp, rm} from "node:fs/promises";
import {join} from "node:path";
import {parse} from "yaml";
import {separatedWorkflow} from "../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import type {WorkflowRun} from "./github/additions.ts";
import {OWNER} from "./github/people.ts";
import {at, type Json} from "./json.ts";
import {MODEL} from "./model.ts";
import {type Job, PRODUCT, type Ran, type RunningStep} from "./runner.ts";
import type {ConcurrencyGroups} from "./workflow/concurrency.ts";
import {type JobEnd, type Step, type StepEnd, walkWorkflow} from "./workflow.ts";

/** How a test has a workflow run. */
export interface Separated {
  readonly text: string;
  /** before a job uploads: what its machine does to its own files, or to those that stand already */
  readonly onUpload?: (options: {job: string; folder: string; artifacts: string}) => Promise<void>;
  /** outputs that a machine says its step had, over those it had */
  readonly forged?: (part: string) => Readonly<Record<string, string>>;
  /** values of further secrets of the repository */
  readonly masked?: readonly string[];
  /** the variables of a job that may ask GitHub for its identity */
  readonly identity?: Readonly<Record<string, string>>;
  /** hears of each step of ours as it starts */
  readonly onStep?: (part: string, running: RunningStep, token: JobToken) => void;
  /** awaited when `main` of a step of ours is over, before anything else of its job runs */
  readonly afterMain?: (part: string) => Promise<void>;
  /** true: the machine of this part is gone after `main`, with its outputs and without its `post` */
  readonly isLost?: (part: string) => boolean;
  /** the machines of a matrix run at the same time */
  readonly isParallel?: boolean;
  /** put before the command of this part's step, such as a tracer */
  readonly under?: (part: string) => readonly string[];
}

export interface Walked {
  readonly ran: Ran;
  readonly jobs: Readonly<Record<string, JobEnd>>;
  readonly tokens: readonly JobToken[];
}

/** The token of one machine, and what its job's `permissions:` allow with it. */
export interface JobToken {
  readonly job: string;
  readonly token: string;
  readonly mayWrite: boolean;
}

/** A workflow run, from its start. */
export interface WalkingJobs {
  /** the step of ours that runs, or ran last */
  readonly current: () => RunningStep | null;
  /** resolves when the first step of ours has started, when the run has to wait, and when it is over without either */
  readonly begun: Promise<void>;
  /** as somebody does who presses "Cancel workflow" */
  cancel(): void;
  readonly ended: Promise<Walked>;
}

/** What a run leaves of which no step of ours started. */
const NOTHING_RAN: Ran = {
  exitCode: 0,
  postExitCode: null,
  log: "",
  outputs: {},
  summary: "",
  record: null,
  leftInTmp: [],
  changedOnMachine: [],
  durationMs: 0,
};

/** Walks the file. Colour, outputs and record are those of the whole: red when a job is red, the rest of the last step of ours. */
export function walkJobs(options: {
  workflow: Separated;
  /** the run is one job: its machine's folder is `place`, and what it left is given as it is */
  isOneJob: boolean;
  place: string;
  event: Job["event"];
  runId: number;
  secrets: Json;
  groups: ConcurrencyGroups;
  /** what GitHub says about each job */
  jobs: WorkflowRun["jobs"];
  jobToken: (permissions: Step["permissions"]) => string;
  checkOut: (options: {folder: string; token: string; ref: string; persist: boolean}) => Promise<void>;
  start: (job: Pick<Job, "folder" | "temp" | "token" | "inputs" | "env" | "under">) => Promise<RunningStep>;
}): WalkingJobs {
  const {workflow, place} = options;
  const artifacts = join(place, "artifacts");
  const machines = new Map<string, {folder: string; temp: string; token: string; mayWrite: boolean}>();
  const done: (Ran & {readonly part: string})[] = [];
  const started = performance.now();
  const cancel = new AbortController();
  let current: RunningStep | null = null;
  let count = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function machineOf(step: Pick<Step, "job" | "permissions">) {
    const known = machines.get(step.job);
    if (known !== undefined) return known;
    const folder = options.isOneJob ? place : join(place, step.job);
    await mkdir(join(folder, "workspace"), {recursive: true});
    const mayWrite = Object.values(step.permissions).includes("write");
    const token = options.jobToken(step.permissions);
    const made = {folder, temp: await mkdtemp(join(folder, "runner-temp-")), token, mayWrite};
    machines.set(step.job, made);
    return made;
  }

  async function act(step: Step): Promise<StepEnd> {
    const {folder, temp, token, mayWrite} = await machineOf(step);
    const {job} = step;
    // the folder that the file names is below `runner.temp`, which is not known before the machine is
    const path = (step.with["path"] ?? "").replace("RUNNER_TEMP", temp);
    const artifact = join(artifacts, step.with["name"] ?? "");
    if (step.uses.startsWith("actions/checkout@")) {
      await options.checkOut({
        folder: join(folder, "workspace"),
        token,
        ref: step.with["ref"] ?? "",
        persist: step.with["persist-credentials"] !== "false",
      });
      return {isGood: true, outputs: {}};
    }
    if (step.uses.startsWith("./")) return runLocalAction({step, workspace: join(folder, "workspace"), temp});
    if (step.uses.startsWith("actions/upload-artifact@")) {
      await mkdir(artifacts, {recursive: true});
      await workflow.onUpload?.({job, folder: path, artifacts});
      if (existsSync(artifact) && step.with["overwrite"] !== "true") return {isGood: false, outputs: {}};
      await rm(artifact, {recursive: true, force: true});
      if (existsSync(path)) await cp(path, artifact, {recursive: true});
      return {isGood: true, outputs: {}};
    }
    if (step.uses.startsWith("actions/download-artifact@")) {
      if (!existsSync(artifact)) return {isGood: false, outputs: {}};
      await cp(artifact, path, {recursive: true});
      return {isGood: true, outputs: {}};
    }
    if (step.uses.startsWith("actions/cache/")) return useCache({step, path, store: join(place, "..", "caches")});
    // this machine has it; what a step puts on another is not this machine's business
    if (step.run.includes("install -y bubblewrap")) return {isGood: true, outputs: {}};
    if (step.run === "exit 1") return {isGood: false, outputs: {}};
    if (!step.uses.startsWith("assay-run/assay@")) throw new Error(`the rig does not know ${step.uses || step.run}`);
    const part = step.with["job"] ?? "all";
    const under = workflow.under?.(part);
    const running = await options.start({
      folder,
      temp,
      token,
      inputs: step.with,
      env: {...step.env, ...(step.permissions["id-token"] === "write" && workflow.identity)},
      ...(under !== undefined && {under}),
    });
    current = running;
    const index = count++;
    step.signal.addEventListener("abort", () => running.cancel());
    begin();
    workflow.onStep?.(part, running, {job, token, mayWrite});
    const main = await running.main;
    await workflow.afterMain?.(part);
    if (workflow.isLost?.(part)) return {isGood: false, outputs: {}};
    return {
      isGood: main.exitCode === 0,
      outputs: {...main.outputs, ...workflow.forged?.(part)},
      async post() {
        const {ran, outputs} = await running.post();
        // in the order of the steps, and not of their posts
        done[index] = {...ran, part, log: options.isOneJob ? ran.log : `--- ${part}: ${ran.exitCode} ---\n${ran.log}`};
        return {isGood: ran.postExitCode === 0, outputs};
      },
    };
  }

  const secrets = Object.values(options.secrets).map(String);
  const walked = walkWorkflow({
    text: workflow.text,
    called: ({owner, repository, path}) =>
      `${owner}/${repository}` === "assay-run/assay" ? readFileSync(join(PRODUCT, path), "utf8") : null,
    composite,
    contexts: {
      github: {
        event: options.event.payload,
        event_name: options.event.name,
        run_id: String(options.runId),
        repository_owner: OWNER,
      },
      secrets: options.secrets,
      inputs: {},
      env: {},
    },
    runner: () => ({temp: "RUNNER_TEMP"}),
    hasFile: (job, path) => existsSync(join(place, options.isOneJob ? "" : job, "workspace", path)),
    masked: [...secrets, ...(workflow.masked ?? [])].filter((value) => value !== ""),
    groups: options.groups,
    isParallel: workflow.isParallel === true,
    cancel,
    onWait: () => begin(),
    onJob(job, status) {
      const now = new Date().toISOString();
      const started_at = options.jobs.get(job)?.started_at ?? now;
      options.jobs.set(job, {status, started_at, ...(status === "completed" && {completed_at: now})});
    },
    act,
  }).finally(() => begin());

  async function finish(): Promise<Walked> {
    const {jobs, result} = await walked;
    const [first] = done;
    // where `admit` has ended the run itself, `publish` has nothing to do
    const isEndedByAdmit = first?.part === "admit" && first.record !== null && done.at(-1)?.record === null;
    const last = (isEndedByAdmit ? first : done.at(-1)) ?? NOTHING_RAN;
    const whole: Ran = {
      ...last,
      exitCode: result === "failure" || result === "cancelled" ? 1 : 0,
      log: done.map(({log}) => log).join("\n"),
      summary: done.map(({summary}) => summary).join(""),
      // the verdict rests on these machines; the agent may do on its own what it likes
      changedOnMachine: done.flatMap(({part, changedOnMachine}) => (part === "verify" ? changedOnMachine : [])),
      leftInTmp: done.flatMap(({leftInTmp}) => leftInTmp),
      durationMs: performance.now() - started,
    };
    return {
      ran: options.isOneJob ? last : whole,
      jobs,
      tokens: [...machines].map(([job, {token, mayWrite}]) => ({job, token, mayWrite})),
    };
  }
  return {current: () => current, begun, cancel: () => cancel.abort(), ended: finish()};
}

/** GitHub's cache of all runs of the world, by exact key; an entry never changes. */
async function useCache({step, path, store}: {step: Step; path: string; store: string}): Promise<StepEnd> {
  const entry = join(store, encodeURIComponent(step.with["key"] ?? ""));
  const isHit = existsSync(entry);
  if (step.uses.includes("/save@")) {
    if (!isHit) await cp(path, entry, {recursive: true});
    return {isGood: true, outputs: {}};
  }
  if (isHit && step.with["lookup-only"] !== "true") await cp(entry, path, {recursive: true});
  return {isGood: true, outputs: {"cache-hit": String(isHit)}};
}

/** Those of this repository, as it is now. */
export function composite(uses: string): string | null {
  const [, path] = /^assay-run\/assay\/([^@]+)@/.exec(uses) ?? [];
  return path === undefined ? null : readFileSync(join(PRODUCT, path, "action.yml"), "utf8");
}

/** A composite action of the workspace: its scripts, one after the other. What it installs, this machine has. */
async function runLocalAction(options: {step: Step; workspace: string; temp: string}): Promise<StepEnd> {
  const action: unknown = parse(readFileSync(join(options.workspace, options.step.uses, "action.yml"), "utf8"));
  const steps = at(action, "runs", "steps");
  const env = {
    PATH: process.env["PATH"],
    RUNNER_TEMP: options.temp,
    GITHUB_WORKSPACE: options.workspace,
    ...options.step.env,
  };
  for (const one of Array.isArray(steps) ? steps : []) {
    const script = at(one, "run");
    if (typeof script === "string")
      execFileSync("bash", ["-e", "-c", script], {cwd: options.workspace, env, stdio: ["ignore", "pipe", "pipe"]});
  }
  return {isGood: true, outputs: {}};
}

/** The texts name a provider and its key; an owner who uses the rig's writes that. */
export const asOwner = (text: string): string =>
  text
    .replaceAll("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
    .replaceAll("provider: anthropic", `provider: ${MODEL.provider}`)
    .replaceAll("model: claude-sonnet-4-5", `model: ${MODEL.id}`);
const documented = (name: string) => asOwner(readFileSync(join(PRODUCT, "docs/workflows", name), "utf8"));

/** One job, for a trigger phrase; as docs/workflows/single.yml. */
export const oneJob = (phrase: string, on: readonly string[] = []): string => asOwner(singleWorkflow([], phrase, {on}));

/** The jobs in one file. */
export const SEPARATED = documented("separated.yml");

/** The same where two machines share the stages. */
export const SHARED = asOwner(separatedWorkflow([], {shards: 2}));

/** The same with a judge. */
export const JUDGED = asOwner(separatedWorkflow([], {judgeKey: "ANTHROPIC_API_KEY"}));

/** The default: a small workflow that calls `.github/workflows/separated.yml` of this repository. */
export const CALLING = documented("assay.yml");

/** The same with optional triggers, as for `assay init --on`. */
export const callingOn = (on: readonly string[]): string => asOwner(callerWorkflow(DEFAULT_PHRASE, on));

/** For tests of both modes: how a run is started in each. The first is the quicker one. */
export const MODES = [
  {mode: "one job", how: {}},
  {mode: "separate jobs", how: {separated: {text: SEPARATED}}},
];
