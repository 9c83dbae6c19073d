/** The context of a run, built once at the start: inputs, GitHub client, folders, signal and redactor. */
import {readFileSync, realpathSync, statSync} from "node:fs";
import {homedir} from "node:os";
import {dirname, join, relative} from "node:path";
import type {Project} from "../detect/files/project.ts";
import type {GitHub} from "../github/client.ts";
import type {Inputs} from "../github/inputs.ts";
import {openRunner, type RunnerContext} from "../github/runner.ts";
import type {WithheldWrite} from "../github/withhold-writes.ts";
import {escapeLog} from "../process/escape-log.ts";
import type {OnEvent} from "../record/events.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {createRedactor} from "../secrets/redact.ts";
import {VERSION} from "./version.ts";

/** GitHub's own limit for a payload is 25 MB. */
const MAX_EVENT_BYTES = 26 * 1024 * 1024;

/** The runner's folder for the event's payload: below its temporary folder, or with this name in a container job. */
const EVENT_FOLDER = "_github_workflow";
const CONTAINER_EVENT_FOLDER = "/github/workflow";

/**
 * The folder of the files behind `GITHUB_ENV`, `GITHUB_PATH` and similar variables, in the runner's temporary folder.
 * Their content affects the following steps (actions/runner, FileCommandManager.cs).
 */
export const COMMAND_FILES = "_runner_file_commands";

export interface RunContext {
  readonly inputs: Inputs;
  readonly runner: RunnerContext;
  /** the environment as it was, for the allow-lists of git, agent and stages */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly string[];
  /** the event's payload, as text */
  readonly event: string;
  readonly github: GitHub;
  /** in a dry run, the writes that were not sent to GitHub; otherwise null */
  readonly withheld: WithheldWrite[] | null;
  /** the clone that takes the place of GitHub, for `assay try`; otherwise null */
  readonly clone: Clone | null;
  readonly signal: AbortSignal;
  /** aborts `signal` from within, with this reason */
  readonly end: (reason: unknown) => void;
  readonly realHome: string;
  readonly version: string;
  /** removes the secrets from a text */
  readonly redact: (text: string) => string;
  /** one line for the log; foreign text in it is made harmless */
  readonly log: (line: string) => void;
  readonly now: () => string;
  /** receives the events of the run, next to the log */
  readonly onEvent?: OnEvent;
}

/** A person's clone: the agent must not reach it, or the person's other files, whatever its verify.json says. */
export interface Clone {
  readonly folder: string;
  readonly needsSandbox: boolean;
  /** words the hints for missing programs for a person at a terminal */
  readonly withLocalHints: (plan: Plan, project: Project) => Plan;
}

/** Builds the context of a run. Fails as `config-invalid`, with every wrong input named. */
export async function openRunContext(options: {
  signal: AbortSignal;
  print: (line: string) => void;
  event?: {readonly name: string; readonly path: string};
  /** the payload that `main` saved for `post`, because the agent may have been able to change the file */
  keptEvent?: string;
  /** as the input `dry-run` */
  isDryRun?: boolean;
  /** the clone that takes the place of GitHub */
  clone?: Clone;
}): Promise<Result<RunContext, Failure>> {
  const runnerOpening = openRunner(options.event);
  if (!runnerOpening.ok) return runnerOpening;
  const {context: runner, variables, secrets} = runnerOpening.value;
  const inputs = {...runnerOpening.value.inputs, ...(options.isDryRun && {"dry-run": true})};
  const raw = options.keptEvent || readBounded(runner.eventPath);
  if (raw === null) {
    const hint = "run Assay from a workflow, or give the payload with `assay run --event FILE`";
    const mistake = {path: "event", message: "the event's payload could not be read", hint};
    return refused({kind: "config-invalid", file: "the environment", mistakes: [mistake]});
  }
  const {connect} = await import("../github/client.ts");
  const {startPayload} = await import("../request/start-payload.ts");
  const redact = createRedactor({secrets});
  const ending = new AbortController();
  const now = () => new Date().toISOString();
  const log = (line: string) => options.print(escapeLog(redact(line), ""));
  // A progress text that arrives late would replace the report.
  const patience = inputs.job === "progress" ? {tries: 1, tryMs: 5_000, callMs: 5_000} : {};
  const place = {apiUrl: runner.apiUrl, repository: runner.repository};
  const github = connect({token: inputs["github-token"], ...place, log, patience});
  const withheld: WithheldWrite[] | null = inputs["dry-run"] ? [] : null;
  return ok({
    inputs,
    runner,
    variables,
    secrets,
    event: options.keptEvent ? raw : startPayload({name: runner.eventName, raw, variables, now: now()}),
    github:
      withheld === null ? github : (await import("../github/withhold-writes.ts")).withholdWrites(github, withheld),
    withheld,
    clone: options.clone ?? null,
    signal: AbortSignal.any([options.signal, ending.signal]),
    end: (reason) => ending.abort(reason),
    realHome: homedir(),
    version: VERSION,
    redact,
    log,
    now,
  });
}

/** The bot's own folder in a run. The same trigger has the same folder, so that `post` finds the files of `main`. */
export function runFolder(runner: Pick<RunnerContext, "temp" | "runAttempt">, runId: string): string {
  return join(runner.temp, "assay", `${runId}-${runner.runAttempt}`, "bot");
}

/** The agent's folder: its conversation, settings, temporary files and, if necessary, its program. */
export const agentFolder = (run: {readonly folder: string}): string => join(dirname(run.folder), "agent");

/** Where a step before Assay's restores what the base's install downloads. The workflows use the same name. */
export const downloadsFolder = ({runner}: Pick<RunContext, "runner">): string => join(runner.temp, "assay-cache");

/** The folder of the conversation's file, which the agent can write. */
export const conversationFolder = (run: {readonly folder: string}): string => join(agentFolder(run), "conversation");

/**
 * The paths that a sandboxed agent cannot see: the runner's command files and the event's payload, all of the bot's
 * files in this run (record, git directory, checkouts, the base's dependencies), and the bot's own program, of which
 * some parts are loaded late.
 */
export function hiddenFromAgent(options: {runner: RunnerContext; folder: string; program: string}): string[] {
  const {runner, folder, program} = options;
  const bundle = dirname(realpathSync(program));
  const isApart = relative(runner.workspace, bundle).startsWith("..");
  const runnerPaths = [join(runner.temp, COMMAND_FILES), join(runner.temp, EVENT_FOLDER), CONTAINER_EVENT_FOLDER];
  return [...runnerPaths, folder, ...(isApart ? [bundle] : [])];
}

function readBounded(file: string): string | null {
  const stat = file === "" ? undefined : statSync(file, {throwIfNoEntry: false});
  return stat?.isFile() && stat.size <= MAX_EVENT_BYTES ? readFileSync(file, "utf8") : null;
}
