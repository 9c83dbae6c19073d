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
import {NO_PRODUCT} from "./sensitivity/choose-faults.ts";
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
  const changed = new Map(options.change.files.map((file) => [file.path, codeLines(file)]));
  const paths = [...changed].filter(([, lines]) => lines.length > 0).map(([path]) => path);
  if (paths.length === 0 || options.budgetMs < MIN_BUDGET_MS) return null;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(Math.round(timeForRuns(options.budgetMs)))]);
  const {runs, whole} = await recordLines({...options, signal}, {paths, changed});
  const durationMs = performance.now() - startMs;
  if (options.signal.aborted) return null;
  if (runs.size === 0) return signal.aborted ? {kind: "out-of-time", durationMs} : null;
  const measured = paths.filter((path) => runs.has(path));
  const linesOf = (path: string, ran: boolean) =>
    (changed.get(path) ?? []).filter((line) => runs.get(path)?.get(line) === ran);
  const run = measured.reduce((sum, path) => sum + linesOf(path, true).length, 0);
  const all = run + measured.reduce((sum, path) => sum + linesOf(path, false).length, 0);
  if (all === 0) return null;
  return {
    ...{kind: "measured", all, run},
    notRun: measured.flatMap((path) => rangesOf(path, linesOf(path, false))).slice(0, MAX_LISTED),
    byAllTests: measured.every((path) => whole.has(path)),
    unknown: paths.filter((path) => !runs.has(path)).slice(0, MAX_LISTED),
    durationMs,
  };
}

/** The changed lines with code that tests should run. */
function codeLines(file: InspectedFile): number[] {
  const {path, before, after} = file;
  const language = languageOf(path);
  if (language === null || after === null || !isProductCode(path) || isTestFile(file) || NO_PRODUCT.test(path))
    return [];
  const masked = maskSource(after, language).code.split("\n");
  const tests = inlineTestLines(path, after);
  return compareLines(before, after)
    .added.map(({number}) => number)
    .filter((line) => hasCode(masked[line - 1] ?? "") && !tests.some(({from, to}) => from <= line && line <= to));
}

/** Some tools count comments and brackets, too. */
const hasCode = (maskedLine: string): boolean => /[^\s(){}[\];,]/.test(maskedLine);

function rangesOf(path: string, lines: readonly number[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) ranges[ranges.length - 1] = {...last, to: line};
    else ranges.push({path, from: line, to: line});
  }
  return ranges;
}

interface ChangedCode {
  readonly paths: readonly string[];
  readonly changed: ReadonlyMap<string, readonly number[]>;
}

/** `whole`: the paths for which all tests of their stage ran. */
async function recordLines(
  options: SensitivityOptions,
  {paths, changed}: ChangedCode,
): Promise<{runs: LineRuns; whole: ReadonlySet<string>}> {
  const recorded: LineRuns[] = [];
  const whole = new Set<string>();
  let environment: StageEnvironment | null = null;
  for (const {run, command, of} of await plannedRuns(options, paths)) {
    const joined = joinLineRuns(recorded);
    const isOpen = of.some((path) => !changed.get(path)?.every((line) => joined.get(path)?.get(line) !== false));
    if (options.signal.aborted || (!isOpen && of.every((path) => joined.has(path)))) continue;
    environment ??= await openVerifiedCheckout(options);
    const runs = environment && (await recordRun({run, command, environment}, of));
    if (runs === null) continue;
    recorded.push(runs);
    if (command.line === run.stage.command) for (const path of of) whole.add(path);
  }
  return {runs: joinLineRuns(recorded), whole};
}

interface PlannedRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
  /** the changed files that it should run */
  readonly of: string[];
}

/** The commands that sensitivity would choose, each one once; whole stages last. */
async function plannedRuns(options: SensitivityOptions, paths: readonly string[]): Promise<PlannedRun[]> {
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
  if (request === null || request === undefined) return null;
  const {env, read} = request;
  const sinceMs = Date.now();
  const result = await runStage({...stage, command: request.command, env}, environment);
  const runs = await read(sinceMs);
  // Tests that fail with the coverage tool only may have ended early.
  return result.outcome === "passed" ? runs : null;
}
