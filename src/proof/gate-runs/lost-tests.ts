/** Compares the tests that ran on a candidate with those of the base: fewer of them are a finding. */
import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import {groupBy} from "../../diagnostics/group-by.ts";
import {compareTests, type LocatedTest} from "../../integrity/changed-tests/compare-tests.ts";
import {importsOnlyRemoved} from "../../integrity/changed-tests/removed-sources.ts";
import {hasRemovedSubject} from "../../integrity/changed-tests/test-subject.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {listSome} from "../../record/words.ts";
import {languageOf} from "../../test-code/text/languages.ts";
import {type RanTest, ranTests} from "./ran-tests.ts";

export interface RunComparison {
  readonly candidate: StageResult;
  /** the tests of the base, on its own sources or on the candidate's */
  readonly reference: StageResult;
  /** true if `reference` ran the whole stage */
  readonly isWhole: boolean;
  readonly change: InspectedChange;
  /** a changed file to name if no other is known */
  readonly path: string;
}

const FIX = "Let the runner find and run these tests again, or remove them together with the code that they test.";

/** Leaves out tests that are removed or skipped in the source, because the source checks report them. */
export function lostTests(comparison: RunComparison): IntegrityFinding[] {
  const [before, after] = [ranTests(comparison.reference), ranTests(comparison.candidate)];
  if (before === null || after === null) return comparison.isWhole ? fewerTests(comparison) : [];
  const isDead = testsOfDeadCode(comparison.change);
  const lost = unmatched({before, after}, comparison.change).filter(
    (test) => !isExplained(test, comparison) && !isDead(test),
  );
  return [...groupBy(lost, groupOf)].map(([group, tests]) => {
    const isWholeGroup = !after.some((test) => groupOf(test) === group && test.outcome !== "skipped");
    const skipped = tests.filter((test) => after.some((one) => keyOf(one) === keyOf(test)));
    const names = listSome(
      tests.map(({title}) => `\`${title}\``),
      3,
    );
    const reason = skipped.length === tests.length ? "skipped now" : "not run any more";
    return {
      check: "lost-tests",
      level: isWholeGroup && isStillThere(tests, comparison.change) ? "block" : "flag",
      path: pathOf(tests, comparison),
      line: null,
      message: `${countOf(tests.length)} of the default branch ${tests.length === 1 ? "is" : "are"} ${reason}: ${names}`,
      fix: FIX,
      tests: namedTests(tests),
    } satisfies IntegrityFinding;
  });
}

const countOf = (count: number): string => (count === 1 ? "1 test" : `${count} tests`);

/**
 * The tests of the base without a counterpart: the same title elsewhere is a moved test, a new title in its file a
 * renamed one.
 */
function unmatched(
  {before, after}: {readonly before: readonly RanTest[]; readonly after: readonly RanTest[]},
  change: InspectedChange,
): RanTest[] {
  const baseKeys = new Set(before.map(keyOf));
  const ranKeys = new Set(after.filter(({outcome}) => outcome !== "skipped").map(keyOf));
  let newTests = after.filter((test) => test.outcome !== "skipped" && !baseKeys.has(keyOf(test)));
  let missing = before.filter((test) => test.outcome !== "skipped" && !ranKeys.has(keyOf(test)));
  // A test that has its title still, and does not run under it, was not renamed.
  const keepsTitle = ({file, title}: RanTest) => {
    const name = lastTitlePart(title);
    const runs = after.filter((one) => lastTitlePart(one.title) === name);
    if (runs.length > 0) return runs.every(({outcome}) => outcome === "skipped");
    return compareTests(change).kept.some(({head}) => head.test.name === name && isSamePath(file, head.file.path));
  };
  const matches: ((one: RanTest, other: RanTest) => boolean)[] = [
    (one, other) => lastTitlePart(one.title) === lastTitlePart(other.title),
    (one, other) => groupOf(one) === groupOf(other) && !keepsTitle(one),
    (one, other) => isMovedFolder({before: one.title, after: other.title}, change),
  ];
  for (const isCounterpart of matches)
    missing = missing.filter((test) => {
      const counterpart = newTests.find((one) => isCounterpart(test, one));
      newTests = newTests.filter((one) => one !== counterpart);
      return counterpart === undefined;
    });
  return missing;
}

/** A runner can report only a package, by its folder: one whose tests moved has another name. */
const isMovedFolder = (
  {before, after}: {readonly before: string; readonly after: string},
  {files}: InspectedChange,
): boolean =>
  files.some(
    ({status, path, basePath}) =>
      status === "renamed" &&
      isTestPath(path) &&
      isSamePath(before, posix.dirname(basePath)) &&
      isSamePath(after, posix.dirname(path)),
  );

const keyOf = ({file, title}: RanTest): string => `${file ?? ""}\0${title}`;

/** The file of a test, or without one its title without the last part. */
const groupOf = ({file, title}: RanTest): string => file ?? title.slice(0, -lastTitlePart(title).length);

/** The tests as data of a finding. */
export const namedTests = (tests: readonly {readonly file: string | null; readonly title: string}[]) =>
  tests.flatMap(({file, title}) => sourceNames(title).map((name) => ({file, name})));

/** The names that a test with this title can have in the source: without its groups, and in Go without its subtest. */
export const sourceNames = (title: string): string[] => [lastTitlePart(title), title.split("/", 1)[0] ?? title];

/** The name of the test without its groups and without its parameters. */
export function lastTitlePart(title: string): string {
  // JUnit adds the types and the number: `pkg.Test.adds(int, int)[1]`; unittest adds the class: `test_a (t.ATest.test_a)`.
  const plainTitle = title.replace(/ ?\[[^[\]]*\]$/, "").replace(/^([\w$.]+) ?\([\w$., ]*\)$/, "$1");
  return plainTitle.split(/::| [>›] |\.(?=\w+$)/).at(-1) ?? plainTitle;
}

function isExplained(test: RanTest, {change, candidate}: RunComparison): boolean {
  const {removed, twins, kept} = compareTests(change);
  const name = lastTitlePart(test.title);
  const isSame = (one: LocatedTest) => one.test.name === name && isSamePath(test.file, one.file.basePath);
  if ([...removed, ...twins].some(isSame)) return true;
  const counterpart = kept.find(({base}) => isSame(base));
  if (counterpart === undefined) return false;
  const {base, head} = counterpart;
  // A new condition that is false here is reported, unless the source check reports it: it may have been written to be
  // false.
  const isMarked = [...head.test.marks].some((mark) => mark !== "conditional" && !base.test.marks.has(mark));
  // Another stage runs a test that moved out of the folder of this one.
  return isMarked || base.test.name !== head.test.name || !isBelow(head.file.path, candidate.cwd);
}

/** Tests of deleted files that import only sources, or test only functions, which the change removes too. */
function testsOfDeadCode(change: InspectedChange): (test: RanTest) => boolean {
  const {removed} = compareTests(change);
  const testsRemoved = (file: InspectedFile) => {
    const tests = removed.filter((test) => test.file === file);
    return tests.length > 0 && tests.every((test) => hasRemovedSubject(test, change));
  };
  const files = change.files.filter(
    (file) => file.status === "deleted" && (importsOnlyRemoved(file, change) || testsRemoved(file)),
  );
  // A runner can report a file as a test.
  return ({file, title}) =>
    files.some(({basePath}) => title === basePath || (file !== null && isSamePath(file, basePath)));
}

/** False for a package or folder, which a report may name in place of a file. */
export const isFileName = (reported: string | null): reported is string =>
  reported !== null && /\.\w{1,4}$/.test(reported);

/** A report may name no file, or one by part of its path. */
export function isSamePath(reported: string | null, path: string): boolean {
  if (!isFileName(reported)) return true;
  const [one, other] = [reported.replace(/^\.\//, ""), path];
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** True if the change leaves the file of the tests in place. */
function isStillThere(tests: readonly RanTest[], change: InspectedChange): boolean {
  const deleted = change.files.filter(({status}) => status === "deleted" || status === "renamed");
  return !tests.some(({file}) => file !== null && deleted.some(({basePath}) => isSamePath(file, basePath)));
}

function pathOf(tests: readonly RanTest[], {change, path}: RunComparison): string {
  const file = tests[0]?.file ?? null;
  const changedFile = file === null ? undefined : change.files.find((one) => isSamePath(file, one.basePath));
  if (changedFile !== undefined) return changedFile.path;
  return file !== null && languageOf(file) !== null && !file.startsWith("/") ? file : path;
}

const NO_TESTS = {passed: 0, failed: 0};

/** Without names only the counts are compared; tests that the source shows to be removed or skipped are expected. */
function fewerTests({candidate, reference, change, path}: RunComparison): IntegrityFinding[] {
  const [before, after] = [reference.tests, candidate.tests ?? NO_TESTS];
  if (before === null) return [];
  const {removed, twins, kept} = compareTests(change);
  const disabled = kept.filter(
    ({base, head}) => head.test.marks.size > base.test.marks.size && !head.test.isSkippedElsewhere,
  ).length;
  const lost = before.passed + before.failed - after.passed - after.failed - removed.length - twins.length - disabled;
  if (lost <= 0) return [];
  const runCounts = `${before.passed + before.failed} ran on the default branch, ${after.passed + after.failed} run now`;
  const message = `${countOf(lost)} ${lost === 1 ? "is" : "are"} not run any more: ${runCounts}`;
  return [{check: "lost-tests", level: "flag", path, line: null, message, fix: FIX}];
}
