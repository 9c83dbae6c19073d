/** Connects the action with its runner: inputs, outputs, masks, summary, state. Only it reads the environment. */
import {existsSync, realpathSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {relative, resolve} from "node:path";
import {error, getState, saveState as keepState, setOutput, setSecret, summary} from "@actions/core";
import {escapeLog} from "../process/escape-log.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {headerSecrets} from "../secrets/header-secrets.ts";
import {type Inputs, type OutputName, parseInputs} from "./inputs.ts";

/** Where this run happens. Texts that the environment does not give are empty. */
export interface RunnerContext {
  /** the checkout */
  readonly workspace: string;
  /** a folder that the runner empties after the job */
  readonly temp: string;
  readonly eventName: string;
  readonly eventPath: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly runAttempt: string;
  /** the page of this run, or null outside GitHub Actions */
  readonly runUrl: string | null;
}

export interface Runner {
  readonly context: RunnerContext;
  readonly inputs: Inputs;
  /** the whole environment as it was, for the allow-lists of agent and stages */
  readonly variables: RunnerVariables;
  /** values that no sink may show */
  readonly secrets: readonly string[];
}

type RunnerVariables = Readonly<Record<string, string | undefined>>;

/** Variables whose values count as secrets. */
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:API|ACCESS|PRIVATE|AUTH|SESSION)[_-]?KEY|HEADERS/i;
/** Shorter values are words such as `true`: masking them would make the log unreadable. */
const SHORTEST_SECRET = 8;

/**
 * Reads the whole environment once. Secrets are masked in the log and removed from `process.env`, so that no library
 * and no child process finds them by accident; children get allow-lists in any case. `/proc/self/environ` still has
 * them, and only a PID namespace hides that file from processes of the same user. The event of `assay run --event` is
 * passed in. Fails as `config-invalid`, and names every wrong input.
 */
export function openRunner(event?: {readonly name: string; readonly path: string}): Result<Runner, Failure> {
  const variables: RunnerVariables = {...process.env};
  const secrets = takeSecrets(variables);
  useProxy();
  const read = (name: string) => (name === "github-token" ? tokenOf(variables) : variables[variableOf(name)]);
  const inputs = event === undefined ? parseInputs(read) : parseInputs(read, OF_A_TERMINAL);
  if (!inputs.ok) return inputs;
  const context = readContext(variables, event);
  if (isInside(context.workspace, inputs.value["agent-config"])) return refused(CONFIG_IN_CHECKOUT);
  return ok({context, inputs: inputs.value, variables, secrets});
}

/** A shell cannot set a variable with a hyphen, but `env` can. */
const OF_A_TERMINAL = {
  file: "the environment",
  cure: (name: string) =>
    name === "github-token" ? "Set the variable `GITHUB_TOKEN`." : `Correct it with \`env "${variableOf(name)}=…"\`.`,
};

/**
 * In the checkout, the agent could change its own configuration for the next turn, and a pull request could bring one:
 * hooks and servers, which would run next to the model's key.
 */
const CONFIG_IN_CHECKOUT: Failure = {
  kind: "config-invalid",
  file: "the workflow's inputs",
  mistakes: [
    {
      path: "agent-config",
      message: "is in the checkout, which the agent and a pull request can change",
      hint: 'Copy the folder to a place outside in a step before Assay, such as "${{ runner.temp }}/agent-config". See docs/agents.md.',
    },
  ],
};

/** True if `path`, or the folder that it links to, is in `folder`. An empty path is nowhere. */
function isInside(folder: string, path: string): boolean {
  if (path === "") return false;
  const contains = (outer: string, inner: string) => !/^\.\.(?:\/|$)/.test(relative(outer, inner));
  const given = resolve(folder, path);
  return contains(resolve(folder), given) || contains(realPath(folder), realPath(given));
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Reads the environment without the inputs: settling must work even if an input is wrong. */
export function readContext(
  variables: RunnerVariables = process.env,
  event?: {readonly name: string; readonly path: string},
): RunnerContext {
  const get = (name: string, otherwise = "") => variables[name] || otherwise;
  const [serverUrl, repository] = [get("GITHUB_SERVER_URL", "https://github.com"), get("GITHUB_REPOSITORY")];
  const [runId, runAttempt] = [get("GITHUB_RUN_ID"), get("GITHUB_RUN_ATTEMPT", "1")];
  return {
    workspace: get("GITHUB_WORKSPACE", process.cwd()),
    temp: get("RUNNER_TEMP", tmpdir()),
    eventName: event?.name ?? get("GITHUB_EVENT_NAME"),
    eventPath: event?.path ?? get("GITHUB_EVENT_PATH"),
    apiUrl: get("GITHUB_API_URL", "https://api.github.com"),
    serverUrl,
    repository,
    runAttempt,
    runUrl: runId === "" ? null : `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`,
  };
}

/**
 * Writes the outputs for later steps. Empties their file first, because a stage may have written false outputs into it.
 * Outside GitHub Actions there are no outputs, and stdout belongs to the command line.
 */
export function writeOutputs(outputs: Readonly<Partial<Record<OutputName, string>>>): void {
  const file = process.env["GITHUB_OUTPUT"];
  if (!file) return;
  writeFileSync(file, "");
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/** Shows one sentence on the job's page. Foreign text in it cannot start another command of the runner. */
export function annotateError(text: string): void {
  if (process.env["GITHUB_ACTIONS"]) error(escapeLog(text, ""), {title: "Assay"});
}

/**
 * GitHub drops a summary above 1 MiB:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
const SUMMARY_BYTES = 1024 * 1024;

/**
 * Replaces the job's summary. Returns false if the runner has no summary file, the text is too long, or the write
 * fails.
 */
export async function writeSummary(markdown: string): Promise<boolean> {
  if (!process.env["GITHUB_STEP_SUMMARY"] || Buffer.byteLength(markdown) > SUMMARY_BYTES) return false;
  const isWritten = await summary
    .emptyBuffer()
    .addRaw(markdown, true)
    .write({overwrite: true})
    .then(
      () => true,
      () => false,
    );
  summary.emptyBuffer();
  return isWritten;
}

/** The values that `main` passes to `post`. The runner stores them out of the agent's reach. */
type StateKey = "booked" | "closed" | "ended" | "event" | "followed-up" | "notified" | "searched";

/** Saves a text for the `post` step; the last one of a key counts. Never a secret, as the runner keeps it in a file. */
export function saveState(key: StateKey, value: string): void {
  if (process.env["GITHUB_STATE"]) keepState(`assay_${key}`, value);
}

/** The value that `main` saved for this `post` step; empty if there is none. */
export function readState(key: StateKey): string {
  return getState(`assay_${key}`);
}

/** GitHub's rule: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#inputs */
function variableOf(input: string): string {
  return `INPUT_${input.replaceAll(" ", "_").toUpperCase()}`;
}

function tokenOf(variables: RunnerVariables): string | undefined {
  return variables[variableOf("github-token")] || variables["GITHUB_TOKEN"] || variables["GH_TOKEN"];
}

function takeSecrets(variables: RunnerVariables): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || !SECRET_NAME.test(name)) continue;
    delete process.env[name];
    // The runner masks the whole value, but a report may contain the name of a header.
    const parts = /HEADERS/i.test(name) ? headerSecrets(value) : [value];
    for (const secret of parts.filter(({length}) => length >= SHORTEST_SECRET)) secrets.add(secret);
    for (const mask of new Set([value, ...parts]))
      if (mask.length >= SHORTEST_SECRET && variables["GITHUB_ACTIONS"] === "true") setSecret(mask);
  }
  return [...secrets];
}

/** Runners behind a proxy name it in `https_proxy`; Node's fetch uses that only on request (from 24.14). */
function useProxy(): void {
  // Loaded only if needed: it takes a third of the action's start.
  const isAsked = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
  const http = isAsked ? process.getBuiltinModule?.("node:http") : undefined;
  if (typeof http?.setGlobalProxyFromEnv === "function") http.setGlobalProxyFromEnv();
}
