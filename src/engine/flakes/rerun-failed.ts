/** Detects flaky tests: reruns failed tests once, and new or changed tests until they pass three times. */

import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import type {FailedTests} from "../../diagnostics/failed-tests.ts";
import {chooseTests, type Rerun, rerunOf} from "../../diagnostics/rerun.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import type {TestName} from "../../tools/tool.ts";
import {failedIn, flakyResult, isListed, namesOf, passedOnRerun, shouldRerun} from "./flaky.ts";

/** New or changed tests must pass this many times. */
const PASSES = 3;
/**
 * Tests that never pass alone depend on what other files set up, so runs without these files show nothing about
 * flakiness.
 */
const MAX_RUNS_ALONE = 4;
/** A longer suite is not rerun in full. */
const SHORT_MS = 30_000;
/** Limits for the search for the same flaky test on the base. */
const MAX_RUNS_ON_BASE = 4;
const MAX_BASE_MS = 60_000;

interface RerunOptions {
  /** the stage's first result, already compared with the base */
  readonly first: StageResult;
  readonly stage: Stage;
  readonly changes: readonly Change[];
  /** ids of the base's verify.json */
  readonly knownFlaky: readonly string[];
  /** the scripts of the package.json in the stage's folder */
  readonly scripts: () => Promise<Readonly<Record<string, string>>>;
  /** runs another command instead of the stage's, on the candidate */
  readonly runOnCandidate: (command: string) => Promise<StageResult>;
  /** the same on the base, which returns null if that is not possible; null without a base */
  readonly runOnBase: ((command: string) => Promise<StageResult | null>) | null;
  readonly isSpent: () => boolean;
}

/** Returns the first result, or one with the outcome `flaky` if the same tree failed and passed. */
export async function rerunFailed(options: RerunOptions): Promise<StageResult> {
  const {first, stage, changes} = options;
  const {retried = []} = first.reported ?? {};
  if (first.outcome === "flaky" && retried.length > 0 && retried.every((title) => options.knownFlaky.includes(title)))
    return flakyResult({failed: first, ...first, excuse: "verify.json lists these tests as flaky"});
  if (options.isSpent()) return first;
  if (shouldRerun(first)) return rerunOnce(options);
  const files = first.outcome === "passed" && stage.kind === "test" ? changedTests(changes, stage.cwd) : [];
  return files.length === 0 ? first : repeatChanged(options, files);
}

async function rerunOnce(options: RerunOptions): Promise<StageResult> {
  const {first, stage} = options;
  const narrowRun = await narrowToFailed(options, first);
  const second = await options.runOnCandidate(narrowRun?.command ?? stage.command);
  if (!passedOnRerun({first, second, least: narrowRun?.tests ?? null})) return first;
  const narrowedNote = narrowRun === null ? "" : `, of these tests alone: \`${narrowRun.command}\``;
  const reason = `failed (${first.reason})${namesOf(first)}, then passed on a second run of the same files${narrowedNote}`;
  const durationMs = first.durationMs + second.durationMs;
  return flakyResult({failed: first, reason, durationMs, excuse: await excuseFor(options, first)});
}

async function repeatChanged(options: RerunOptions, files: readonly string[]): Promise<StageResult> {
  const {first, stage} = options;
  const relativeFiles = files.map((path) => posix.relative(stage.cwd, path));
  const scripts = await options.scripts();
  const narrowedCommand = chooseTests({command: stage.command, files: relativeFiles, tests: [], scripts});
  if (narrowedCommand === null && first.durationMs > SHORT_MS) return first;
  const runs: StageResult[] = [];
  const passes = () => runs.filter(({outcome}) => outcome === "passed").length;
  const failure = () => runs.find(({outcome}) => outcome !== "passed");
  const isSettled = () =>
    passes() + 1 >= PASSES || (failure() !== undefined && (passes() > 0 || narrowedCommand === null));
  while (!isSettled() && runs.length < MAX_RUNS_ALONE && !options.isSpent()) {
    const result = await options.runOnCandidate(narrowedCommand ?? stage.command);
    const isTestFailure =
      result.outcome === "timed-out" || (result.outcome === "failed" && result.failureKind === "code");
    // If no test ran, or the machine failed, the run shows nothing about these tests.
    if (result.outcome !== "passed" && !isTestFailure) return first;
    runs.push(result);
    if (result.outcome === "timed-out") break;
  }
  const failedOutcome = failure();
  if (
    failedOutcome === undefined ||
    (narrowedCommand !== null && passes() === 0 && failedOutcome.outcome !== "timed-out")
  )
    return first;
  const reason = `passed, then failed (${failedOutcome.reason})${namesOf(failedOutcome)} when its new or changed tests were run again on the same files: \`${narrowedCommand ?? stage.command}\``;
  const durationMs = [first, ...runs].reduce((sum, run) => sum + run.durationMs, 0);
  const shownResult = {...failedOutcome, command: first.command, tests: first.tests};
  return flakyResult({failed: shownResult, reason, durationMs, excuse: await excuseFor(options, failedOutcome)});
}

async function narrowToFailed(
  {stage, scripts}: RerunOptions,
  result: StageResult,
): Promise<(Rerun & {tests: number; failed: FailedTests}) | null> {
  const failedTests = failedIn(result);
  if (failedTests === null) return null;
  const {command, cwd} = stage;
  const rerun = rerunOf({command, cwd, failed: failedTests, scripts: await scripts()});
  return rerun === null ? null : {...rerun, failed: failedTests};
}

/** Why a flaky failure does not block: it is known, or the same tests are flaky on the base. Null if it blocks. */
async function excuseFor(options: RerunOptions, failed: StageResult): Promise<string | null> {
  if (isListed(failed, options.knownFlaky)) return "verify.json lists what failed as flaky";
  return (await isFlakyOnBase(options, failed)) ? "the base fails and passes in the same way" : null;
}

/** True once each failing test has failed and passed on the base. If the base cannot be run, nothing is excused. */
async function isFlakyOnBase(options: RerunOptions, failed: StageResult): Promise<boolean> {
  const {runOnBase} = options;
  const narrowRun = runOnBase === null ? null : await narrowToFailed(options, failed);
  if (narrowRun === null || runOnBase === null) return false;
  const outcomes = new Map(narrowRun.failed.tests.map((test) => [idOf(test), new Set<"passed" | "failed">()]));
  const beginMs = performance.now();
  const hasTime = () => performance.now() - beginMs < MAX_BASE_MS && !options.isSpent();
  for (let runs = 0; runs < MAX_RUNS_ON_BASE && hasTime(); runs++) {
    const result = await runOnBase(narrowRun.command);
    const failingTests = result === null ? null : failingTestIds(result, narrowRun.tests);
    if (failingTests === null) return false;
    for (const [id, observed] of outcomes) observed.add(failingTests.has(id) ? "failed" : "passed");
    if ([...outcomes.values()].every(({size}) => size === 2)) return true;
  }
  return false;
}

/** The tests that failed in one run on the base; null if the output does not name them. */
function failingTestIds(result: StageResult, least: number): Set<string> | null {
  if (result.outcome === "passed") return (result.tests?.passed ?? 0) >= least ? new Set() : null;
  const failedTests = result.outcome === "failed" ? failedIn(result) : null;
  return failedTests?.isComplete ? new Set(failedTests.tests.map(idOf)) : null;
}

const idOf = ({file, name}: TestName): string => JSON.stringify([file, name]);

/** The names of test files in these languages. A helper with such a name is run as well, and contains no test. */
const TEST_FILES = [
  /\.(?:test|spec)\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:__tests__|tests?|specs?)\/.*\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_tests?)\.py$/,
  /_test\.(?:go|exs|dart|rb)$|(?:^|\/)test_[^/]*\.rb$|_spec\.rb$/,
  /(?:^|\/)tests\/.*\.rs$/,
  /Tests?\.(?:java|kt|scala|cs|php|swift)$/,
];

/** New or changed test files below the stage's folder. */
function changedTests(changes: readonly Change[], cwd: string): string[] {
  return changes
    .filter(
      ({path, status}) => status !== "deleted" && isBelow(path, cwd) && TEST_FILES.some((form) => form.test(path)),
    )
    .map(({path}) => path);
}
