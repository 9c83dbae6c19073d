/** Runs the built action as GitHub's runner does: `main`, and `post` at the end of the job, with the runner's variables and files. */
import {type ChildProcess, spawn} from "node:child_process";
import {once} from "node:events";
import {existsSync, readFileSync} from "node:fs";
import {mkdir, mkdtemp, readdir, readFile, symlink, writeFile} from "node:fs/promises";
import {delimiter, join} from "node:path";
import {parse} from "yaml";
import {type RunRecord, recordSchema} from "../../src/record/record.ts";
import {agentProgram} from "./agent.ts";
import {COMPILE_CACHE} from "./compile-cache.ts";
import {at, isObject, type Json, textAt} from "./json.ts";
import {paceNow} from "./pace.ts";
import {makeStepFiles} from "./runner/files.ts";
import {machineChanges, seeMachine} from "./runner/machine.ts";

/** The root of the product, with its action.yml and its dist. */
export const PRODUCT = new URL("../..", import.meta.url).pathname;
/** What a runner uses to reach the outside, and the tools that it has. */
const PASSED_ON = ["LANG", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const LONGEST_STEP_MS = 240_000;

export interface Job {
  /** this world's own folder: home, workspace and the runner's temporary files are in it */
  readonly folder: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly repository: string;
  readonly actor: string;
  readonly token: string;
  readonly event: {readonly name: string; readonly payload: Json};
  readonly sha: string;
  /** as in `with:`; the defaults of action.yml are added */
  readonly inputs: Readonly<Record<string, string>>;
  /** as in `env:`, such as the model's key */
  readonly env: Readonly<Record<string, string>>;
  /** folder with the action.yml and what it names; default: this product */
  readonly product?: string;
  /** 2 and up: "Re-run jobs" */
  readonly attempt?: number;
  readonly runId?: number;
  /** the runner's temporary folder, where an earlier step of the same job has made it */
  readonly temp?: string;
  /** put before the command of both steps, such as a tracer */
  readonly under?: readonly string[];
  /** see `Ran.changedOnMachine` */
  readonly watchesMachine?: boolean;
  /** hears what both steps print, as it comes */
  readonly onOutput?: (text: string) => void;
}

export interface Ran {
  /** of `main`; null when a signal ended it */
  readonly exitCode: number | null;
  readonly postExitCode: number | null;
  /** all that both steps printed, but for the lines that register a mask, which the runner never shows */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly record: RunRecord | null;
  /** what both steps left in the temporary folder of the system */
  readonly leftInTmp: readonly string[];
  /** programs, settings and runner's files that are not what they were; always empty without `watchesMachine` */
  readonly changedOnMachine: readonly string[];
  readonly durationMs: number;
}

export interface Running {
  /** Waits until `main` has printed this. Rejects when it ends without. */
  saw(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** SIGINT, SIGTERM after 7.5 s, SIGKILL after another 2.5 s: how the runner cancels a step */
  cancel(): void;
  readonly ended: Promise<Ran>;
}

/** A step whose `post` the runner starts only at the end of the job. */
export interface RunningStep extends Running {
  readonly main: Promise<Pick<Ran, "exitCode" | "outputs">>;
  post(): Promise<{readonly ran: Ran; readonly outputs: Ran["outputs"]}>;
}

/** Starts `main`. Nothing rejects for what the product does. */
export async function startAction(job: Job): Promise<RunningStep> {
  const product = job.product ?? PRODUCT;
  const action: unknown = parse(readFileSync(join(product, "action.yml"), "utf8"));
  const started = performance.now();
  const temp = job.temp ?? (await mkdtemp(join(job.folder, "runner-temp-")));
  const variables = await variablesOf({job, action, temp});
  const commands = await mkdtemp(join(await madeFolder(join(temp, "_runner_file_commands")), "step-"));
  const mainFiles = await makeStepFiles(join(commands, "main"));
  const see = () => (job.watchesMachine === true ? seeMachine(variables) : new Map<string, string>());
  const seen = see();
  const main = startStep({
    product,
    action,
    entry: "main",
    under: job.under ?? [],
    env: {...variables, ...mainFiles.variables},
    cwd: variables.GITHUB_WORKSPACE,
    onOutput: job.onOutput,
  });
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, signal: NodeJS.Signals) => timers.push(setTimeout(() => main.child.kill(signal), ms));
  after(LONGEST_STEP_MS, "SIGKILL");

  const mainEnd = main.ended.then(async (exitCode) => {
    for (const timer of timers) clearTimeout(timer);
    return {exitCode, outputs: await mainFiles.outputs()};
  });

  let end: (ran: Ran) => void = () => {};
  const ended = new Promise<Ran>((resolve) => {
    end = resolve;
  });
  async function runPost() {
    const {exitCode, outputs} = await mainEnd;
    const state = Object.entries(await mainFiles.state()).map(([name, value]) => [`STATE_${name}`, value]);
    const postFiles = await makeStepFiles(join(commands, "post"));
    const env = {...variables, ...postFiles.variables, ...Object.fromEntries(state)};
    const {onOutput} = job;
    const under = job.under ?? [];
    const post = startStep({product, action, under, entry: "post", env, cwd: variables.GITHUB_WORKSPACE, onOutput});
    const timer = setTimeout(() => post.child.kill("SIGKILL"), LONGEST_STEP_MS);
    const postExitCode = await post.ended;
    clearTimeout(timer);
    const log = `${main.log()}\n--- post ---\n${post.log()}`;
    const ran: Ran = {
      exitCode,
      postExitCode,
      log: log.replace(/^::add-mask::.*$/gm, ""),
      outputs,
      summary: (await mainFiles.summary()) + (await postFiles.summary()),
      record: await readRecord(outputs["record"]),
      changedOnMachine: machineChanges(seen, see()),
      leftInTmp: await readdir(variables.TMPDIR),
      durationMs: performance.now() - started,
    };
    end(ran);
    return {ran, outputs: await postFiles.outputs()};
  }

  return {
    saw: main.saw,
    kill: (signal) => void main.child.kill(signal),
    cancel() {
      const pace = paceNow();
      main.child.kill("SIGINT");
      after(7_500 * pace, "SIGTERM");
      after(10_000 * pace, "SIGKILL");
    },
    main: mainEnd,
    post: runPost,
    ended,
  };
}

async function madeFolder(folder: string): Promise<string> {
  await mkdir(folder, {recursive: true});
  return folder;
}

/** A record that is there must be of the form that the product promises: then this throws. */
async function readRecord(file: string | undefined): Promise<RunRecord | null> {
  if (file === undefined || !existsSync(file)) return null;
  return recordSchema.parse(JSON.parse(await readFile(file, "utf8")));
}

function startStep(options: {
  product: string;
  action: unknown;
  entry: "main" | "post";
  under: readonly string[];
  env: Record<string, string>;
  cwd: string;
  onOutput: Job["onOutput"];
}) {
  const file = textAt(options.action, "runs", options.entry);
  if (file === "") throw new Error(`action.yml has no runs.${options.entry}`);
  const node = join(PRODUCT, "node_modules/node/bin/node");
  const [program = node, ...args] = [...options.under, node, join(options.product, file)];
  const child: ChildProcess = spawn(program, args, {
    env: options.env,
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  let over = false;
  let onText = () => {};
  const take = (text: string) => {
    log += text;
    onText();
    options.onOutput?.(text);
  };
  // a letter of several bytes may come in two chunks
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", take);
  // Not `close` alone: something that the step left behind may hold its pipes. Nor `exit` alone: on a busy machine the last
  // words are still on their way then.
  const closed = once(child, "close");
  const ended = once(child, "exit").then(async ([code]: (number | null)[]) => {
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))]);
    over = true;
    onText();
    return code ?? null;
  });
  const saw = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      onText = () => {
        if (pattern.test(log)) resolve();
        else if (over) reject(new Error(`the step ended without ${pattern}:\n${log}`));
      };
      onText();
    });
  return {child, ended, saw, log: () => log};
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
async function variablesOf({job, action, temp}: {job: Job; action: unknown; temp: string}) {
  const folders = {home: join(job.folder, "home"), bin: join(temp, "bin"), tmp: join(temp, "system-tmp")};
  for (const folder of Object.values(folders)) await mkdir(folder, {recursive: true});
  // Node and the agent as an earlier step could have installed them, and nothing else of the product's own packages
  const tools = {node: join(PRODUCT, "node_modules/node/bin/node"), pi: agentProgram()};
  for (const [name, file] of Object.entries(tools)) {
    const link = join(folders.bin, name);
    if (!existsSync(link)) await symlink(file, link);
  }
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const event = join(await madeFolder(join(temp, "_github_workflow")), "event.json");
  await writeFile(event, JSON.stringify(job.event.payload));
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...inputsOf({job, action}),
    PATH: [folders.bin, ...path].join(delimiter),
    HOME: folders.home,
    TMPDIR: folders.tmp,
    // The agent loads so many modules that compiling them anew is a third of the time that it takes to start.
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "assay",
    GITHUB_ACTION_PATH: job.product ?? PRODUCT,
    GITHUB_ACTOR: job.actor,
    GITHUB_API_URL: job.apiUrl,
    GITHUB_EVENT_NAME: job.event.name,
    GITHUB_EVENT_PATH: event,
    GITHUB_GRAPHQL_URL: `${job.apiUrl}/graphql`,
    GITHUB_JOB: "assay",
    GITHUB_REF: "refs/heads/main",
    GITHUB_REF_NAME: "main",
    GITHUB_REF_TYPE: "branch",
    GITHUB_REPOSITORY: job.repository,
    GITHUB_REPOSITORY_OWNER: job.repository.split("/")[0] ?? "",
    GITHUB_RETENTION_DAYS: "90",
    GITHUB_RUN_ATTEMPT: String(job.attempt ?? 1),
    GITHUB_RUN_ID: String(job.runId ?? 4711),
    GITHUB_RUN_NUMBER: "7",
    GITHUB_SERVER_URL: job.serverUrl,
    GITHUB_SHA: job.sha,
    GITHUB_TRIGGERING_ACTOR: job.actor,
    GITHUB_WORKFLOW: "Assay",
    GITHUB_WORKFLOW_REF: `${job.repository}/.github/workflows/assay.yml@refs/heads/main`,
    GITHUB_WORKSPACE: join(job.folder, "workspace"),
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "rig",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: join(temp, "tool-cache"),
    // a secret of the runner's own, which every step gets
    ACTIONS_RUNTIME_TOKEN: `rig-runtime-${job.token.slice(-12)}`,
    ...job.env,
  };
}

/** `with:` over the defaults of action.yml. The names keep their dashes; only spaces become underscores. */
function inputsOf({job, action}: {job: Job; action: unknown}): Record<string, string> {
  const known = at(action, "inputs");
  const declared = isObject(known) ? Object.keys(known) : [];
  const strange = Object.keys(job.inputs).filter((name) => !declared.includes(name));
  if (strange.length > 0) throw new Error(`action.yml has no input ${strange.join(", ")}`);
  const entries = declared.map((name) => {
    const fallback = at(known, name, "default");
    const value = job.inputs[name] ?? (fallback === undefined ? "" : String(fallback));
    const evaluated = value.replaceAll(/\$\{\{\s*github\.token\s*\}\}/g, job.token);
    if (evaluated.includes("${{")) throw new Error(`the rig cannot evaluate the default of ${name}: ${value}`);
    return [`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`, evaluated];
  });
  return Object.fromEntries(entries);
}
