/** Injects faults into the changed lines, one at a time, and runs the tests of these lines to see if they notice. */
import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import {chooseTests} from "../../diagnostics/rerun.ts";
import type {Repository} from "../../git/repository.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import type {ChangedTest} from "../../integrity/tests/new-tests.ts";
import {type BiteTest, failsOnBase} from "../../record/bite.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Sensitivity} from "../../record/sensitivity.ts";
import {judgeBite} from "../bite/judge-bite.ts";
import type {Checkouts} from "../checkout/checkout.ts";
import type {ComparedCommits} from "../checkout/compared-commits.ts";
import {openReadyCheckout} from "../checkout/open-ready.ts";
import {scriptsAt} from "../commands/expand-scripts.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {runStage, type StageEnvironment, wholeText} from "../stage/stage.ts";
import {chooseFaults, type Fault} from "./choose-faults.ts";
import {withFault} from "./inject.ts";
import {testFilesFor, testsIn} from "./tests-for.ts";
import {openTimeBudget, type TimeBudget, timeForRuns} from "./time-budget.ts";

export interface SensitivityOptions {
  readonly candidate: ComparedCommits;
  readonly change: InspectedChange;
  readonly plan: Plan;
  readonly stages: readonly StageResult[];
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly signal: AbortSignal;
  /** the checkout and all runs take at most this long */
  readonly budgetMs: number;
  /** only these tests run, and count; by default all that are likely to run the changed lines */
  readonly only?: readonly ChangedTest[];
}

/** A fault may make a test hang. */
const MIN_TIMEOUT_S = 20;
/** A longer suite is not run in full for one fault. */
const SHORT_MS = 30_000;

/** Null if no fault could be tried: no changed line that tests can notice, no test stage, or no time. Never rejects. */
export async function measureSensitivity(options: SensitivityOptions): Promise<Sensitivity | null> {
  // The verified work is published already, or is about to be.
  return measure(options).catch(() => null);
}

async function measure(options: SensitivityOptions): Promise<Sensitivity | null> {
  const startMs = performance.now();
  const faults = chooseFaults(options.change);
  if (faults.length === 0) return null;
  const runsMs = timeForRuns(options.budgetMs);
  const budget = openTimeBudget(startMs + runsMs);
  const timeUp = AbortSignal.timeout(Math.max(1, Math.round(runsMs)));
  const signal = AbortSignal.any([options.signal, timeUp]);
  const runs = await planRuns(options, faults);
  if (!runs.some((run) => budget.fits(run.command, run.expectedMs)) || signal.aborted) return null;
  const checkout = await openCheckout(options, signal);
  if (checkout === null) return null;
  // Python reuses compiled files by time and size, and a fault may change neither.
  const variables: StageEnvironment["variables"] = ({pathFirst, extra}) =>
    checkout.variables({pathFirst, extra: {...extra, PYTHONDONTWRITEBYTECODE: "1"}});
  const counts = await runFaults(options, {runs, budget, environment: {...checkout, variables}});
  if (counts.noticed + counts.notNoticed.length === 0) return null;
  return {...counts, durationMs: performance.now() - startMs};
}

/**
 * The verified checkout, because everything is built there. Its stages have ended, and only the commit is published, so
 * no fault can change a result.
 */
async function openCheckout(options: SensitivityOptions, signal: AbortSignal): Promise<StageEnvironment | null> {
  const {checkouts, candidate} = options;
  const verified = checkouts.firstOf(candidate.commit);
  if (verified !== null) return {...verified, signal};
  const ready = await openReadyCheckout({...options, commit: candidate.commit, signal});
  return ready.ok ? ready.value : null;
}

/** A fault with the run that should notice it. */
interface FaultRun {
  readonly fault: Fault;
  readonly stage: Stage;
  readonly command: string;
  /** of the whole stage, without a fault */
  readonly durationMs: number;
  /** of this command; 0 if unknown */
  readonly expectedMs: number;
}

async function planRuns(options: SensitivityOptions, faults: readonly Fault[]): Promise<FaultRun[]> {
  const runs: FaultRun[] = [];
  const byPath = new Map<string, Omit<FaultRun, "fault"> | null>();
  for (const fault of faults) {
    const knownRun = byPath.get(fault.path);
    const run = knownRun === undefined ? await runFor(options, fault.path) : knownRun;
    byPath.set(fault.path, run);
    if (run !== null) runs.push({...run, fault});
  }
  return runs;
}

/** The nearest test stage above the file, limited to the tests of the file. */
async function runFor(options: SensitivityOptions, path: string): Promise<Omit<FaultRun, "fault"> | null> {
  const {plan, stages, repository, candidate, change} = options;
  const [nearest] = plan.stages
    .filter(({kind, cwd}) => kind === "test" && isBelow(path, cwd))
    .toSorted((one, other) => other.cwd.length - one.cwd.length);
  const result = stages.find(({name}) => name === nearest?.name);
  if (nearest === undefined || result?.outcome !== "passed") return null;
  const {cwd, command} = nearest;
  const changedTestFiles = change.files
    .filter((file) => file.status !== "deleted" && isTestPath(file.path))
    .map((file) => file.path);
  const {commit} = candidate;
  const {only} = options;
  const candidateFiles = only
    ? [...new Set(only.map((test) => test.path))]
    : await testFilesFor({repository, commit, path, changed: changedTestFiles});
  const files = candidateFiles.filter((file) => isBelow(file, cwd));
  const tests = only
    ? only.map((test) => ({...test, file: posix.relative(cwd, test.path)}))
    : await testsIn({repository, commit, files, cwd});
  const scripts = await scriptsAt({repository, commit: candidate.base, cwd});
  const inFolder = files.map((file) => posix.relative(cwd, file));
  const chosenCommand = files.length === 0 ? null : chooseTests({command, files: inFolder, tests, scripts});
  if (chosenCommand === null && result.durationMs > SHORT_MS) return null;
  const {durationMs} = result;
  const expectedMs = chosenCommand === null ? durationMs : 0;
  return {stage: nearest, command: chosenCommand ?? command, durationMs, expectedMs};
}

type Counts = Pick<Sensitivity, "noticed" | "notNoticed" | "left">;

async function runFaults(
  options: SensitivityOptions,
  {runs, budget, environment}: {runs: readonly FaultRun[]; budget: TimeBudget; environment: StageEnvironment},
): Promise<Counts> {
  const counts = {noticed: 0, notNoticed: [] as Fault[], left: 0};
  const passesWithoutFault = new Map<string, boolean>();
  const hasTimeFor = ({command, expectedMs}: FaultRun) =>
    !environment.signal.aborted && budget.fits(command, expectedMs);
  for (const run of runs) {
    const {command} = run;
    if (passesWithoutFault.get(command) === false) continue;
    if (!hasTimeFor(run)) {
      counts.left += 1;
      continue;
    }
    const outcome = await budget.measure(command, () => tryFault(options, run, environment));
    // The run must pass without a fault. A run that passes with a fault proves that; otherwise it takes one more run.
    if (outcome === "not-noticed") passesWithoutFault.set(command, true);
    if (outcome === "noticed" && !passesWithoutFault.has(command) && hasTimeFor(run)) {
      const withoutFault = await budget.measure(command, () => runWithBuilds(options, run, environment));
      if (!environment.signal.aborted) passesWithoutFault.set(command, withoutFault?.outcome === "passed");
    }
    if (environment.signal.aborted || (outcome === "noticed" && !passesWithoutFault.has(command))) counts.left += 1;
    else if (outcome === "noticed" && passesWithoutFault.get(command)) counts.noticed += 1;
    else if (outcome === "not-noticed") counts.notNoticed.push(run.fault);
  }
  const notNoticed = counts.notNoticed.map(({newLine: _, ...fault}) => fault);
  return {...counts, notNoticed};
}

async function tryFault(
  options: SensitivityOptions,
  run: FaultRun,
  environment: StageEnvironment,
): Promise<FaultOutcome> {
  const {path, line, newLine} = run.fault;
  const text = options.change.files.find((file) => file.path === path)?.after ?? "";
  const oldLine = text.split("\n")[line - 1] ?? "";
  const result = await withFault({folder: environment.folder, path, line, oldLine, newLine}, () =>
    runWithBuilds(options, run, environment),
  );
  if (result === null) return "invalid";
  return options.only ? faultOutcomeFor(options.only, result) : faultOutcome(result);
}

const passes = ({onBase}: BiteTest): boolean => onBase.kind === "passes";

/**
 * As `faultOutcome`, for these tests alone: a runner that takes only files also runs the other tests in them. If it
 * does not say which test failed or hung, nothing is known about these.
 */
export function faultOutcomeFor(tests: readonly ChangedTest[], result: StageResult): FaultOutcome {
  const outcome = faultOutcome(result);
  if (outcome !== "noticed") return outcome;
  const testResults = judgeBite({tests, result});
  if (testResults.some(failsOnBase)) return "noticed";
  return testResults.every(passes) ? "not-noticed" : "invalid";
}

/** The tests may read the output of a build, which then has to contain the fault too. Null if a build fails. */
async function runWithBuilds(
  options: SensitivityOptions,
  {stage, command, durationMs}: FaultRun,
  environment: StageEnvironment,
): Promise<StageResult | null> {
  for (const needed of prerequisitesOf(stage, options.plan)) {
    const result = await runStage(needed, environment);
    if (result.outcome !== "passed") return null;
  }
  const timeout = Math.min(stage.timeout, Math.max(MIN_TIMEOUT_S, (10 * durationMs) / 1000));
  return runStage({...stage, command, timeout}, environment);
}

type FaultOutcome = "noticed" | "not-noticed" | "invalid";

/** The language does not accept the fault: no test had a chance to notice it. */
const NOT_COMPILED =
  /\b(?:SyntaxError|IndentationError)\b|\berror\[E\d{4}\]|could not compile|\[build failed\]|COMPILATION ERROR|\berror TS\d+|Transform failed|declared and not used|cannot find symbol|Unexpected token/;

/** A run that hangs counts as noticed. A failure that no test caused proves nothing. */
export function faultOutcome(result: StageResult): FaultOutcome {
  if (result.outcome === "passed") return "not-noticed";
  if (result.outcome === "timed-out") return "noticed";
  if (result.exit?.kind !== "exited" || result.outcome !== "failed") return "invalid";
  const text = result.output === null ? "" : wholeText(result.output);
  if (NOT_COMPILED.test(text) || result.failureKind === "environment") return "invalid";
  return "noticed";
}
