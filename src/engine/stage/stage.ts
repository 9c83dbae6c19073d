/** Runs one command of the plan in a checkout and returns its stage result. An inconclusive run is never a pass (P7). */
import {isAbsolute, join, relative} from "node:path";
import {MAX_DIAGNOSTICS} from "../../diagnostics/compare.ts";
import {type Distilled, distill} from "../../diagnostics/distill.ts";
import {lastSummary, type Summary} from "../../diagnostics/last-summary.ts";
import {mayBeRefusal, saysNoneRan, withReport} from "../../diagnostics/reports/reconcile.ts";
import {runInBackground} from "../../process/background.ts";
import {findProgram, isFolder} from "../../process/isolation.ts";
import type {OutputFileOptions} from "../../process/output.ts";
import {type Ran, run} from "../../process/run.ts";
import type {Sandbox} from "../../process/sandbox.ts";
import type {Captured, Reported, StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Isolation} from "../../record/verification.ts";
import type {Exit} from "../../record/words.ts";
import type {CommandView} from "../isolation/sandbox-view.ts";
import {foreignTool} from "./foreign-tools.ts";
import type {LineCoverage} from "./line-coverage.ts";
import type {Logs} from "./logs.ts";
import {outcomeOf, runsNoTest} from "./outcome.ts";
import {type TreePaths, withPaths} from "./places.ts";
import type {Reports, RequestedReport} from "./reports.ts";

/** The size limit of a stage's excerpt. */
export const EXCERPT_CHARS = 6_000;

/**
 * The data that the stages of one checkout share. `variables` returns the allowed variables, with folders put first in
 * PATH.
 */
export interface StageEnvironment {
  readonly folder: string;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true if the stage runs at low priority */
  readonly isBackground?: boolean;
  /** between SIGTERM and SIGKILL of a run that is stopped */
  readonly graceMs?: number;
  /** folders that a stage in a process namespace sees as empty; a sandbox has its own list */
  readonly hidden?: readonly string[];
  /** receives long outputs; without it only their head and tail are captured */
  readonly logs?: Logs;
  /** the paths of the commit in the checkout; without it, the places of failures are as the tools name them */
  readonly paths?: () => Promise<TreePaths>;
  /** requests reports from test runners; without it only their output is read */
  readonly reports?: Reports;
  /** requests reports of the lines that tests run */
  readonly coverage?: LineCoverage;
  /** what a stage with these variables may see and write; null without a sandbox */
  readonly sandbox: (
    env: Readonly<Record<string, string>>,
    options: Pick<CommandView, "discardsInstallWrites">,
  ) => Sandbox | null;
  /** adds a program that starts the command, inside its sandbox */
  readonly around?: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]];
  /** true if no other stage depends on what the stage leaves */
  readonly isLeaf?: boolean;
  readonly variables: (options: {
    pathFirst: readonly string[];
    extra: Readonly<Record<string, string>>;
  }) => Record<string, string>;
}

type StageCommand = Pick<
  Stage,
  "name" | "kind" | "command" | "cwd" | "timeout" | "optional" | "env" | "path" | "tools"
> &
  Pick<Stage, "swallowedIn" | "rewrittenBy" | "countedBy" | "services">;

/**
 * Runs `stage` and never rejects. A missing program, a signal, a timeout or a spawn error is an outcome, never a pass
 * (P7).
 */
export async function runStage(stage: StageCommand, environment: StageEnvironment): Promise<StageResult> {
  // Without a report the stage runs as planned.
  const request = (await environment.reports?.request(stage).catch(() => null)) ?? null;
  const {result, isRefused} = await runOnce(stage, environment, request);
  return isRefused ? (await runOnce(stage, environment, null)).result : result;
}

interface RunOutcome {
  readonly result: StageResult;
  /** true if the report request itself may have caused the failure: no failing test is known */
  readonly isRefused: boolean;
}

async function runOnce(
  stage: StageCommand,
  environment: StageEnvironment,
  request: RequestedReport | null,
): Promise<RunOutcome> {
  const {folder, logs} = environment;
  const pathFirst = stage.path.map((entry) => (isAbsolute(entry) ? entry : join(folder, entry)));
  const env = environment.variables({pathFirst, extra: request?.env ?? stage.env});
  const cwd = join(folder, stage.cwd);
  const reason = whyUnavailable(stage, {folder, cwd, pathFirst, path: env["PATH"] ?? ""});
  if (reason !== "") return {result: notRun(stage, {outcome: "unavailable", reason}), isRefused: false};
  const sinceMs = Date.now();
  const file = logs?.begin(stage.name) ?? null;
  const finishedRun = await runCommand(stage, {environment, request, cwd, env, file});
  // Paths below the checkout are shown as the repository has them, because the checkout's path is meaningless to
  // readers.
  const shorten = (text: string) => {
    const relativeText = text.replaceAll(`${folder}/`, "");
    return request === null ? relativeText : request.withoutTrace(relativeText);
  };
  const {spilled, output} = finishedRun;
  const exit = shortenExit(finishedRun.exit, shorten);
  const long = file && (await logs?.finish({to: file, spilled, output}));
  const {head, tail, droppedBytes} = output;
  const shortOutput = {head: shorten(head), tail: shorten(tail), droppedBytes, ...(long?.log && {log: long.log})};
  const hasSucceeded = exit.kind === "exited" && exit.code === 0;
  const report = exit.kind === "exited" ? ((await request?.read({sinceMs, succeeded: hasSucceeded})) ?? null) : null;
  const text = long ? shorten(long.text) : wholeText(shortOutput);
  const judged = judge(stage, {
    ran: {...finishedRun, exit, output: shortOutput},
    text,
    request,
    reported: report && shortenReport(report, shorten),
  });
  const hasFiles = judged.diagnostics.some(({file: named}) => named !== undefined);
  const paths = hasFiles ? await environment.paths?.() : undefined;
  const result = paths ? {...judged, diagnostics: withPaths(judged.diagnostics, {paths, cwd: stage.cwd})} : judged;
  const failedCount = Math.max(report?.counts.failed ?? 0, result.tests?.failed ?? 0);
  const mayBeRefused = request?.mayBeRefused === true && exit.kind === "exited" && !hasSucceeded && failedCount === 0;
  const isRefused = mayBeRefused && (request.isNamedIn(head + tail) || mayBeRefusal({...result, output: text}));
  return {result, isRefused};
}

/** Why the stage cannot start in this commit or on this machine; empty if it can. */
function whyUnavailable(
  stage: StageCommand,
  {folder, cwd, pathFirst, path}: {folder: string; cwd: string; pathFirst: readonly string[]; path: string},
): string {
  if (!isFolder(cwd)) return `the folder \`${stage.cwd}\` does not exist in this commit`;
  const missingTool = stage.tools.find((tool) => findProgram(tool.name, {cwd, path}) === null);
  if (missingTool !== undefined) return `\`${missingTool.name}\` is not installed: ${missingTool.hint}`;
  const outsideTool = foreignTool({command: stage.command, cwd, folders: pathFirst});
  if (outsideTool === null) return "";
  const {name, environment} = outsideTool;
  const hint = stage.tools.find((tool) => tool.name === name)?.hint ?? "declare it with the project's dependencies";
  return `\`${name}\` is not in the project's environment (\`${relative(folder, environment)}\`), and one from outside could check other code: ${hint}`;
}

function runCommand(
  stage: StageCommand,
  {
    environment,
    request,
    cwd,
    env,
    file,
  }: {
    environment: StageEnvironment;
    request: RequestedReport | null;
    cwd: string;
    env: Readonly<Record<string, string>>;
    file: OutputFileOptions | null;
  },
): Promise<Ran> {
  const {isolation, signal, hidden, isBackground = false, isLeaf = false} = environment;
  const graceMs = environment.graceMs ?? (isBackground ? 200 : undefined);
  const sandbox = environment.sandbox(env, {discardsInstallWrites: isLeaf});
  const line = request?.command ?? stage.command;
  const shell = ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", line] as const;
  const argv = environment.around?.(shell) ?? shell;
  return run(
    {argv: isBackground ? runInBackground(argv) : argv, cwd, env},
    {
      timeoutMs: stage.timeout * 1000,
      signal,
      isolation,
      ...(graceMs !== undefined && {graceMs}),
      ...(sandbox !== null && {sandbox}),
      ...(hidden && {hidden}),
      ...(file !== null && {spill: file}),
      ...(request?.translation && {translation: request.translation}),
    },
  );
}

/** A result for a stage that was not started; the report shows the `reason`. */
export function notRun(
  stage: Omit<StageCommand, "timeout" | "env" | "path" | "tools">,
  why: {outcome: "skipped" | "unavailable"; reason: string},
): StageResult {
  return {
    ...identity(stage),
    outcome: why.outcome,
    failureKind: why.outcome === "unavailable" ? "environment" : null,
    reason: why.reason,
    exit: null,
    durationMs: 0,
    output: null,
    excerpt: "",
    diagnostics: [],
    tests: null,
    baseline: null,
  };
}

const shortenExit = (exit: Exit, shorten: (text: string) => string): Exit =>
  exit.kind === "timed-out" && exit.running !== undefined ? {...exit, running: exit.running.map(shorten)} : exit;

const shortenReport = (reported: Reported, shorten: (text: string) => string): Reported => ({
  ...reported,
  failed: reported.failed.map(({file, name, title, message}) => ({
    file: file && shorten(file),
    name: name && shorten(name),
    title: shorten(title),
    message: shorten(message),
  })),
  ...(reported.others && {
    others: reported.others.map(({file, title, outcome}) => ({file: file && shorten(file), title, outcome})),
  }),
  ...(reported.endedEarly && {endedEarly: reported.endedEarly.map(shorten)}),
});

/** `text` is the evidence: the output, or the start and end of a long one. */
function judge(
  stage: StageCommand,
  {ran, text, request, reported}: {ran: Ran; text: string; request: RequestedReport | null; reported: Reported | null},
): StageResult {
  const distilled = distill({log: text, maxChars: EXCERPT_CHARS});
  const evidence = withReport<Distilled>(distilled, {reported, isWhole: request?.isWhole === true});
  const isSuccess = ran.exit.kind === "exited" && ran.exit.code === 0;
  const lastTests = isSuccess && (distilled.tests?.failed ?? 0) > 0 ? lastSummary(text) : null;
  const fullEvidence = {
    ...evidence,
    text,
    reported,
    lastSummary: lastTests,
    saysNoneRan: saysNoneRan(distilled.tests, reported),
  };
  const judgement = withServices(outcomeOf({exit: ran.exit, stage, evidence: fullEvidence}), stage);
  return {
    ...identity(stage),
    ...judgement,
    exit: ran.exit,
    startedMs: performance.now() - ran.durationMs,
    durationMs: ran.durationMs,
    output: ran.output,
    excerpt: judgement.outcome === "passed" ? "" : evidence.excerpt,
    diagnostics: judgement.outcome === "passed" ? [] : evidence.items.slice(0, MAX_DIAGNOSTICS),
    tests: runsNoTest(stage.kind) ? null : shownTests({seen: judgement, evidence, reported, last: lastTests}),
    ...(reported !== null && {reported}),
    ...(isSuccess && reported === null && request?.isAnswered === true && {isUnanswered: true}),
    baseline: null,
  };
}

/** A missing part of the environment may be a service that CI starts next to its job. */
function withServices<T extends Pick<StageResult, "failureKind" | "reason">>(
  seen: T,
  {services = []}: StageCommand,
): T {
  if (seen.failureKind !== "environment" || services.length === 0) return seen;
  return {...seen, reason: `${seen.reason}; CI starts ${services.join(", ")} next to the job`};
}

/** The counts that prove a pass, without those of nested runs and earlier tries. */
function shownTests({
  seen,
  evidence,
  reported,
  last,
}: {
  seen: Pick<StageResult, "outcome">;
  evidence: Pick<Distilled, "tests">;
  reported: Reported | null;
  last: Summary | null;
}): StageResult["tests"] {
  if (seen.outcome !== "passed" || (evidence.tests?.failed ?? 0) === 0) return evidence.tests;
  return reported?.counts ?? last?.counts ?? null;
}

const identity = (stage: Pick<Stage, "name" | "kind" | "command" | "cwd" | "optional">) => ({
  name: stage.name,
  kind: stage.kind,
  command: stage.command,
  cwd: stage.cwd,
  optional: stage.optional,
});

/** The output as text, with a note in place of missing bytes. */
export function wholeText(output: Captured): string {
  if (output.droppedBytes === 0) return output.head + output.tail;
  return `${output.head}\n[… ${output.droppedBytes} bytes left out …]\n${output.tail}`;
}
