/** Determines which of the new and changed tests failed in a run on the base. */

import {connectionCause} from "../../diagnostics/environment-causes.ts";
import {saysNotLoaded} from "../../diagnostics/not-loaded.ts";
import {failedIn} from "../../engine/flakes/flaky.ts";
import {wholeText} from "../../engine/stage/stage.ts";
import {plainPath} from "../../git/paths.ts";
import type {ChangedTest} from "../../integrity/changed-tests/new-tests.ts";
import type {BiteTest} from "../../record/bite.ts";
import type {StageResult} from "../../record/evidence.ts";
import {biteReason} from "./failure-reason.ts";

interface BaseFailure {
  readonly file: string | null;
  /** null if the whole file failed, or if the runner cannot select the test by name */
  readonly name: string | null;
  /** the name that the runner prints */
  readonly title: string | null;
  /** in `file`; null if unknown */
  readonly line: number | null;
  readonly message: string;
}

const MAX_MESSAGE = 300;
/** Messages that only report a failure, without a reason. */
const GENERAL = /^\s*(?:collection failure|failed|error)?\s*$/i;

/** `tests` are the tests that the run was for; `excused` are the candidate's own failures. */
export function judgeBite(options: {
  tests: readonly ChangedTest[];
  result: StageResult;
  excused?: readonly string[];
}): BiteTest[] {
  const {tests, result} = options;
  const unknown = whyUnknown(result);
  if (unknown !== null && !mayQuoteCause(result))
    return tests.map((test) => biteTest(test, {kind: "unknown", why: unknown}));
  if (result.outcome === "passed") return tests.map((test) => biteTest(test, passedOnBase(test, result)));
  const {failures, isComplete} = failuresIn(result, tests);
  const excusedNames = new Set(options.excused ?? []);
  return tests.map((test) => {
    const matchingFailure = failures.find((one) => isAbout(one, test));
    if (unknown !== null && !isAssertion(matchingFailure)) return biteTest(test, {kind: "unknown", why: unknown});
    const failure = matchingFailure ?? failures.find((one) => isFileOf(one, test));
    if (failure !== undefined && excusedNames.has(failure.name ?? failure.title ?? ""))
      return biteTest(test, {kind: "unknown", why: "it also fails with the change"});
    if (failure !== undefined)
      return biteTest(test, {
        kind: "fails",
        why: biteReason({message: failure.message, isWholeFile: matchingFailure === undefined}),
        message: failure.message.slice(0, MAX_MESSAGE),
      });
    if (test.hasComputedName) return biteTest(test, {kind: "unknown", why: "its name is computed"});
    if (isComplete) return biteTest(test, passedOnBase(test, result));
    return biteTest(test, {kind: "unknown", why: "the runner does not name the tests that failed"});
  });
}

/** Some reports list the failures only, in which a skipped test looks like one that passed. */
function passedOnBase(test: ChangedTest, {reported}: StageResult): BiteTest["onBase"] {
  const runs = (reported?.others ?? []).filter((one) => isAbout({...one, name: null, line: null, message: ""}, test));
  if (runs.length > 0 && runs.every(({outcome}) => outcome === "skipped"))
    return {kind: "unknown", why: "it was skipped"};
  return test.mayBeSkipped ? {kind: "unknown", why: "it may have been skipped"} : {kind: "passes"};
}

function biteTest({path, groups, name, line, isNew}: ChangedTest, onBase: BiteTest["onBase"]): BiteTest {
  return {path, name: [...groups, name].join(" > "), line, isNew, onBase};
}

/** Why this run is inconclusive; null if it ran tests, or could not load them. */
function whyUnknown(result: StageResult): string | null {
  if (result.outcome === "passed") return (result.tests?.passed ?? 0) > 0 ? null : "no test was counted";
  if (result.outcome === "timed-out") return "it took too long there";
  if (result.exit?.kind !== "exited") return result.reason === "" ? "it could not be run there" : result.reason;
  const isOfCode = result.failureKind === "code" || saysNotLoaded(textOf(result));
  return isOfCode ? null : result.reason;
}

/** A run that seems to lack a tool or a variable: the output may only quote such a message, in an assertion. */
const mayQuoteCause = ({outcome, exit, failureKind}: StageResult): boolean =>
  outcome === "failed" && exit?.kind === "exited" && failureKind === "environment";

const isAssertion = (failure: BaseFailure | undefined): boolean =>
  failure !== undefined &&
  connectionCause(failure.message) === null &&
  biteReason({message: failure.message, isWholeFile: false}) === "assertion";

/** The failures that the runner names. If it names none, a failed build counts as a failure of all tests. */
function failuresIn(
  result: StageResult,
  tests: readonly ChangedTest[],
): {failures: BaseFailure[]; isComplete: boolean} {
  const {reported, diagnostics} = result;
  const messageFor = (name: string | null, file: string | null): string | undefined =>
    diagnostics.find(({testId}) => name !== null && testId !== undefined && lastPart(testId) === lastPart(name))
      ?.message ??
    diagnostics.find((one) => file !== null && one.file !== undefined && endsWithPath(one.file, file))?.message;
  if (reported !== undefined && reported.failed.length > 0) {
    const failures = reported.failed.map(({file, name, title, message}) => {
      const printed = messageFor(name ?? title, file) ?? diagnostics[0]?.message ?? "";
      return {file, name, title, line: null, message: GENERAL.test(message) ? printed : message};
    });
    return {failures: failures.map(asWholeFile), isComplete: reported.failed.length >= reported.counts.failed};
  }
  const failedTests = failedIn(result);
  if (failedTests !== null) {
    const messageOf = (name: string | null, file: string | null) =>
      messageFor(name, file) ?? diagnostics[0]?.message ?? "";
    const failures = failedTests.tests.map(({file, name}) => ({
      file,
      name,
      title: name,
      line: null,
      message: messageOf(name, file),
    }));
    return {failures, isComplete: failedTests.isComplete};
  }
  const ranNone = (result.tests?.failed ?? 0) === 0;
  const text = textOf(result);
  if (ranNone && saysNotLoaded(text)) {
    const message = diagnostics.find((one) => saysNotLoaded(one.message))?.message ?? diagnostics[0]?.message ?? "";
    return {failures: [{file: null, name: null, title: null, line: null, message}], isComplete: true};
  }
  const failures = diagnostics.flatMap(({testId, file, line, message}) =>
    testId === undefined ? [] : [{file: file ?? null, name: testId, title: testId, line: line ?? null, message}],
  );
  // The name may be the text of an assertion. Then only the place shows which test failed.
  const isInTestFile = ({file, line}: BaseFailure) =>
    file !== null && line !== null && tests.some(({path}) => endsWithPath(file, path));
  const areCounted = failures.length > 0 && failures.length >= (result.tests?.failed ?? Infinity);
  return {failures, isComplete: areCounted && failures.every(isInTestFile)};
}

/** Some reports name a file that cannot be loaded as if it were a test. */
function asWholeFile(failure: BaseFailure): BaseFailure {
  const isLoading =
    failure.name !== null && /^(?:Test suite failed to run|\(?no name\)?|collection failure)$/i.test(failure.name);
  return isLoading ? {...failure, name: null} : failure;
}

const textOf = ({output}: StageResult): string => (output === null ? "" : wholeText(output));

function isAbout({name: ownName, title, file, line}: BaseFailure, test: ChangedTest): boolean {
  const name = ownName ?? title;
  const isInside = line !== null && test.line <= line && line <= test.lastLine;
  if (isInside && file !== null && endsWithPath(file, test.path)) return true;
  if (name === null || (file !== null && !mayBeFile(file, test.path))) return false;
  const plainName = name.replace(/ ?\[[^[\]]*\]$/, "").replace(/\(\)$/, "");
  const pattern = titlePattern(test.name);
  return [
    plainName,
    name,
    plainName.split("/")[0] ?? "",
    lastPart(plainName),
    lastPart(plainName.split("/")[0] ?? ""),
  ].some((one) => pattern.test(one));
}

/** True if a whole file, package or build failed that contains the test. */
function isFileOf({name, file}: BaseFailure, test: ChangedTest): boolean {
  return name === null && (file === null || mayBeFile(file, test.path));
}

/** A runner may print a class, a package or a test program in place of a file; then the name alone decides. */
function mayBeFile(file: string, path: string): boolean {
  return !/\.(?:[cm]?[jt]sx?|py)$/.test(file) || endsWithPath(file, path);
}

const endsWithPath = (one: string, other: string): boolean => {
  const [left, right] = [plainPath(one), plainPath(other)];
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);
};

const lastPart = (name: string): string => name.split(/::| > |\.(?=\w+$)/).at(-1) ?? name;

/** Matches a title with placeholders, which stand for any text. Group names may precede it. */
function titlePattern(name: string): RegExp {
  const source = name
    .split(/\$\{[^}]*\}|%[sdifjop#]|\$[\w.]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join(".*");
  return new RegExp(`(?:^|[ >])${source}$`, "s");
}
