/** Combines a runner's own report with its output; a report can turn a pass into a failure, never the reverse. */
import type {Diagnostic, Reported, StageResult, TestCounts} from "../../record/evidence.ts";
import type {FailureKind} from "../../record/words.ts";
import {type FailedTests, ranToItsEnd, TEST_TOOLS} from "../failed-tests.ts";

interface ReadOutput {
  readonly items: readonly Diagnostic[];
  readonly kind: FailureKind;
  readonly tests: TestCounts | null;
}

/**
 * Completes the data from the output. The report's count holds where it is of all tests of the stage (`isWhole`): a test
 * may print another summary. If it covers one run among several, the larger count holds. Failed tests that the
 * output does not name become items; where it has enough items none is added, so that nothing is said twice.
 */
export function withReport<T extends ReadOutput>(read: T, options: {reported: Reported | null; isWhole: boolean}): T {
  const {reported} = options;
  if (reported === null) return read;
  const {counts} = reported;
  const isTaken = options.isWhole || read.tests === null || ranIn(counts) > ranIn(read.tests);
  // A file that cannot be loaded is a failure in the output, and in some reports nothing.
  const tests = isTaken ? {...counts, failed: Math.max(counts.failed, read.tests?.failed ?? 0)} : read.tests;
  const kind = counts.failed > 0 && read.kind === "no-check" ? "code" : read.kind;
  return {...read, tests, kind, items: [...read.items, ...unnamedIn(read.items, reported)]};
}

/** True where the output or the report says that not one test ran. */
export const saysNoneRan = (tests: TestCounts | null, reported: Reported | null): boolean =>
  [tests, reported?.counts].some((counts) => counts && ranIn(counts) === 0);

const ranIn = ({passed, failed}: TestCounts): number => passed + failed;

function unnamedIn(items: readonly Diagnostic[], {tool, counts, failed}: Reported): Diagnostic[] {
  const errors = items.filter(({severity}) => severity === "error");
  if (errors.length >= counts.failed) return [];
  const namedTests = errors.flatMap(({testId}) => (testId === undefined ? [] : [wordsOf(testId)]));
  const unnamed = failed.filter((test) => {
    const title = wordsOf(test.title);
    const index = namedTests.findIndex((other) => other.includes(title) || title.includes(other));
    if (index >= 0) namedTests.splice(index, 1);
    return index < 0;
  });
  return unnamed.map(({file, title, message}) => ({
    tool,
    ...(file !== null && {file}),
    message: message || title,
    severity: "error",
    testId: title,
  }));
}

/** With blanks around each word, so that one name is found in another only as whole words. */
const wordsOf = (name: string): string => ` ${name.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/**
 * The failed tests by the report alone, for outputs that do not name them. The list is complete where the output says
 * something, and nothing of an early end. Null where the list is cut, or no command can be made from it.
 */
export function failedInReport(reported: Reported | undefined, output: string): FailedTests | null {
  const tool = TEST_TOOLS.find((one) => one === reported?.tool);
  if (reported === undefined || tool === undefined || reported.failed.length === 0) return null;
  if (reported.failed.length < reported.counts.failed) return null;
  const tests = reported.failed.map(({file, name}) => ({file, name}));
  return {tool, tests, isComplete: output.trim() !== "" && ranToItsEnd(tool, output)};
}

/** How programs refuse words, variables and files that they are given. */
const REFUSALS =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|illegal|unsupported|bad|no such|ambiguous) (?:\w+ )?(?:option|argument|flag|switch|parameter|reporter|formatter)|\b(?:option|flag|argument)s? .{0,80}\b(?:not (?:allowed|recogni[sz]ed|supported|defined|valid)|does not exist)|flag provided but not defined|^usage:|\breporters?\b|\bjunit|\bE(?:ACCES|ROFS|PERM|NOSPC|ISDIR)\b|\bNODE_OPTIONS\b/im;

/**
 * True where the output refuses something, or says nothing: no test ran, and no complaint has a place in a file, as a compiler's
 * has. A run that such a complaint ended would end the same way without the question.
 */
export function mayBeRefusal(options: Pick<StageResult, "tests" | "diagnostics"> & {output: string}): boolean {
  const hasRun = (options.tests?.passed ?? 0) > 0;
  const isPlaced = options.diagnostics.some(
    ({severity, file, line}) => severity === "error" && file !== undefined && line !== undefined,
  );
  return REFUSALS.test(options.output) || (!hasRun && !isPlaced);
}
