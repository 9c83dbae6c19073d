/** Injects faults into the changed lines, one at a time, and runs the tests of these lines to see if they notice. */
import type {StageResult} from "../../record/evidence.ts";
import type {Sensitivity} from "../../record/sensitivity.ts";
import type {Checkouts} from "../checkout/checkout.ts";
import {openReadyCheckout} from "../checkout/open-ready.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {chooseFaults, type Fault} from "./choose-faults.ts";
import {type FaultOutcome, failsPassedTest, faultOutcome, faultOutcomeFor} from "./fault-outcome.ts";
import {withFault} from "./inject.ts";
import {type FaultRun, planRun, type RunOptions, type TestCommand, withoutCommands} from "./plan-runs.ts";
import {MIN_BUDGET_MS, openTimeBudget, type TimeBudget, timeForRuns} from "./time-budget.ts";

export interface SensitivityOptions extends RunOptions {
  readonly checkouts: Checkouts;
  readonly signal: AbortSignal;
  /** the checkout and all runs take at most this long */
  readonly budgetMs: number;
}

/** A fault may make a test hang. */
const MIN_TIMEOUT_S = 20;
/** Between SIGTERM and SIGKILL: a run with a fault leaves nothing that has to be saved. */
const GRACE_MS = 100;

/** Null if no fault could be tried: no changed line that tests can notice, no test stage, or no time. Never rejects. */
export async function measureSensitivity(options: SensitivityOptions): Promise<Sensitivity | null> {
  // The verified work is published already, or is about to be.
  return measure(options).catch(() => null);
}

async function measure(options: SensitivityOptions): Promise<Sensitivity | null> {
  const startMs = performance.now();
  if (options.budgetMs < MIN_BUDGET_MS) return null;
  const faults = chooseFaults(options.change);
  if (faults.length === 0) return null;
  const endMs = startMs + timeForRuns(options.budgetMs);
  const timeUp = AbortSignal.timeout(Math.max(1, Math.round(endMs - performance.now())));
  const signal = AbortSignal.any([options.signal, timeUp]);
  const counts = await tryFaults({...options, signal, budget: openTimeBudget(endMs)}, faults);
  if (counts.noticed + counts.notNoticed.length === 0) return null;
  return {...counts, durationMs: performance.now() - startMs};
}

type Counts = Pick<Sensitivity, "noticed" | "notNoticed" | "left">;
type TimedOptions = SensitivityOptions & {readonly budget: TimeBudget};

async function tryFaults(options: TimedOptions, faults: readonly Fault[]): Promise<Counts> {
  const counts: Counts = {noticed: 0, notNoticed: [], left: 0};
  const runs = new Map<string, FaultRun | null>();
  const passesWithoutFault = new Map<string, boolean>();
  let checkout: StageEnvironment | null = null;
  for (const fault of faults) {
    const isOver = options.signal.aborted;
    if (!isOver && !runs.has(fault.path)) runs.set(fault.path, await planRun(options, fault.path));
    const planned = runs.get(fault.path);
    const run = planned && withoutCommands(planned, (line) => passesWithoutFault.get(line) === false);
    if (run === null) continue;
    const canStart = run !== undefined && hasTimeFor(options, run.commands[0]);
    if (canStart) checkout ??= await openCheckout(options);
    const outcome =
      canStart && checkout !== null
        ? await judgeFault(options, {fault, run, environment: checkout, passesWithoutFault})
        : "left";
    if (outcome === "noticed") counts.noticed += 1;
    else if (outcome === "left") counts.left += 1;
    else if (outcome === "not-noticed") counts.notNoticed.push(withoutLine(fault));
  }
  return counts;
}

const withoutLine = ({newLine: _, ...fault}: Fault): Sensitivity["notNoticed"][number] => fault;

const hasTimeFor = ({signal, budget}: TimedOptions, command: TestCommand | undefined): boolean =>
  command !== undefined && !signal.aborted && budget.fits(command.line, command.expectedMs);

/**
 * The verified checkout, because everything is built there. Its stages have ended, and only the commit is published, so
 * no fault can change a result.
 */
async function openCheckout(options: TimedOptions): Promise<StageEnvironment | null> {
  const {checkouts, candidate, signal} = options;
  const verified = checkouts.firstOf(candidate.commit);
  const ready = verified === null ? await openReadyCheckout({...options, commit: candidate.commit}) : null;
  const environment = verified ?? (ready?.ok === true ? ready.value : null);
  if (environment === null) return null;
  // Python reuses compiled files by time and size, and a fault may change neither.
  const variables: StageEnvironment["variables"] = ({pathFirst, extra}) =>
    environment.variables({pathFirst, extra: {...extra, PYTHONDONTWRITEBYTECODE: "1"}});
  return {...environment, signal, variables, graceMs: GRACE_MS};
}

interface FaultTrial {
  readonly fault: Fault;
  readonly run: FaultRun;
  readonly environment: StageEnvironment;
  /** the command lines that have run without a fault, or that passed with one; grows */
  readonly passesWithoutFault: Map<string, boolean>;
}

/** `left` if the time ended before the outcome was certain. */
async function judgeFault(options: TimedOptions, trial: FaultTrial): Promise<FaultOutcome | "left"> {
  const {signal, budget} = options;
  const {run, environment, passesWithoutFault} = trial;
  const {outcome, command, result} = await tryFault(options, trial);
  if (signal.aborted) return "left";
  if (outcome !== "noticed" || passesWithoutFault.get(command.line)) return outcome;
  // The run must pass without a fault. A run that passes with a fault proves that, and so does the verification;
  // otherwise it takes one more run.
  const isWhole = command.line === run.stage.command;
  if (isWhole || (result !== null && failsPassedTest(result, run.verified))) return outcome;
  if (!hasTimeFor(options, command)) return "left";
  const cleanResult = await budget.measure(command.line, () => runWithBuilds(options, {run, command, environment}));
  if (signal.aborted) return "left";
  passesWithoutFault.set(command.line, cleanResult?.outcome === "passed");
  return cleanResult?.outcome === "passed" ? "noticed" : "invalid";
}

interface Trial {
  readonly outcome: FaultOutcome | "left";
  /** the last command that ran, and its result */
  readonly command: TestCommand;
  readonly result: StageResult | null;
}

async function tryFault(
  options: TimedOptions,
  {fault, run, environment, passesWithoutFault}: FaultTrial,
): Promise<Trial> {
  const {path, line, newLine} = fault;
  const [first, ...others] = run.commands;
  const text = options.change.files.find((file) => file.path === path)?.after ?? "";
  const oldLine = text.split("\n")[line - 1] ?? "";
  const tryCommand = async (command: TestCommand, start: typeof runTests): Promise<Trial> => {
    if (!hasTimeFor(options, command)) return {outcome: "left", command, result: null};
    const result = await options.budget.measure(command.line, () => start(options, {run, command, environment}));
    if (result === null) return {outcome: "invalid", command, result};
    const outcome = options.only ? faultOutcomeFor(options.only, result) : faultOutcome(result);
    if (outcome === "not-noticed") passesWithoutFault.set(command.line, true);
    return {outcome, command, result};
  };
  const trial = await withFault({folder: environment.folder, path, line, oldLine, newLine}, async () => {
    let last = await tryCommand(first, runWithBuilds);
    for (const command of others) if (last.outcome === "not-noticed") last = await tryCommand(command, runTests);
    return last;
  });
  return trial ?? {outcome: "invalid", command: first, result: null};
}

interface TestRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
  readonly environment: StageEnvironment;
}

/** The tests may read the output of a build, which then has to contain the fault too. Null if a build fails. */
async function runWithBuilds(options: TimedOptions, testRun: TestRun): Promise<StageResult | null> {
  for (const needed of prerequisitesOf(testRun.run.stage, options.plan)) {
    const result = await runStage(needed, testRun.environment);
    if (result.outcome !== "passed") return null;
  }
  return runTests(options, testRun);
}

async function runTests(_: TimedOptions, {run, command, environment}: TestRun): Promise<StageResult | null> {
  const {stage, verified} = run;
  const timeout = Math.min(stage.timeout, Math.max(MIN_TIMEOUT_S, (10 * verified.durationMs) / 1000));
  return runStage({...stage, command: command.line, timeout}, environment);
}
