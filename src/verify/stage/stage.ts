/** Runs one command of the plan in a checkout and turns what happened into a stage result; nothing here can call an unknown a pass. */
import {isAbsolute, join, relative} from "node:path";
import {MAX_DIAGNOSTICS} from "../../diagnostics/compare.ts";
import {type Distilled, distill} from "../../diagnostics/distill.ts";
import {lastSummary, type Summary} from "../../diagnostics/last-summary.ts";
import {saysNoneRan, withReport} from "../../diagnostics/reports/reconcile.ts";
import {mayBeRefusal} from "../../diagnostics/reports/refusal.ts";
import {whyUnfinished} from "../../diagnostics/unfinished.ts";
import {runInBackground} from "../../process/background.ts";
import {findProgram, isFolder} from "../../process/isolation.ts";
import {type Ran, run} from "../../process/run.ts";
import type {Sandbox} from "../../process/sandbox.ts";
import type {Captured, Reported, StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Isolation} from "../../record/verification.ts";
import {foreignTool} from "./foreign-tools.ts";
import type {Logs} from "./logs.ts";
import {findLackingCommand, isNotFound, outcomeOf, runsNoTest} from "./outcome.ts";
import type {Reports, RequestedReport} from "./reports.ts";

/** How much of a stage's output its excerpt may carry. */
export const EXCERPT_CHARS = 6_000;

/** What the stages of one checkout share. `environment` makes the allow-listed variables for folders put first in PATH. */
export interface StageEnvironment {
  readonly folder: string;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true where the stage must not slow down anything else on this machine */
  readonly isBackground?: boolean;
  /** folders that are empty for a stage in a process namespace; a sandbox says more */
  readonly hidden?: readonly string[];
  /** where long outputs are kept; without it only their head and tail are */
  readonly logs?: Logs;
  /** how test runners are asked for reports; without it only their output is read */
  readonly reports?: Reports;
  /** what a stage with this environment may see and write; null where there is no sandbox */
  readonly sandbox: (env: Readonly<Record<string, string>>) => Sandbox | null;
  readonly environment: (o: {
    pathFirst: readonly string[];
    extra: Readonly<Record<string, string>>;
  }) => Record<string, string>;
}

type Command = Pick<Stage, "name" | "kind" | "command" | "cwd" | "timeout" | "optional" | "env" | "path" | "tools"> &
  Pick<Stage, "swallowedIn" | "rewrittenBy" | "countedBy" | "services">;

/** Runs `stage` and never rejects. A missing program, a signal, a timeout or a spawn error is an outcome, never a pass (P7). */
export async function runStage(stage: Command, surroundings: StageEnvironment): Promise<StageResult> {
  // A report is a gain; where nobody can be asked for one, the stage runs as planned.
  const asked = (await surroundings.reports?.ask(stage).catch(() => null)) ?? null;
  const {result, isRefused} = await runOnce(stage, surroundings, asked);
  return isRefused ? (await runOnce(stage, surroundings, null)).result : result;
}

interface Once {
  readonly result: StageResult;
  /** the question itself may have made it fail: whatever the runner says of it, no test was seen to fail */
  readonly isRefused: boolean;
}

async function runOnce(stage: Command, surroundings: StageEnvironment, asked: RequestedReport | null): Promise<Once> {
  const {folder, isolation, signal} = surroundings;
  const pathFirst = stage.path.map((entry) => (isAbsolute(entry) ? entry : join(folder, entry)));
  const env = surroundings.environment({pathFirst, extra: asked?.env ?? stage.env});
  const cwd = join(folder, stage.cwd);
  if (!isFolder(cwd)) {
    const reason = `the folder \`${stage.cwd}\` does not exist in this commit`;
    return {result: notRun(stage, {outcome: "unavailable", reason}), isRefused: false};
  }
  const missing = stage.tools.find((tool) => findProgram(tool.name, {cwd, path: env["PATH"] ?? ""}) === null);
  if (missing !== undefined) {
    const reason = `\`${missing.name}\` is not installed: ${missing.hint}`;
    return {result: notRun(stage, {outcome: "unavailable", reason}), isRefused: false};
  }
  const own = foreignTool({command: stage.command, cwd, folders: pathFirst});
  if (own !== null) {
    const hint = stage.tools.find(({name}) => name === own.name)?.hint ?? "declare it with the project's dependencies";
    const place = relative(folder, own.environment);
    const reason = `\`${own.name}\` is not in the project's environment (\`${place}\`), and one from outside could check other code: ${hint}`;
    return {result: notRun(stage, {outcome: "unavailable", reason}), isRefused: false};
  }
  const sandbox = surroundings.sandbox(env);
  const line = asked?.command ?? stage.command;
  const shell = ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", line] as const;
  const background = surroundings.isBackground === true;
  const sinceMs = Date.now();
  const spill = surroundings.logs?.begin(stage.name) ?? null;
  const ran = await run(
    {argv: background ? runInBackground(shell) : shell, cwd, env},
    {
      timeoutMs: stage.timeout * 1000,
      signal,
      isolation,
      ...(background && {graceMs: 200}),
      ...(sandbox !== null && {sandbox}),
      ...(surroundings.hidden && {hidden: surroundings.hidden}),
      ...(spill !== null && {spill}),
      ...(asked?.translation && {translation: asked.translation}),
    },
  );
  // Paths below the checkout are shown as the repository has them: where it lay on this machine helps nobody.
  const shorten = (text: string) => {
    const own = text.replaceAll(`${folder}/`, "");
    return asked === null ? own : asked.withoutTrace(own);
  };
  const {spilled, output} = ran;
  const long = spill && (await surroundings.logs?.finish({to: spill, spilled, output}));
  const {head, tail, droppedBytes} = output;
  const shown = {head: shorten(head), tail: shorten(tail), droppedBytes, ...(long?.log && {log: long.log})};
  const succeeded = ran.exit.kind === "exited" && ran.exit.code === 0;
  const reported = ran.exit.kind === "exited" ? ((await asked?.read({sinceMs, succeeded})) ?? null) : null;
  const text = long ? shorten(long.text) : wholeText(shown);
  const told = {
    ...{asked, text},
    ran: {...ran, output: shown},
    reported: reported && shortened(reported, shorten),
  };
  const result = judge(stage, told);
  const failed = Math.max(told.reported?.counts.failed ?? 0, result.tests?.failed ?? 0);
  const mayBeRefused = asked?.mayBeRefused === true && ran.exit.kind === "exited" && !succeeded && failed === 0;
  const isRefused = mayBeRefused && (asked.isNamedIn(head + tail) || mayBeRefusal({...result, output: text}));
  return {result, isRefused};
}

/** A result for a stage that was not started; `reason` is what the report shows. */
export function notRun(
  stage: Omit<Command, "timeout" | "env" | "path" | "tools">,
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

const shortened = (reported: Reported, shorten: (text: string) => string): Reported => ({
  ...reported,
  failed: reported.failed.map(({file, name, title, message}) => ({
    file: file && shorten(file),
    name: name && shorten(name),
    title: shorten(title),
    message: shorten(message),
  })),
  ...(reported.endedEarly && {endedEarly: reported.endedEarly.map(shorten)}),
});

/** `text` is what the evidence is read from: the output, or as much of a long one as can be held. */
function judge(
  stage: Command,
  o: {ran: Ran; text: string; asked: RequestedReport | null; reported: Reported | null},
): StageResult {
  const {ran, text, asked, reported} = o;
  const printed = distill({log: text, maxChars: EXCERPT_CHARS});
  const evidence = withReport<Distilled>(printed, {reported, isWhole: asked?.isWhole === true});
  const notFound = isNotFound(text);
  const lackingCommand = findLackingCommand(text);
  const isSuccess = ran.exit.kind === "exited" && ran.exit.code === 0;
  const last = isSuccess && (printed.tests?.failed ?? 0) > 0 ? lastSummary(text) : null;
  const told = {
    ...evidence,
    notFound,
    lackingCommand,
    lastSummary: last,
    swallowedIn: stage.swallowedIn ?? null,
    passed: (stage.rewrittenBy === undefined ? evidence.tests : reported?.counts)?.passed ?? 0,
    countedBy: stage.countedBy ?? null,
    isCounted: evidence.tests !== null,
    unfinished: isSuccess && stage.kind === "test" && reported === null ? whyUnfinished(text) : "",
    saysNoneRan: saysNoneRan(printed.tests, reported),
    reported,
  };
  const seen = withServices(outcomeOf({exit: ran.exit, kind: stage.kind, evidence: told}), stage);
  return {
    ...identity(stage),
    ...seen,
    exit: ran.exit,
    durationMs: ran.durationMs,
    output: ran.output,
    excerpt: seen.outcome === "passed" ? "" : evidence.excerpt,
    diagnostics: seen.outcome === "passed" ? [] : evidence.items.slice(0, MAX_DIAGNOSTICS),
    tests: runsNoTest(stage.kind) ? null : testsShown({seen, evidence, reported, last}),
    ...(reported !== null && {reported}),
    ...(isSuccess && reported === null && asked?.isAnswered === true && {isUnanswered: true}),
    baseline: null,
  };
}

/** Where something around the code is missing, it may be what CI starts next to its job. */
function withServices<T extends Pick<StageResult, "failureKind" | "reason">>(seen: T, {services = []}: Command): T {
  if (seen.failureKind !== "environment" || services.length === 0) return seen;
  return {...seen, reason: `${seen.reason}; CI starts ${services.join(", ")} next to the job`};
}

/** A pass is shown with the numbers that it stands on: what nested runs and earlier tries print is not among them. */
function testsShown(o: {
  seen: Pick<StageResult, "outcome">;
  evidence: Pick<Distilled, "tests">;
  reported: Reported | null;
  last: Summary | null;
}): StageResult["tests"] {
  const {seen, evidence, reported, last} = o;
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

/** The text of an output, with a line of ours where bytes are missing. */
export function wholeText(output: Captured): string {
  if (output.droppedBytes === 0) return output.head + output.tail;
  return `${output.head}\n[… ${output.droppedBytes} bytes left out …]\n${output.tail}`;
}
