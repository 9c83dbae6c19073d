/** Lowers the score of lines that explain nothing wherever they are: progress, passed tests, shown scripts. */

import type {Problem} from "./blocks.ts";
import {foreignFrames} from "./foreign-frames.ts";
import {NOISE, REPEATED_FAILURE} from "./line-patterns.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {passedTests} from "./passed-tests.ts";
import {isPassingWarning} from "./passing-warnings.ts";
import {FLAG, linesWithFlag} from "./prefilter.ts";

/** Lines with fewer points never appear in an excerpt, so their exact score does not matter. */
export const FAINT = 1;

/**
 * The factor for lines that may be of use where nothing better is left, such as those that repeat that a command
 * failed.
 */
export const ASIDE = 0.28;

/** Lines with fewer points explain nothing by themselves: they are shown only next to others. */
export const ENOUGH = 2.5;

/** The score of a line that is not shown even where there is room. */
export const NEVER = -1;

/** GitHub prints the script and the variables of a step before it runs it, as a group. */
const SHOWN_SCRIPT = /^##\[group\]Run /;
const GROUP_ENDS = /^##\[endgroup\]/;
/** Travis CI repeats a command of several lines when it reports its result. */
const COMMAND_STARTS = /^The command "(?!.*" exited with )/;
const COMMAND_ENDS = '" exited with ';
const LONGEST_SCRIPT = 200;
const GO_TEST = /^=== (?:RUN|PAUSE|CONT|NAME) /;
const GO_MARK = /^\s*(?:===|---) |^$/;

export function withoutUseless(options: {
  lines: LogLines;
  flags: Int32Array;
  problems: readonly Problem[];
  /** the lines that may appear in an excerpt */
  near: readonly number[];
  scores: Float64Array;
}): void {
  const {lines, flags, problems, near, scores} = options;
  const hasError = problems.some(({diagnostic}) => diagnostic.severity === "error");
  let explainsError = false;
  for (const {diagnostic, from, to} of problems) {
    // A compiler's notes belong to the error or the warning above them.
    if (diagnostic.severity !== "info") explainsError = diagnostic.severity === "error";
    if (hasError && !explainsError && isPassingWarning(diagnostic)) scores.fill(NEVER, from, to + 1);
  }
  for (const index of near) {
    const body = bodyAt(lines, index);
    if (NOISE.some((pattern) => pattern.test(body)) || isEmptyGoMark(lines, index, body)) scores[index] = NEVER;
    else if (REPEATED_FAILURE.some((pattern) => pattern.test(body))) scores[index] = (scores[index] ?? 0) * ASIDE;
  }
  for (const index of foreignFrames({lines, near, scores})) {
    const points = (scores[index] ?? 0) * ASIDE;
    scores[index] = points > ENOUGH ? points : NEVER;
  }
  for (const index of linesWithFlag(FLAG.step, flags)) {
    const body = bodyAt(lines, index);
    if (SHOWN_SCRIPT.test(body)) scores.fill(NEVER, index + 1, groupEnd(lines, index));
    else if (body.startsWith(COMMAND_ENDS)) scores.fill(NEVER, commandStart(lines, index), index);
  }
  const passed = passedTests({lines, flags, near});
  for (const index of near) if (passed[index] === 1) scores[index] = NEVER;
}

/** `go test -v` names a test before each of its outputs: without an output, that explains nothing. */
function isEmptyGoMark(lines: LogLines, index: number, body: string): boolean {
  return GO_TEST.test(body) && GO_MARK.test(bodyAt(lines, index + 1));
}

/** The line after a group's first line if the group has no end. */
function groupEnd(lines: LogLines, first: number): number {
  const last = Math.min(lines.count - 1, first + LONGEST_SCRIPT);
  for (let index = first + 1; index <= last; index++) if (GROUP_ENDS.test(bodyAt(lines, index))) return index;
  return first + 1;
}

/** The second line of the command that ends here; this line if it does not start nearby. */
function commandStart(lines: LogLines, last: number): number {
  const first = Math.max(0, last - LONGEST_SCRIPT);
  for (let index = last - 1; index >= first; index--) if (COMMAND_STARTS.test(bodyAt(lines, index))) return index + 1;
  return last;
}
