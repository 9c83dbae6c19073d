/** Decides the cause of a failure: the code, the environment, a timeout, or a run that checked nothing. */
import type {TestCounts} from "../record/evidence.ts";
import type {FailureKind} from "../record/words.ts";
import type {Problem} from "./blocks.ts";
import {ENVIRONMENT, EXHAUSTED, NOTHING_CHECKED, TIMED_OUT} from "./environment-causes.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, linesWithFlag} from "./prefilter.ts";
import {findSections} from "./sections.ts";

/** Tools whose reports are not about the code: they pass on that something below them failed, or show any crash at all. */
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

/** Progress lines, which stop nothing: after two dashes CMake names everything it looked for, even if nothing requires it. */
const PASSING_REMARK = /^(?:\s|\[)*(?:debug|info|notice|note|warn|warning|npm warn)\b|^-- |^$/i;

/** Given that it failed. Where a checker or a test points at the code, it is the code, unless memory, disk or time ran out under it. */
export function kindOf(options: {
  lines: LogLines;
  flags: Int32Array;
  problems: readonly Problem[];
  tests: TestCounts | null;
}): FailureKind {
  const passed = inPassedSteps(options.lines, options.flags);
  const text = (flag: number): string[] =>
    linesWithFlag(flag, options.flags)
      .filter((index) => !options.lines.passing.has(index) && passed[index] !== 1)
      .map((index) => bodyAt(options.lines, index))
      .filter((body) => !PASSING_REMARK.test(body));
  if (text(FLAG.exhausted).some((body) => EXHAUSTED.test(body))) return "environment";
  if (options.problems.some((problem) => pointsAtCode(options.lines, problem))) return "code";
  const telling = text(FLAG.telling);
  const says = (pattern: RegExp): boolean => telling.some((body) => pattern.test(body));
  if (says(TIMED_OUT)) return "timeout";
  if (ENVIRONMENT.some(says)) return "environment";
  const noneRan = options.tests !== null && options.tests.passed + options.tests.failed + options.tests.skipped === 0;
  return noneRan || says(NOTHING_CHECKED) ? "no-check" : "code";
}

/** Marks the lines of steps that passed: their text is not the cause. Some tools print their reason after the line that ends the step. */
function inPassedSteps(lines: LogLines, flags: Int32Array): Uint8Array {
  const passed = new Uint8Array(lines.count);
  const sections = findSections(lines, flags);
  if (!sections.some(({failed}) => failed)) return passed;
  for (const {from, to, failed} of sections.slice(0, -1)) if (!failed) passed.fill(1, from, to + 1);
  return passed;
}

function pointsAtCode(lines: LogLines, problem: Problem): boolean {
  const {diagnostic, from, to} = problem;
  if (diagnostic.severity !== "error" || MESSENGERS.has(diagnostic.tool)) return false;
  if (diagnostic.testId === undefined && (diagnostic.file === undefined || diagnostic.line === undefined)) return false;
  for (let index = from; index <= Math.min(to, from + 80); index++) {
    const body = bodyAt(lines, index);
    if (TIMED_OUT.test(body) || ENVIRONMENT.some((pattern) => pattern.test(body))) return false;
  }
  return true;
}
