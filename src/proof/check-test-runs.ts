/** After a pass, checks that the checks notice failures: adds a failing test, and runs them as on the base. */

import type {Baseline} from "../engine/baseline/baseline.ts";
import type {TestChange} from "../integrity/changed-tests/test-change.ts";
import {isNamedRunFile} from "../integrity/gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../integrity/source/inspected-change.ts";
import {isShellTest, isSource, isToolPath} from "../integrity/source/kinds.ts";
import type {StageResult} from "../record/evidence.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Stage} from "../record/plan.ts";
import {canaryFiles} from "./gate-runs/canary-files.ts";
import {concernedBy} from "./gate-runs/concerned.ts";
import {
  type ExtraCheckout,
  type ExtraRunOptions,
  openExtraCheckout,
  type PassedStage,
  SHORT_MS,
} from "./gate-runs/extra-run.ts";
import {findHidden} from "./gate-runs/falsified-assertions.ts";
import {judgeCheck} from "./gate-runs/judge-check.ts";
import {comparesNothing, judgeReplay, judgeUnchanged, namesFailures} from "./gate-runs/judge-replay.ts";
import {isSamePath, lostTests} from "./gate-runs/lost-tests.ts";
import {withNewNames} from "./gate-runs/new-names.ts";
import {findPlantedFault} from "./gate-runs/planted-faults.ts";
import {ranTests} from "./gate-runs/ran-tests.ts";
import {isInline, replayFiles, sideOf, testsToReplay} from "./gate-runs/replay-base.ts";
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
  readonly control: ExtraCheckout;
}

/** Runs each stage that passed and that the change may have weakened, in separate checkouts. Never rejects. */
export async function checkTestRuns(given: TestRunOptions): Promise<IntegrityFinding[]> {
  const checkout = openExtraCheckout(given, "candidate");
  const shared: OpenRunOptions = {...given, checkout, control: openExtraCheckout(given, "base")};
  const passed = passedStages(shared);
  const testFiles = passed.some(runsTests) ? await canaryFiles(shared) : [];
  const findings: IntegrityFinding[] = [];
  for (const {touched, ...passedStage} of passed) {
    const options = {...shared, touched};
    const why = options.signal.aborted ? "the run was cancelled" : options.spent();
    if (why !== null) return onlyOnce([...findings, notReplayed(passedStage.stage, touched, why)]);
    if (!runsTests(passedStage)) {
      findings.push(...(await replayCheck(options, passedStage)));
      continue;
    }
    const ranFiles = testFiles.filter((file) => mayRun(file, passedStage.result));
    const unnoticed = ranFiles.length === 0 ? null : await findUnnoticed(options, passedStage, ranFiles);
    if (unnoticed !== null) findings.push(unnoticed);
    const isGateTouched = touched.gate.length > 0;
    // One failed script would hide which tests of other files passed.
    for (const files of unnoticed?.level === "block" ? [] : [ranFiles, shellTests(touched)]) {
      const hidden = await findHidden({...options, isGateTouched}, passedStage, files);
      if (hidden !== null) findings.push(hidden);
    }
    // If a run ignores failures, a replay proves nothing either.
    if (unnoticed?.level === "block") continue;
    findings.push(...(await compareWithBase(options, passedStage)));
    const fault = findings.some(({level}) => level !== "note") ? null : await findPlantedFault(options, passedStage);
    if (fault !== null) findings.push(fault);
  }
  return onlyOnce([...findings, ...changedPrograms(shared.touched)]);
}

/** No run shows what a program of the checks does not find any more in sources that have no fault. */
function changedPrograms({checks, gate}: TestChange): IntegrityFinding[] {
  const programs = [...checks, ...gate].filter(
    ({path, before, after}) =>
      before !== null && after !== null && isToolPath(path) && isSource(path) && !isNamedRunFile(path),
  );
  return programs.map(({path}) => ({
    ...{check: "scripts", level: "note", path, line: null},
    message: "Checks may run this program, and whether it finds as much as before is not known",
    fix: "Review what the change does to this program.",
  }));
}

/** Two stages may run the same tests, for example once with coverage. */
const onlyOnce = (findings: readonly IntegrityFinding[]): IntegrityFinding[] => [
  ...new Map(findings.map((one) => [JSON.stringify(one), one])).values(),
];

/** The stages that passed and use a changed file of the gate, with these files. */
function passedStages({plan, stages, touched}: TestRunOptions): (PassedStage & {readonly touched: TestChange})[] {
  return plan.stages.flatMap((stage) => {
    const result = stages.find(({name}) => name === stage.name);
    if (result?.outcome !== "passed" || stage.kind === "build") return [];
    const passed = {stage, result, touched: concernedBy(stage, touched)};
    const {tests, gate, data, checks, dependencies} = passed.touched;
    const used = runsTests(passed) ? (result.optional ? [] : [...tests, ...gate, ...data]) : checks;
    return used.length + dependencies.length > 0 ? [passed] : [];
  });
}

const runsTests = ({stage, result}: PassedStage): boolean =>
  stage.kind === "test" || (stage.kind === "check" && result.tests !== null);

/** Runs a linter or a type check with the base's configuration and scripts. */
async function replayCheck(options: OpenRunOptions, passed: PassedStage): Promise<IntegrityFinding[]> {
  const {touched, baseline} = options;
  const replayed = await runReplay(options, passed, {of: "checks", tests: null});
  if (typeof replayed === "string") return [notReplayed(passed.stage, touched, replayed)];
  const {result} = replayed;
  // The base's commands may run tests that the change's do not.
  if (result.outcome === "passed")
    return lostTests({...options, candidate: passed.result, reference: result, isWhole: true, path: pathOf(touched)});
  if (result.outcome !== "failed" || result.failureKind !== "code")
    return [notReplayed(passed.stage, touched, result.reason)];
  return judgeCheck({...options, result, base: (await baseline?.onBase(passed.stage)) ?? null});
}

/** False if the stage's report lists test files, and this file is not one of them. */
function mayRun({path}: CanaryFile, result: StageResult): boolean {
  const files = (ranTests(result) ?? []).flatMap(({file}) => (file !== null && /\.\w{1,4}$/.test(file) ? [file] : []));
  const isSameKind = files.filter((file) => extension(file) === extension(path));
  return isSameKind.length === 0 || isSameKind.some((file) => isSamePath(file, path));
}

const shellTests = ({data}: TestChange): InspectedFile[] =>
  data.filter(({path, before, after}) => isShellTest(path) && before !== null && after !== null);

const extension = (path: string): string => path.slice(path.lastIndexOf("."));

async function compareWithBase(options: OpenRunOptions, passed: PassedStage): Promise<IntegrityFinding[]> {
  const {change, baseline, touched} = options;
  const path = pathOf(touched);
  const about = {candidate: passed.result, change, path};
  const isKnown = baseline?.durationMs(passed.stage) != null;
  const hasInline = touched.tests.some(isInline);
  const base = isKnown || hasInline ? ((await baseline?.onBase(passed.stage)) ?? null) : null;
  const lost = base === null ? [] : lostTests({...about, reference: base, isWhole: true});
  const replayed = await replay(options, passed);
  if (replayed === null) return lost;
  if (typeof replayed === "string") return [...lost, notReplayed(passed.stage, touched, replayed)];
  const {result, isWhole} = replayed;
  // The names of tests can come from data.
  const isNamedByData = touched.gate.length === 0 && touched.data.length > 0;
  // A replay has the change's inline tests, too, which may be the earlier ones at another place.
  const isCompared = lost.length > 0 || (base !== null && hasInline);
  const alsoLost = isCompared || isNamedByData ? [] : lostTests({...about, reference: result, isWhole});
  const hasResult = result.outcome === "passed" || result.failureKind === "code";
  if (!hasResult) return [...lost, ...alsoLost, notReplayed(passed.stage, touched, result.reason)];
  const renamed = comparesNothing(result) ? await replayRenamed(options, passed) : null;
  const judged = isOfGateAlone(touched, result)
    ? await judgeGate(options, passed.stage, result)
    : (renamed ?? judgeReplay({...options, result}));
  return [...lost, ...alsoLost, ...judged, ...(await unchangedFailures(options, {passed, result, judged}))];
}

/** The tests of the base need code that has another name now: they run with that name. Null if that compares nothing. */
async function replayRenamed(options: OpenRunOptions, passed: PassedStage): Promise<IntegrityFinding[] | null> {
  const change = withNewNames(options.change);
  if (change === null) return null;
  const renamed = (files: readonly InspectedFile[]) =>
    files.map((file) => change.files.find(({path}) => path === file.path) ?? file);
  const {tests, gate} = options.touched;
  const touched = {...options.touched, tests: renamed(tests), gate: renamed(gate)};
  const replayed = await runReplay({...options, change, touched}, passed, {
    of: "tests",
    tests: null,
    texts: new Map([...touched.tests, ...touched.gate].map(({basePath, before}) => [basePath, before])),
  });
  if (typeof replayed === "string" || comparesNothing(replayed.result)) return null;
  return judgeReplay({...options, change, touched, result: replayed.result});
}

/** Only commands or settings changed, and the replay failed without the name of a test. */
const isOfGateAlone = ({tests, data, gate}: TestChange, result: StageResult): boolean =>
  gate.length > 0 && tests.length + data.length === 0 && result.outcome === "failed" && !namesFailures(result);

/** Without names, the tests are judged as the checks are, which only pass or fail. */
async function judgeGate(
  {baseline, touched, change}: OpenRunOptions,
  stage: Stage,
  result: StageResult,
): Promise<IntegrityFinding[]> {
  const base = (await baseline?.onBase(stage)) ?? null;
  return judgeCheck({result, base, change, touched: {...touched, checks: touched.gate}});
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

const pathOf = ({tests, gate, data, checks, dependencies}: TestChange): string =>
  [...dependencies, ...gate, ...tests, ...data, ...checks][0]?.path ?? ".";

/** Null if the change only adds tests, or text if nothing could be run. */
async function replay(options: OpenRunOptions, passed: PassedStage) {
  const {touched} = options;
  const isShort = passed.result.durationMs <= SHORT_MS;
  const changedTests = testsToReplay(touched, isShort);
  // Without the names of the tests, only two whole runs can be compared.
  const isCounted = ranTests(passed.result) === null && isShort;
  const tests = isCounted && changedTests !== null && changedTests.length > 0 ? null : changedTests;
  return tests !== null && tests.length === 0 ? null : runReplay(options, passed, {of: "tests", tests});
}

/** The result, or why there is none. */
async function runReplay(
  options: OpenRunOptions,
  passed: PassedStage,
  {
    of,
    tests,
    texts,
  }: {
    of: "tests" | "checks";
    tests: ReturnType<typeof testsToReplay>;
    texts?: ReadonlyMap<string, string | null>;
  },
) {
  const files = await replayFiles({...options, of});
  if (!files.ok) return "its files could not be read";
  const checkout = sideOf(options.touched) === "base" ? options.control : options.checkout;
  const own = files.value.map((file) => ({...file, content: texts?.get(file.path) ?? file.content}));
  const runResult = await checkout.run({passed, files: own, tests});
  return runResult.ok ? runResult.value : runResult.failure;
}

function notReplayed(stage: Stage, touched: TestChange, why: string): IntegrityFinding {
  return {
    check: "base-replay",
    level: "note",
    path: pathOf(touched),
    line: null,
    message: `\`${stage.name}\` of the default branch was not replayed on this change: ${why}`,
    fix: "Review the changes to tests, scripts and configuration yourself.",
  };
}
