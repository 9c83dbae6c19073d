/** After a pass, checks that tests notice failures: adds a failing test, and runs the base's tests. */

import type {Baseline} from "../engine/baseline/baseline.ts";
import type {TestChange} from "../integrity/changed-tests/test-change.ts";
import type {InspectedChange} from "../integrity/source/inspected-change.ts";
import type {StageResult} from "../record/evidence.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Stage} from "../record/plan.ts";
import {canaryFiles} from "./gate-runs/canary-files.ts";
import {
  type ExtraCheckout,
  type ExtraRunOptions,
  openExtraCheckout,
  type PassedStage,
  SHORT_MS,
} from "./gate-runs/extra-run.ts";
import {judgeReplay, judgeUnchanged} from "./gate-runs/judge-replay.ts";
import {isSamePath, lostTests} from "./gate-runs/lost-tests.ts";
import {ranTests} from "./gate-runs/ran-tests.ts";
import {isInline, replayFiles, testsToReplay} from "./gate-runs/replay-base.ts";
import {type CanaryFile, findUnnoticed} from "./gate-runs/unnoticed-failures.ts";

export interface TestRunOptions extends ExtraRunOptions {
  readonly change: InspectedChange;
  readonly touched: TestChange;
  /** findings in the source of the change */
  readonly findings: readonly IntegrityFinding[];
  readonly stages: readonly StageResult[];
  readonly baseline: Baseline | null;
  /** why nothing more may start; null while there is time */
  readonly spent: () => string | null;
}

interface OpenRunOptions extends TestRunOptions {
  readonly checkout: ExtraCheckout;
}

/** Runs tests of each test stage that passed, in separate checkouts. Never rejects. */
export async function checkTestRuns(given: TestRunOptions): Promise<IntegrityFinding[]> {
  const options: OpenRunOptions = {...given, checkout: openExtraCheckout(given, "candidate")};
  const {touched} = options;
  const passed = passedTestStages(options);
  if (passed.length === 0) return [];
  const testFiles = await canaryFiles(options);
  const findings: IntegrityFinding[] = [];
  for (const passedStage of passed) {
    const why = options.signal.aborted ? "the run was cancelled" : options.spent();
    if (why !== null) return [...findings, notReplayed(passedStage.stage, touched, why)];
    const ranFiles = testFiles.filter((file) => mayRun(file, passedStage.result));
    const unnoticed = ranFiles.length === 0 ? null : await findUnnoticed(options, passedStage, ranFiles);
    if (unnoticed !== null) findings.push(unnoticed);
    // If a run ignores failures, a replay proves nothing either.
    if (unnoticed?.level !== "block") findings.push(...(await compareWithBase(options, passedStage)));
  }
  return findings;
}

function passedTestStages({plan, stages, touched}: TestRunOptions): PassedStage[] {
  return plan.stages.flatMap((stage) => {
    const result = stages.find(({name}) => name === stage.name);
    const isCheck =
      stage.kind === "check" && ((result?.tests ?? null) !== null || touched.gate.length + touched.data.length > 0);
    const runsTests = stage.kind === "test" || isCheck;
    return result?.outcome === "passed" && runsTests && !result.optional ? [{stage, result}] : [];
  });
}

/** False if the stage's report lists test files, and this file is not one of them. */
function mayRun({path}: CanaryFile, result: StageResult): boolean {
  const files = (ranTests(result) ?? []).flatMap(({file}) => (file !== null && /\.\w{1,4}$/.test(file) ? [file] : []));
  const isSameKind = files.filter((file) => extension(file) === extension(path));
  return isSameKind.length === 0 || isSameKind.some((file) => isSamePath(file, path));
}

const extension = (path: string): string => path.slice(path.lastIndexOf("."));

async function compareWithBase(options: OpenRunOptions, passed: PassedStage): Promise<IntegrityFinding[]> {
  const {change, baseline, touched} = options;
  const path = pathOf(touched);
  const about = {candidate: passed.result, change, path};
  const isKnown = baseline?.durationMs(passed.stage) != null;
  const base = isKnown || touched.tests.some(isInline) ? ((await baseline?.onBase(passed.stage)) ?? null) : null;
  const lost = base === null ? [] : lostTests({...about, reference: base, isWhole: true});
  const replayed = await replay(options, passed);
  if (replayed === null) return lost;
  if (typeof replayed === "string") return [...lost, notReplayed(passed.stage, touched, replayed)];
  const {result, isWhole} = replayed;
  // The names of tests can come from data.
  const isNamedByData = touched.gate.length === 0 && touched.data.length > 0;
  const alsoLost = lost.length > 0 || isNamedByData ? [] : lostTests({...about, reference: result, isWhole});
  const hasResult = result.outcome === "passed" || result.failureKind === "code";
  if (!hasResult) return [...lost, ...alsoLost, notReplayed(passed.stage, touched, result.reason)];
  const judged = judgeReplay({...options, result});
  return [...lost, ...alsoLost, ...judged, ...(await unchangedFailures(options, {passed, result, judged}))];
}

/** A replay is longer than this only if the stage has to be repeated anyway. */
const MAX_BASE_MS = 2 * SHORT_MS;

/** The default branch runs only if the replay failed, and nothing else shows what that means. */
async function unchangedFailures(
  options: OpenRunOptions,
  {passed, result, judged}: {passed: PassedStage; result: StageResult; judged: readonly IntegrityFinding[]},
): Promise<IntegrityFinding[]> {
  const {baseline} = options;
  const {stage} = passed;
  if (judged.length === 0 || judged.some(({level}) => level !== "note") || baseline === null) return [];
  const isKnown = baseline.durationMs(stage) !== null;
  if (!isKnown && (passed.result.durationMs > MAX_BASE_MS || options.spent() !== null)) return [];
  const base = await baseline.onBase(stage);
  const finding = base === null ? null : judgeUnchanged({...options, result}, {base, candidate: passed.result});
  return finding === null ? [] : [finding];
}

const pathOf = ({tests, gate, data}: TestChange): string => [...gate, ...tests, ...data][0]?.path ?? ".";

/** Null if the change only adds tests, or text if nothing could be run. */
async function replay(options: OpenRunOptions, passed: PassedStage) {
  const {touched} = options;
  const isShort = passed.result.durationMs <= SHORT_MS;
  const changedTests = testsToReplay(touched, isShort);
  // Without the names of the tests, only two whole runs can be compared.
  const isCounted = ranTests(passed.result) === null && isShort;
  const tests = isCounted && changedTests !== null && changedTests.length > 0 ? null : changedTests;
  if (tests !== null && tests.length === 0) return null;
  const files = await replayFiles(options);
  if (!files.ok) return "its files could not be read";
  const runResult = await options.checkout.run({passed, files: files.value, tests});
  return runResult.ok ? runResult.value : runResult.failure;
}

function notReplayed(stage: Stage, touched: TestChange, why: string): IntegrityFinding {
  return {
    check: "base-replay",
    level: "note",
    path: pathOf(touched),
    line: null,
    message: `The default branch's tests of \`${stage.name}\` could not be run on this change: ${why}`,
    fix: "Review the changes to tests and configuration yourself.",
  };
}
