/** Plants faults into the product: one that the default branch's tests notice, and the change's own do not, shows weaker tests. */
import {posix} from "node:path";
import {prerequisitesOf} from "../../engine/schedule/order.ts";
import {entriesAt} from "../../git/private-index.ts";
import {compareTests} from "../../integrity/changed-tests/compare-tests.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {isNamedRunFile} from "../../integrity/gate/gate-files.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import {isOtherTest, isShellTest, isSource, isTestPath, isToolPath} from "../../integrity/source/kinds.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {chooseFaultPlants} from "../gate-proof/choose-plants.ts";
import {syntaxOf, TESTED_LANGUAGES} from "../gate-proof/tested-languages.ts";
import {isNoProduct} from "../sensitivity/choose-faults.ts";
import {faultOutcome} from "../sensitivity/fault-outcome.ts";
import type {ExtraCheckout, ExtraRunOptions, PassedStage, ReplacedFile} from "./extra-run.ts";
import {failuresIn} from "./judge-replay.ts";
import {namedTests, sourceNames} from "./lost-tests.ts";
import {ranTests} from "./ran-tests.ts";
import {replayFiles, sideOf, testsToReplay} from "./replay-base.ts";

const MAX_MS = 6_000;
const MAX_FAULTS = 6;
/** A fault may make the tests hang. */
const MIN_TIMEOUT_S = 20;
/** Tests with random values may notice a fault in some runs only. */
const REPEATS = 3;
const MAX_SOURCES = 12;
const MAX_FILE_BYTES = 256 * 1024;

interface PlantOptions extends ExtraRunOptions {
  readonly change: InspectedChange;
  readonly touched: TestChange;
  readonly checkout: ExtraCheckout;
  readonly control: ExtraCheckout;
  readonly stages: readonly StageResult[];
  readonly spent: () => string | null;
}

interface PlantedFault {
  readonly file: ReplacedFile;
  /** completes “still passes with …” */
  readonly what: string;
}

/**
 * Both runs have the product of the change with the same fault, so that only the tests, or what starts them, can be why one of them does
 * not notice it. Null also if no run shows it: too long, or no fault that the default branch's tests notice.
 */
export async function findPlantedFault(options: PlantOptions, passed: PassedStage): Promise<IntegrityFinding | null> {
  const {touched, control, checkout, spent, stages, plan} = options;
  const tests = testsToReplay(touched, true);
  // Each run repeats the builds that the tests need.
  const names = [passed.stage, ...prerequisitesOf(passed.stage, plan)].map(({name}) => name);
  const ms = stages.reduce((sum, {name, durationMs}) => sum + (names.includes(name) ? durationMs : 0), 0);
  if (tests?.length === 0 || ms > MAX_MS) return null;
  const files = await replayFiles({...options, of: "tests"});
  if (!files.ok) return null;
  const side = sideOf(touched) === "base" ? control : checkout;
  const run = async (on: ExtraCheckout, written: readonly ReplacedFile[]): Promise<StageResult | null> => {
    const ran = await on.run({passed, files: written, tests: null, minTimeoutS: MIN_TIMEOUT_S, isFaulty: true});
    return ran.ok ? ran.value.result : null;
  };
  const endMs = performance.now() + MAX_MS;
  for (const {file, what} of await chooseFaults(options)) {
    if (performance.now() > endMs || spent() !== null) return null;
    const reference = await run(side, [...files.value, file]);
    if (reference?.outcome !== "failed" || faultOutcome(reference, passed.result) !== "noticed") continue;
    const judgeOwn = async () => {
      const own = await run(checkout, [file]);
      return own && hiddenIn({...options, own, reference, passed: passed.result});
    };
    const hidden = await judgeOwn();
    if (hidden === null) continue;
    // Without the fault they have to pass.
    const sound = await run(side, files.value);
    if (sound === null || hasFailed(sound, hidden)) continue;
    let isCertain = true;
    for (let count = 0; count < REPEATS && isCertain; count++) {
      const again = (await judgeOwn()) === null ? null : await run(side, [...files.value, file]);
      isCertain = again !== null && hasFailed(again, hidden);
    }
    if (isCertain) return finding(options, {passed, what, hidden});
  }
  return null;
}

interface HiddenTest {
  readonly file: string | null;
  readonly title: string;
  /** true if the change has a test with this name */
  readonly isKept: boolean;
}

const hasFailed = (result: StageResult, tests: readonly HiddenTest[]): boolean =>
  tests.length === 0
    ? result.outcome !== "passed"
    : tests.some(({title}) => failuresIn(result).some((one) => one.title === title));

/** The tests that fail with the default branch's files alone; empty if nothing names them, and null if there are none. */
function hiddenIn(runs: {
  own: StageResult;
  reference: StageResult;
  passed: StageResult;
  change: InspectedChange;
  touched: TestChange;
}): HiddenTest[] | null {
  const {own, reference, passed, change, touched} = runs;
  if (own.outcome !== "passed" && own.outcome !== "failed") return null;
  const failed = failuresIn(reference);
  if (failed.length === 0) return own.outcome === "passed" ? [] : null;
  const isPass = own.outcome === "passed";
  // A run that ended at its first failure, or in a hook, says nothing about the others.
  if (!isPass && (own.tests === null || countRun(own) < countRun(passed))) return null;
  // Such a run may report the others as passed (`vitest --bail=1`, in JUnit).
  if (!isPass && failuresIn(own).length >= failed.length) return null;
  const {removed, kept} = compareTests(change);
  const ownFailures = failuresIn(own).flatMap(({title}) => sourceNames(title));
  const ran = ranTests(own);
  const isWithoutTests = touched.tests.length + touched.data.length === 0;
  const ownPasses = new Set(
    (ran ?? []).flatMap(({title, outcome}) => (outcome === "passed" ? sourceNames(title) : [])),
  );
  // The file of a failure may be that of a helper, so that only the names are compared.
  const hidden = failed.flatMap(({file, title}): HiddenTest[] => {
    const names = sourceNames(title);
    if (removed.some(({test}) => names.includes(test.name))) return [];
    const pairs = kept.filter(({base}) => names.includes(base.test.name));
    const known = pairs.length === 0 ? names : pairs.map(({head}) => head.test.name);
    const isKept = ran === null ? pairs.length > 0 || isWithoutTests : known.some((name) => ownPasses.has(name));
    if (isPass) return [{file, title, isKept}];
    // The failure may have another name. A test that asserts something else may leave the fault to another one.
    if (!isKept || pairs.some(({base, head}) => base.test.text !== head.test.text)) return [];
    return known.some((name) => ownFailures.includes(name)) ? [] : [{file, title, isKept}];
  });
  return hidden.length === 0 ? null : hidden;
}

const countRun = ({tests}: StageResult): number => (tests === null ? 0 : tests.passed + tests.failed);

function finding(
  {touched}: PlantOptions,
  {passed, what, hidden}: {passed: PassedStage; what: string; hidden: readonly HiddenTest[]},
): IntegrityFinding {
  const {tests, gate, data, dependencies} = touched;
  const first = hidden.find(({isKept}) => isKept);
  const name = first === undefined ? passed.stage.name : (sourceNames(first.title)[0] ?? first.title);
  return {
    check: "unnoticed-failures",
    level: "flag",
    path: [...gate, ...tests, ...data, ...dependencies][0]?.path ?? ".",
    line: null,
    message: `\`${name}\` still passes with ${what}; with the default branch's tests it fails`,
    fix: "Let the tests notice what they noticed before.",
    ...(hidden.length > 0 && {tests: namedTests(hidden)}),
  };
}

/** Faults in sources that the change's tests, or their helpers, name come first. */
async function chooseFaults({repository, candidate, change, touched}: PlantOptions): Promise<PlantedFault[]> {
  const entries = await entriesAt({git: repository.git, commit: candidate.commit});
  if (!entries.ok) return [];
  const gate = [...touched.tests, ...touched.gate, ...touched.data, ...touched.checks];
  const words = new Map(
    gate.flatMap(({before, after}) => `${before} ${after}`.match(/\w+/g) ?? []).map((one) => [one, 1]),
  );
  const changed = new Set(change.files.map(({path}) => path));
  const isOfGate = (path: string) =>
    gate.some((one) => one.path === path) || isTestPath(path) || isOtherTest(path) || isShellTest(path);
  const rank = (path: string) =>
    Number(!words.has(posix.basename(path).replace(/\..*$/, ""))) * 2 +
    Number(!changed.has(path)) +
    Number(isToolPath(path)) * 4;
  const files = entries.value
    .filter(({mode, path}) => mode.startsWith("100") && !isOfGate(path) && !isNamedRunFile(path) && !isNoProduct(path))
    .toSorted((one, other) => rank(one.path) - rank(other.path));
  const textOf = async (path: string) => {
    const text = await repository.readText(candidate.commit, path, {maxBytes: MAX_FILE_BYTES});
    // A text that is not UTF-8 cannot be written as it was.
    return text.ok && text.value?.includes("\uFFFD") === false ? text.value : "";
  };
  const modes = new Map(entries.value.map(({path, mode}) => [path, mode]));
  const faults: PlantedFault[] = [];
  for (const language of TESTED_LANGUAGES) {
    const paths = files.flatMap(({path}) =>
      isSource(path) && language.endings.includes(posix.extname(path)) ? [path] : [],
    );
    const sources = await Promise.all(
      paths.slice(0, MAX_SOURCES).map(async (path) => [path, await textOf(path)] as const),
    );
    for (const {path, line, change: what, edits} of chooseFaultPlants({language, sources, words}))
      faults.push({
        file: {path, content: edits.get(path) ?? "", isExecutable: modes.get(path) === "100755"},
        what: `a fault in \`${path}:${line}\` (${what})`,
      });
  }
  if (faults.length > 0) return faults.slice(0, MAX_FAULTS);
  // A program of a language that is not read can only be missing.
  return files
    .filter(({mode, path}) => mode === "100755" && syntaxOf({like: path}) === null)
    .slice(0, MAX_FAULTS)
    .map(({path}) => ({file: {path, content: "", isExecutable: true}, what: `an empty \`${path}\``}));
}
