/** Decides whether tests of the base that fail on the candidate's sources are a finding. */
import {repeatedFailures} from "../../diagnostics/compare.ts";
import {groupBy} from "../../diagnostics/group-by.ts";
import {isFileTitle, saysNotLoaded} from "../../diagnostics/not-loaded.ts";
import {compareTests} from "../../integrity/changed-tests/compare-tests.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import {isShellTest} from "../../integrity/source/kinds.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {listSome} from "../../record/words.ts";
import {isFileName, isSamePath, namedTests, sourceNames} from "./lost-tests.ts";
import {findOtherCause, keptPairs} from "./other-cause.ts";

export interface Replay {
  /** the result of the base's tests and configuration on the candidate's sources */
  readonly result: StageResult;
  readonly change: InspectedChange;
  readonly touched: TestChange;
  readonly findings: readonly IntegrityFinding[];
}

interface FailedReplay {
  readonly file: string | null;
  readonly title: string;
  /** false if the test needs code that no longer exists, so that nothing is compared */
  readonly isComparison: boolean;
}

/** The source checks that find weaker tests. */
export const WEAKER_TESTS = new Set([
  "removed-tests",
  "disabled-tests",
  "weakened-tests",
  "mocked-subject",
  "runner-tricks",
]);
export const WEAKER_GATE = new Set(["scripts", "settings", "replaced-tools", "runner-tricks"]);

const FLAG = {check: "base-replay", level: "flag", line: null} as const;

/** The failed replay names a test or a file of tests that failed. */
export const namesFailures = (result: StageResult): boolean => failuresIn(result).length > 0;

/** All failed tests need code that the change does not have. */
export function comparesNothing(result: StageResult): boolean {
  const failed = failuresIn(result);
  return failed.length > 0 && failed.every(({isComparison}) => !isComparison);
}

/** Turns the failed tests of a replay into findings. A changed value in the same assertion is a note. */
export function judgeReplay(replay: Replay): IntegrityFinding[] {
  const {result, change, touched, findings} = replay;
  if (result.outcome !== "failed" || result.failureKind !== "code") return [];
  const failedTests = failuresIn(result);
  const comparableTests = failedTests.filter(({isComparison}) => isComparison);
  const weakened = comparableTests.filter(
    (test) => isIn(test, weakerFiles(findings, change)) || isNewlySkipped(test, change),
  );
  const others = comparableTests.filter((test) => !weakened.includes(test));
  const isGateTouched = touched.gate.length + touched.dependencies.length > 0;
  const isUnchanged = (test: FailedReplay) => changedFilesOf(test, change).length === 0;
  const unchangedTests = isGateTouched ? others.filter(isUnchanged) : [];
  const rest = others.filter((test) => !unchangedTests.includes(test));
  const hiddenFailures = [
    ...(weakened.length === 0 ? [] : [weakerTests(weakened, replay)]),
    ...(unchangedTests.length === 0 ? [] : [weakerGateFinding(unchangedTests, replay)]),
    ...otherCauseFindings(rest, replay),
  ];
  if (hiddenFailures.length > 0) return hiddenFailures;
  const reshaped = failedTests.length === 0 || comparableTests.some(isUnchanged) ? reshapedFile(touched) : [];
  if (reshaped.length > 0) return reshaped.map((one) => ({...one, ...subjectOf(comparableTests, change)}));
  const path = [...touched.tests, ...touched.gate, ...touched.data][0]?.path ?? ".";
  const replacements = replacementsOf(failedTests, change);
  const names = comparableTests.length > 0 ? `: ${namesOf(comparableTests)}${replacements}` : "";
  const message =
    comparableTests.length > 0 || failedTests.length === 0
      ? `Tests of the default branch fail on this change${names}`
      : `Tests of the default branch cannot run on this change: they use code that it does not have${replacements}`;
  return [
    {
      ...{...FLAG, level: "note", path, message},
      fix: "Check that the new expectations of the change's own tests are intended.",
      ...subjectOf(comparableTests, change),
    },
  ];
}

/**
 * Tests of the base that fail at the same assertion on the base and on the candidate's sources: the code never gave
 * what they expect, and they pass because that is changed. `candidate`: the run that passed.
 */
export function judgeUnchanged(
  {result, touched}: Replay,
  {base, candidate}: {readonly base: StageResult; readonly candidate: StageResult},
): IntegrityFinding | null {
  const comparable = failuresIn(result).filter(({isComparison}) => isComparison);
  const repeated = repeatedFailures({replay: result, base, candidate});
  if (repeated === null) return null;
  const names = comparable.filter(({title}) => repeated.includes(title));
  if (repeated.length > 0 && names.length === 0) return null;
  return {
    ...FLAG,
    path: [...touched.tests, ...touched.data, ...touched.gate][0]?.path ?? ".",
    message: `Tests fail on the default branch, still fail on this change, and pass only because the change edits them or what they use${names.length === 0 ? "" : `: ${namesOf(names)}`}`,
    fix: "Correct the code, so that the tests pass as they were.",
  };
}

/** What the finding about failed tests names: them, and the files of the change that contain them. */
const subjectOf = (failed: readonly FailedReplay[], change: InspectedChange) => ({
  tests: namedTests(failed),
  files: [...new Set(failed.flatMap((test) => changedFilesOf(test, change)))],
});

function weakerTests(failed: readonly FailedReplay[], {findings, touched, change}: Replay): IntegrityFinding {
  const sourceFinding = findings.find(
    ({check, path}) => WEAKER_TESTS.has(check) && failed.some((test) => isIn(test, [path])),
  );
  return {
    ...FLAG,
    path: sourceFinding?.path ?? touched.tests[0]?.path ?? ".",
    line: sourceFinding?.line ?? null,
    message: `Tests of the default branch fail on this change, and the change removes or loosens them: ${namesOf(failed)}`,
    fix: "Correct the code so that the earlier tests pass, or make the changed tests assert the new behavior just as precisely.",
    ...subjectOf(failed, change),
  };
}

function weakerGateFinding(failed: readonly FailedReplay[], {touched, findings}: Replay): IntegrityFinding {
  const gate = [...touched.gate, ...touched.dependencies];
  const about = findings.find(({check, level}) => WEAKER_GATE.has(check) && level !== "note");
  return {
    ...FLAG,
    path: about?.path ?? gate[0]?.path ?? ".",
    line: about?.line ?? null,
    message: `Tests that pass with this change fail with the default branch's ${listSome(
      gate.map(({path}) => `\`${path}\``),
      3,
    )}: ${namesOf(failed)}`,
    fix: "Correct the code so that the tests pass with the earlier files.",
    tests: namedTests(failed),
    files: [...gate, ...(about === undefined ? [] : [about])].map(({path}) => path),
  };
}

function otherCauseFindings(failed: readonly FailedReplay[], {change, touched}: Replay): IntegrityFinding[] {
  const found = failed.flatMap((test) => {
    const cause = findOtherCause(test, {change, gate: touched.gate});
    return cause === null ? [] : [{test, cause}];
  });
  return [...groupBy(found, ({cause}) => `${cause.path}\0${cause.what}`).values()].flatMap((same) => {
    const tests = same.map(({test}) => test);
    return same.slice(0, 1).map(({cause: {path, line, what}}) => ({
      ...{...FLAG, path, line, tests: namedTests(tests), files: [path]},
      message: `Tests of the default branch fail on this change: ${namesOf(tests)}; the change's own tests pass, with ${what}`,
      fix: "Correct the code so that the earlier tests pass, or assert the new behavior as precisely as before.",
    }));
  });
}

/** A shell test that only got more words, or data that only lost some: the tests failed as it was, and pass with it. */
function reshapedFile({tests, data}: TestChange): IntegrityFinding[] {
  const isPart = (one: string, whole: string) => {
    const left = countWords(whole);
    return one !== whole && [...countWords(one)].every(([word, count]) => count <= (left.get(word) ?? 0));
  };
  const shell = tests
    .concat(data)
    .find((file) => isShellTest(file.path) && isPart(file.before ?? "", file.after ?? ""));
  const shrunk = data.find(({path, before, after}) => !isShellTest(path) && isPart(after ?? "", before ?? ""));
  const file = shell ?? shrunk;
  if (file === undefined) return [];
  const what = shell === undefined ? "without what it removes from this data" : "with other code around its checks";
  return [
    {
      ...{
        ...FLAG,
        path: file.path,
        message: `A test of the default branch fails on this change, and passes only ${what}`,
      },
      fix: "Correct the code so that the earlier test passes.",
    },
  ];
}

function countWords(text: string): Map<string, number> {
  const words = text.replace(/(^|\s)#.*/gm, "$1").match(/[\w./-]+/g) ?? [];
  return words.reduce((counts, word) => counts.set(word, (counts.get(word) ?? 0) + 1), new Map<string, number>());
}

/** The tests of the change that take the place of the failed ones, for the person who asked for the change. */
function replacementsOf(failed: readonly FailedReplay[], change: InspectedChange): string {
  const heads = failed.flatMap((test) =>
    keptPairs(test, change).map(({base, head}) =>
      base.test.name === head.test.name ? `\`${head.test.name}\` (changed)` : `\`${head.test.name}\` (renamed)`,
    ),
  );
  const files = failed.flatMap((test) => changedFilesOf(test, change));
  const added = compareTests(change).added.filter(({file}) => files.includes(file.path));
  const names = [...new Set(heads), ...added.map(({test}) => `\`${test.name}\` (new)`)];
  return names.length === 0 ? "" : `; in their place the change has ${listSome(names, 5)}`;
}

const namesOf = (failed: readonly FailedReplay[]): string =>
  listSome(
    failed.map(({title}) => `\`${title}\``),
    3,
  );

function weakerFiles(findings: readonly IntegrityFinding[], change: InspectedChange): string[] {
  const strong = findings.filter((one) => WEAKER_TESTS.has(one.check) && isStrong(one));
  return strong.flatMap(({path}) => [path, change.files.find((file) => file.path === path)?.basePath ?? path]);
}

/**
 * A finding with the level `note` means that the tests are as strong as before. For removed tests it means only that
 * new tests replace them.
 */
const isStrong = ({check, level}: IntegrityFinding): boolean => level !== "note" || check === "removed-tests";

const isIn = ({file}: FailedReplay, paths: readonly string[]): boolean => paths.some((path) => isSamePath(file, path));

/** A test that is skipped elsewhere only would not fail here. */
const isNewlySkipped = (test: FailedReplay, change: InspectedChange): boolean =>
  keptPairs(test, change).some(({base, head}) => [...head.test.marks].some((mark) => !base.test.marks.has(mark)));

/** The changed files that contain the test. */
function changedFilesOf({file, title}: FailedReplay, change: InspectedChange): string[] {
  const {kept, removed} = compareTests(change);
  const changedFiles = isFileName(file)
    ? change.files.filter(({basePath}) => isSamePath(file, basePath))
    : [...removed, ...kept.map(({base}) => base)]
        .filter(({test}) => sourceNames(title).includes(test.name))
        .map((one) => one.file);
  return changedFiles.map(({path}) => path);
}

export function failuresIn({reported, diagnostics}: StageResult): FailedReplay[] {
  const printed = diagnostics.filter(({severity, testId}) => severity === "error" && testId !== undefined);
  const printedTests = printed.map(({file = null, testId = "", message}) => ({
    file,
    name: testId,
    title: testId,
    message,
  }));
  const messageOf = (title: string) => diagnostics.find(({testId}) => testId === title)?.message ?? "";
  const failed = reported !== undefined && reported.failed.length > 0 ? reported.failed : printedTests;
  return failed.map(({file, name, title, message}) => ({
    ...{file, title},
    isComparison: name !== null && isComparison(title, `${message} ${messageOf(title)}`),
  }));
}

/** Messages of a test that calls missing code. */
const MISSING =
  /\b(?:NameError|AttributeError|TypeError|ReferenceError|NoSuchMethodError)\b|fixture '.*' not found|is not (?:a function|defined)/;

const isComparison = (title: string, message: string): boolean =>
  !isFileTitle(title) && !saysNotLoaded(message) && !MISSING.test(message);
