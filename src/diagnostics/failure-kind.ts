/** Decides the cause of a failure: the code, the environment, a timeout, or a run that checked nothing. */
import type {TestCounts} from "../record/evidence.ts";
import type {FailureKind} from "../record/words.ts";
import {TOOLS} from "../tools/all.ts";
import type {Problem} from "./blocks.ts";
import {ENVIRONMENT, EXHAUSTED, lacksHeader, NOTHING_CHECKED, REFUSALS, TIMED_OUT} from "./environment-causes.ts";
import {failsToBuildPackage} from "./foreign-builds.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, linesWithFlag} from "./prefilter.ts";
import {findSections} from "./sections.ts";
import {isTold, type Telling} from "./telling.ts";

/** Tools whose reports do not point at the code: they report that another program failed, or print any crash. */
const MESSENGERS = new Set([
  "unknown",
  "java",
  "python",
  "node",
  "npm",
  "pnpm",
  "yarn",
  "pip",
  "shell",
  "make",
  "cargo",
]);

/**
 * Progress lines, which no failure causes. After two dashes CMake names everything that it searched for, even if
 * nothing requires it.
 */
const PASSING_REMARK = /^(?:\s|\[)*(?:debug|info|notice|note|warn|warning(?!.*Retry\(total=0)|npm warn)\b|^-- |^$/i;

/** What a test expected and got, also as a difference of lines, is the code's own text, whatever it says. */
const COMPARISON =
  /^\W*(?:E +)?(?:[\w.]*(?:AssertionError|AssertionFailedError|ComparisonFailure): )?(?:expected\b(?! promise)|received\b|(?:actual|got) *:|assert .* == )|^\s*(?:E +)?[-+] |, want\b/i;

const LISTS_FAILURES = new Set(TOOLS.filter(({output}) => output?.listsFailures).map(({name}) => name));
const REASON_LINES = new Map(TOOLS.map(({name, output}) => [name, output?.reasonLines]));

/**
 * Takes the output of a failure. If a checker or a test points at the code, the code is the cause, unless memory, disk
 * or time ran out.
 */
export function kindOf(options: {
  lines: LogLines;
  flags: Int32Array;
  problems: readonly Problem[];
  tests: TestCounts | null;
}): FailureKind {
  const isInPassedStep = linesInPassedSteps(options.lines, options.flags);
  const text = (flag: number): string[] =>
    linesWithFlag(flag, options.flags)
      .filter((index) => !options.lines.passing.has(index) && isInPassedStep[index] !== 1)
      .map((index) => bodyAt(options.lines, index))
      .filter((body) => !PASSING_REMARK.test(body));
  if (text(FLAG.exhausted).some((body) => isTold(EXHAUSTED, body))) return "environment";
  // The list of failed tests at the end of a run has their names, and not the reasons.
  const errors = options.problems.filter(({diagnostic}) => diagnostic.severity === "error");
  const toldInFull = new Set(errors.filter(({isBlock}) => isBlock).map(({diagnostic}) => diagnostic.tool));
  const failures = errors.filter(
    ({isBlock, diagnostic: {tool}}) => isBlock || !LISTS_FAILURES.has(tool) || !toldInFull.has(tool),
  );
  if (failures.some((problem) => pointsAtCode(options.lines, problem))) return "code";
  const informativeLines = text(FLAG.telling);
  const says = (cause: Telling): boolean => informativeLines.some((body) => isTold(cause, body));
  const refuses = (cause: Telling): boolean =>
    informativeLines.some((body) => !COMPARISON.test(body) && isTold(cause, body));
  if (says(TIMED_OUT)) return "timeout";
  const lacksMachinery = ENVIRONMENT.some(says) || REFUSALS.some(refuses) || informativeLines.some(lacksHeader);
  if (lacksMachinery || failsToBuildPackage(informativeLines)) return "environment";
  const noneRan = options.tests !== null && options.tests.passed + options.tests.failed + options.tests.skipped === 0;
  return noneRan || says(NOTHING_CHECKED) ? "no-check" : "code";
}

/**
 * Marks the lines of steps that passed, which are not the cause. Some tools print the reason after the line that ends
 * the step.
 */
function linesInPassedSteps(lines: LogLines, flags: Int32Array): Uint8Array {
  const passedLines = new Uint8Array(lines.count);
  const sections = findSections(lines, flags);
  if (!sections.some(({failed}) => failed)) return passedLines;
  for (const {from, to, failed} of sections.slice(0, -1)) if (!failed) passedLines.fill(1, from, to + 1);
  return passedLines;
}

function pointsAtCode(lines: LogLines, problem: Problem): boolean {
  const {diagnostic, from, to} = problem;
  if (MESSENGERS.has(diagnostic.tool)) return false;
  if (diagnostic.testId === undefined && (diagnostic.file === undefined || diagnostic.line === undefined)) return false;
  const bodies = Array.from({length: to - from + 1}, (_, index) => bodyAt(lines, from + index));
  const reasonLines = REASON_LINES.get(diagnostic.tool);
  const reasons = reasonLines === undefined ? [] : bodies.filter((body) => reasonLines.test(body));
  for (const body of (reasons.length > 0 ? reasons : bodies).slice(0, 81)) {
    // The time limit in the message of one test is that test's own.
    if (diagnostic.testId === undefined && isTold(TIMED_OUT, body)) return false;
    if (!COMPARISON.test(body) && (ENVIRONMENT.some((cause) => isTold(cause, body)) || lacksHeader(body))) return false;
  }
  return true;
}
