/** Injects faults into the changed lines, one at a time, and runs the tests of these lines to see if they notice. */
import type {FailedTests} from "../../diagnostics/failed-tests.ts";
import {groupBy} from "../../diagnostics/group-by.ts";
import type {Rerun} from "../../diagnostics/rerun.ts";
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import {failedIn} from "../../engine/flakes/flaky.ts";
import {prerequisitesOf} from "../../engine/schedule/order.ts";
import {runStage, type StageEnvironment} from "../../engine/stage/stage.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {InjectedFault, Sensitivity} from "../../record/sensitivity.ts";
import {chooseFaults, type Fault} from "./choose-faults.ts";
import {type CommandRun, type CommandStates, openCommandStates, type UnprovenCommand} from "./command-states.ts";
import {type FaultOutcome, faultOutcome, faultOutcomeFor} from "./fault-outcome.ts";
import {withFault} from "./inject.ts";
import {openVerifiedCheckout} from "./open-checkout.ts";
import {
  type FaultRun,
  planRun,
  type RunOptions,
  rerunFor,
  stageWithLimit,
  type TestCommand,
  withoutCommands,
} from "./plan-runs.ts";
import {MIN_BUDGET_MS, openTimeBudget, type TimeBudget, timeForRuns} from "./time-budget.ts";

export interface SensitivityOptions extends RunOptions {
  readonly checkouts: Checkouts;
  readonly signal: AbortSignal;
  /** the checkout and all runs take at most this long */
  readonly budgetMs: number;
}

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
  const counts = {notNoticed: [] as InjectedFault[], left: 0};
  const runs = new Map<string, FaultRun | null>();
  const states = openCommandStates();
  let environment: StageEnvironment | null = null;
  const order = byFile(faults);
  for (const [at, fault] of order.entries()) {
    const isOver = options.signal.aborted;
    if (!isOver && !runs.has(fault.path)) runs.set(fault.path, await planRun(options, fault.path));
    const planned = runs.get(fault.path);
    const run = planned && withoutCommands(planned, (command) => states.passes(command) === false);
    if (run === null) continue;
    const isWholeStage = run !== undefined && run.commands[0].expectedMs > 0;
    if (isWholeStage && at < faults.length) {
      order.push(fault);
      continue;
    }
    const canStart =
      run !== undefined && hasTimeFor(options, [run.commands[0], ...proofsWith(states, run.commands[0])]);
    if (canStart) environment ??= await openVerifiedCheckout(options);
    const outcome =
      canStart && environment !== null ? await judgeFault(options, {fault, run, environment, states}) : "left";
    if (outcome === "left") counts.left += 1;
    else if (outcome === "not-noticed") counts.notNoticed.push(withoutLine(fault));
  }
  // A fault may have left something that makes every later run fail.
  for (const one of states.unproven())
    if (environment === null || !(await runWithoutFault(options, {...one, environment, states})))
      counts.left += one.faults;
  return {...counts, noticed: states.noticed()};
}

/** Faults in one file share their commands, and the proof that these pass without a fault. */
const byFile = (faults: readonly Fault[]): Fault[] => [...groupBy(faults, ({path}) => path).values()].flat();

const withoutLine = ({newLine: _, kind: __, ...fault}: Fault): InjectedFault => fault;

const hasTimeFor = ({signal, budget}: TimedOptions, runs: readonly TestCommand[]): boolean =>
  !signal.aborted && budget.msBefore(runs) >= 0;

/** The commands that must pass without a fault if a fault makes this one fail too. */
function proofsWith(states: CommandStates, command: TestCommand): TestCommand[] {
  const others = states.unproven().filter((one) => one.command.key !== command.key);
  return [command, ...others.map((one) => one.command)];
}

interface FaultTrial {
  readonly fault: Fault;
  readonly run: FaultRun;
  readonly environment: StageEnvironment;
  readonly states: CommandStates;
}

/** `left` if the time ended before the outcome was certain; `noticed` is counted by `states`, once it is proven. */
async function judgeFault(options: TimedOptions, trial: FaultTrial): Promise<FaultOutcome | "left"> {
  const {run, environment, states} = trial;
  const {outcome, command, failed} = await tryFault(options, trial);
  if (options.signal.aborted) return "left";
  await restoreFiles(options, environment);
  if (outcome !== "noticed") return outcome;
  const unproven = states.failWithFault({run, command, failed});
  if (states.passes(command) !== undefined) return "noticed";
  // Chosen tests may not run at all. If the time is short, one run proves that named tests pass, after all faults.
  const isShort = !hasTimeFor(options, [command, command, command, command]);
  if (!isShort || (await rerunFor(options, unproven)) === null)
    await runWithoutFault(options, {...unproven, environment, states});
  return "noticed";
}

/** A fault may make a test rewrite other files. They must be as verified for the next run. */
async function restoreFiles({repository, candidate}: TimedOptions, {folder}: StageEnvironment): Promise<void> {
  const {commit} = candidate;
  const changedPaths = await repository.trackedChanges({folder, commit});
  const restored = changedPaths.ok
    ? await repository.restore({folder, commit, paths: changedPaths.value})
    : changedPaths;
  if (!restored.ok) throw new Error("the checkout could not be restored");
}

/** They ended within the time of the runs that failed, so this run is started even if little time is left. */
async function failedTestsPass(options: TimedOptions, testRun: ProofRun, rerun: Rerun): Promise<boolean> {
  const result = await runWithBuilds(options, {...testRun, command: {...testRun.command, line: rerun.command}});
  if (options.signal.aborted) return false;
  await restoreFiles(options, testRun.environment);
  return result?.outcome === "passed" && (result.tests?.passed ?? 0) >= rerun.tests;
}

/** False if the time ended before the run, and it proves nothing. */
async function runWithoutFault(options: TimedOptions, testRun: ProofRun): Promise<boolean> {
  const {command, states} = testRun;
  const rerun = options.signal.aborted ? null : await rerunFor(options, testRun);
  if (rerun !== null && (await failedTestsPass(options, testRun, rerun))) {
    states.pass(command);
    return true;
  }
  // Tests may need those before them.
  if (!hasTimeFor(options, [command])) return false;
  const result = await options.budget.measure(command, () => runWithBuilds(options, testRun));
  if (options.signal.aborted) return false;
  await restoreFiles(options, testRun.environment);
  if (result?.outcome === "passed") states.pass(command);
  else states.failWithoutFault(command);
  return true;
}

interface Trial {
  readonly outcome: FaultOutcome | "left";
  /** the last command that ran */
  readonly command: TestCommand;
  readonly failed: FailedTests | null;
}

async function tryFault(options: TimedOptions, {fault, run, environment, states}: FaultTrial): Promise<Trial> {
  const {path, line, newLine} = fault;
  const [first, ...others] = run.commands;
  const text = options.change.files.find((file) => file.path === path)?.after ?? "";
  const oldLine = text.split("\n")[line - 1] ?? "";
  const tryCommand = async (
    command: TestCommand,
    start: (testRun: TestRun) => Promise<StageResult | null>,
  ): Promise<Trial> => {
    const proofs = proofsWith(states, command);
    if (!hasTimeFor(options, [command, ...proofs])) return {outcome: "left", command, failed: null};
    // A run that hangs leaves the time that proves the faults before it.
    const timeUp = AbortSignal.timeout(Math.max(1, Math.round(options.budget.msBefore(proofs))));
    const signal = states.unproven().length === 0 ? environment.signal : AbortSignal.any([environment.signal, timeUp]);
    const testRun = {run, command, environment: {...environment, signal}};
    const result = await options.budget.measure(command, () => start(testRun));
    if (signal.aborted) return {outcome: "left", command, failed: null};
    if (result === null) return {outcome: "invalid", command, failed: null};
    if (result.outcome === "passed") states.pass(command);
    const outcome = options.only
      ? faultOutcomeFor(options.only, {result, verified: run.verified})
      : faultOutcome(result, run.verified);
    return {outcome, command, failed: failedIn(result)};
  };
  const trial = await withFault({folder: environment.folder, path, line, oldLine, newLine}, async () => {
    let last = await tryCommand(first, (testRun) => runWithBuilds(options, testRun));
    for (const command of others) if (last.outcome === "not-noticed") last = await tryCommand(command, runTests);
    return last;
  });
  return trial ?? {outcome: "invalid", command: first, failed: null};
}

interface TestRun extends CommandRun {
  readonly environment: StageEnvironment;
}

type ProofRun = UnprovenCommand & Pick<FaultTrial, "environment" | "states">;

/** The tests may read the output of a build, which then has to contain the fault too. Null if a build fails. */
async function runWithBuilds(options: TimedOptions, testRun: TestRun): Promise<StageResult | null> {
  for (const needed of prerequisitesOf(testRun.run.stage, options.plan)) {
    const result = await runStage(needed, testRun.environment);
    if (result.outcome !== "passed") return null;
  }
  return runTests(testRun);
}

const runTests = ({run, command, environment}: TestRun): Promise<StageResult> =>
  runStage({...stageWithLimit(run), command: command.line}, environment);
