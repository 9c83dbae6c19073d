/** Records which changed lines the tests run, with the coverage tool that the project has. */
import {joinLineRuns, type LineRuns} from "../diagnostics/reports/line-coverage.ts";
import {runStage, type StageEnvironment} from "../engine/stage/stage.ts";
import {inlineTestLines, isTestFile} from "../integrity/changed-tests/new-tests.ts";
import type {InspectedFile} from "../integrity/source/inspected-change.ts";
import {isProductCode} from "../integrity/source/kinds.ts";
import {compareLines} from "../integrity/source/line-changes.ts";
import type {ExecutedLines, LineRange} from "../record/executed-lines.ts";
import {languageOf} from "../test-code/text/languages.ts";
import {maskSource} from "../test-code/text/mask.ts";
import {isNoProduct} from "./sensitivity/choose-faults.ts";
import type {SensitivityOptions} from "./sensitivity/measure-sensitivity.ts";
import {openVerifiedCheckout} from "./sensitivity/open-checkout.ts";
import {type FaultRun, planRun, stageWithLimit, type TestCommand} from "./sensitivity/plan-runs.ts";
import {MIN_BUDGET_MS, timeForRuns} from "./sensitivity/time-budget.ts";

/** A report lists no more ranges and files. */
const MAX_LISTED = 200;

/** Null if no changed line has code that the project's coverage tool counts. Never rejects. */
export async function measureExecutedLines(options: SensitivityOptions): Promise<ExecutedLines | null> {
  // The verdict is reported already.
  return measure(options).catch(() => null);
}

async function measure(options: SensitivityOptions): Promise<ExecutedLines | null> {
  const startMs = performance.now();
  const lines = options.change.files.flatMap(codeLines);
  if (lines.length === 0 || options.budgetMs < MIN_BUDGET_MS) return null;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(Math.round(timeForRuns(options.budgetMs)))]);
  const {runs, whole} = await recordLines({...options, signal}, lines);
  const durationMs = performance.now() - startMs;
  if (runs.size === 0 && signal.aborted && !options.signal.aborted) return {kind: "out-of-time", durationMs};
  const counted = lines.filter(({key}) => runs.has(key));
  if (counted.length === 0 || options.signal.aborted) return null;
  const notRun = counted.filter(({key}) => runs.get(key) === false);
  const paths = new Set(counted.map(({path}) => path));
  const unknown = new Set(lines.map(({path}) => path).filter((path) => !paths.has(path)));
  return {
    ...{kind: "measured", all: counted.length, run: counted.length - notRun.length, durationMs},
    notRun: rangesOf(notRun).slice(0, MAX_LISTED),
    byAllTests: [...paths].every((path) => whole.has(path)),
    unknown: [...unknown].slice(0, MAX_LISTED),
  };
}

interface CodeLine {
  readonly path: string;
  readonly line: number;
  /** as in `LineRuns` */
  readonly key: string;
}

/** The changed lines with code that tests should run. */
function codeLines(file: InspectedFile): CodeLine[] {
  const {path, before, after} = file;
  const language = languageOf(path);
  if (language === null || after === null || !isProductCode(path) || isTestFile(file) || isNoProduct(path)) return [];
  const masked = maskSource(after, language).code.split("\n");
  const tests = inlineTestLines(path, after);
  return compareLines(before, after)
    .added.map(({number}) => number)
    .filter((line) => hasCode(masked[line - 1] ?? "") && !tests.some(({from, to}) => from <= line && line <= to))
    .map((line) => ({path, line, key: `${path}:${line}`}));
}

/** Some tools count comments and brackets, too. */
const hasCode = (maskedLine: string): boolean => /[^\s(){}[\];,]/.test(maskedLine);

function rangesOf(lines: readonly CodeLine[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const {path, line} of lines) {
    const last = ranges.at(-1);
    if (last?.path === path && last.to === line - 1) ranges[ranges.length - 1] = {...last, to: line};
    else ranges.push({path, from: line, to: line});
  }
  return ranges;
}

/** `whole`: the paths for which all tests of their stage ran. */
async function recordLines(options: SensitivityOptions, lines: readonly CodeLine[]) {
  let runs: LineRuns = new Map();
  const whole = new Set<string>();
  let environment: StageEnvironment | null = null;
  for (const {run, command, of} of await plannedRuns(options, new Set(lines.map(({path}) => path)))) {
    const ownLines = lines.filter(({path}) => of.includes(path));
    const isDone = ownLines.some(({key}) => runs.has(key)) && ownLines.every(({key}) => runs.get(key) !== false);
    if (options.signal.aborted || isDone) continue;
    environment ??= await openVerifiedCheckout(options);
    const newRuns = environment && (await recordRun({run, command, environment}, of));
    if (newRuns === null) continue;
    runs = joinLineRuns([runs, newRuns]);
    if (command.line === run.stage.command) for (const path of of) whole.add(path);
  }
  return {runs, whole};
}

interface PlannedRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
  /** the changed files that it should run */
  readonly of: string[];
}

/** The commands that sensitivity would choose, each one once; whole stages last. */
async function plannedRuns(options: SensitivityOptions, paths: Iterable<string>): Promise<PlannedRun[]> {
  const planned = new Map<string, PlannedRun>();
  for (const path of paths) {
    const run = await planRun(options, path);
    for (const command of run?.commands ?? []) {
      const known = planned.get(command.key);
      if (known !== undefined) known.of.push(path);
      else if (run !== null) planned.set(command.key, {run, command, of: [path]});
    }
  }
  return [...planned.values()].toSorted((one, other) => one.command.expectedMs - other.command.expectedMs);
}

/** Null without a report of a run that passed. */
export async function recordRun(
  {run, command, environment}: Pick<PlannedRun, "run" | "command"> & {environment: StageEnvironment},
  of: readonly string[],
): Promise<LineRuns | null> {
  const stage = {...stageWithLimit(run), command: command.line};
  const request = await environment.coverage?.request(stage, of);
  if (!request) return null;
  const {read, ...requested} = request;
  const sinceMs = Date.now();
  const result = await runStage({...stage, ...requested}, environment);
  const runs = await read(sinceMs);
  // Tests that fail with the coverage tool only may have ended early.
  return result.outcome === "passed" ? runs : null;
}
