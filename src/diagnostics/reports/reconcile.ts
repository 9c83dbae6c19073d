/** Combines a runner's own report with its output; a report can turn a pass into a failure, never the reverse. */
import type {Diagnostic, Reported, ReportedTest, StageResult, TestCounts} from "../../record/evidence.ts";
import type {FailureKind} from "../../record/words.ts";
import {type FailedTests, ranToItsEnd, TEST_TOOLS} from "../failed-tests.ts";

interface ReadOutput {
  readonly items: readonly Diagnostic[];
  readonly kind: FailureKind;
  readonly tests: TestCounts | null;
}

/**
 * Completes the data from the output. If the report covers all tests of the stage (`isWhole`), its counts are used,
 * because a test may print another summary; otherwise the larger count is used. Failed tests that the output does not
 * name are added, unless the output has enough diagnostics, so that nothing appears twice.
 */
export function withReport<T extends ReadOutput>(read: T, options: {reported: Reported | null; isWhole: boolean}): T {
  const {reported} = options;
  if (reported === null) return read;
  const {counts} = reported;
  const isTaken = options.isWhole || read.tests === null || testCountOf(counts) > testCountOf(read.tests);
  // A file that cannot be loaded is a failure in the output, but missing in some reports.
  const tests = isTaken ? {...counts, failed: Math.max(counts.failed, read.tests?.failed ?? 0)} : read.tests;
  const kind = counts.failed > 0 && read.kind === "no-check" ? "code" : read.kind;
  return {...read, tests, kind, items: [...read.items, ...unnamedIn(read.items, reported)]};
}

/** True if the output or the report says that no test ran. */
export const saysNoneRan = (tests: TestCounts | null, reported: Reported | null): boolean =>
  [tests, reported?.counts].some((counts) => counts && testCountOf(counts) === 0);

const testCountOf = ({passed, failed}: TestCounts): number => passed + failed;

function unnamedIn(items: readonly Diagnostic[], {tool, counts, failed}: Reported): Diagnostic[] {
  const errors = items.filter(({severity}) => severity === "error");
  if (errors.length >= counts.failed) return [];
  const names = errors.flatMap(({testId}) => (testId === undefined ? [] : [wordsOf(testId)]));
  const notIn = (tests: readonly ReportedTest[], isSame: (title: string, name: string) => boolean): ReportedTest[] =>
    tests.filter((test) => {
      const index = names.findIndex((name) => isSame(wordsOf(test.title), name));
      if (index >= 0) names.splice(index, 1);
      return index < 0;
    });
  // A report or an output may name the file and the groups around a test, too. Equal names go first, because one test's
  // name may end with another's.
  const unnamedTests = notIn(
    notIn(failed, (title, name) => title === name),
    (title, name) => title.endsWith(name) || name.endsWith(title),
  );
  return unnamedTests.map(({file, title, message}) => ({
    tool,
    ...(file !== null && {file}),
    message: message || title,
    severity: "error",
    testId: title,
  }));
}

/** With blanks around each word, so that a name matches only whole words. */
const wordsOf = (name: string): string => ` ${name.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/**
 * The failed tests from the report alone, for outputs that do not name them. The list is complete if there is an output
 * without a sign of an early end. Null if the list is cut, or no command can be built from it.
 */
export function failedInReport(reported: Reported | undefined, output: string): FailedTests | null {
  const tool = TEST_TOOLS.find((one) => one === reported?.tool);
  if (reported === undefined || tool === undefined || reported.failed.length === 0) return null;
  if (reported.failed.length < reported.counts.failed) return null;
  const tests = reported.failed.map(({file, name}) => ({file, name}));
  return {tool, tests, isComplete: output.trim() !== "" && ranToItsEnd(tool, output)};
}

/** Messages of programs that reject arguments, variables and files. */
const REFUSALS: readonly RegExp[] = [
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|illegal|unsupported|bad|no such|ambiguous) (?:\w+ )?(?:option|argument|flag)/i,
  /\b(?:unknown|invalid|unsupported|no such) (?:\w+ )?(?:switch|parameter|reporter|formatter)/i,
  /\b(?:option|flag|argument)s? .{0,80}\b(?:not (?:allowed|recogni[sz]ed|supported|defined|valid)|does not exist)/i,
  /flag provided but not defined|^usage:|\breporters?\b|\bjunit|\bE(?:ACCES|ROFS|PERM|NOSPC|ISDIR)\b|\bNODE_OPTIONS\b/im,
];

/**
 * True if the output rejects something, or if no test ran and no diagnostic has a place in a file, as compilers'
 * diagnostics do. A compiler error would also end the run without a report request.
 */
export function mayBeRefusal(options: Pick<StageResult, "tests" | "diagnostics"> & {output: string}): boolean {
  const hasRun = (options.tests?.passed ?? 0) > 0;
  const isPlaced = options.diagnostics.some(
    ({severity, file, line}) => severity === "error" && file !== undefined && line !== undefined,
  );
  return REFUSALS.some((pattern) => pattern.test(options.output)) || (!hasRun && !isPlaced);
}
