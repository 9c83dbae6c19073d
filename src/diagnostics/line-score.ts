/** Scores every line of a log: by its text, by its neighbours, and by its position in the log. */

import type {Problem} from "./blocks.ts";
import {NOISE} from "./line-patterns.ts";
import {bodyAt, type LogLines, textAt} from "./lines.ts";
import {passedTests} from "./passed-tests.ts";
import {isPassingWarning} from "./passing-warnings.ts";
import {ANY_SCORE, linesWithFlag} from "./prefilter.ts";
import {isChatter, pointsOf} from "./score-lines.ts";
import {findSections} from "./sections.ts";

/**
 * The weights, in points: about 10 is a plain statement of failure. They were tuned on one half of a corpus of real CI
 * logs, and each change also had to improve the other half. Factors are between 0 and 1.
 */
const W = {
  /** the lines that carry a problem's parts; the lines of a block, which stay together before the next block's head */
  error: 12,
  block: 14,
  /** a trace, and a warning in a log without errors: that warning is then the cause of the failure */
  likely: 10,
  unknownTool: 8,
  warning: 5,
  /** first error first: each further problem of a sort, each further line of a block, each further strong line */
  nextItem: 0.015,
  nextBlock: 0.1,
  nextInBlock: 0.995,
  nextStrong: 0.985,
  /** how far a line's score carries to the lines after and before it */
  seed: 0.8,
  after: 0.94,
  afterDeeper: 0.968,
  afterBlank: 0.8,
  before: 0.5,
  /** the end of a failed step, and of the log where no step is known to have failed */
  end: 8.5,
  endOfLog: 6,
  reachOfEnd: 80,
  /** the end of a log matters less if a tool has reported its errors */
  endBesideErrors: 0.6,
  earlier: 0.2,
  /** lines outside of failed steps, and lines that report progress */
  aside: 0.28,
  /**
   * lines with the parts of a block (the test, the reason, the expected and the actual value) rank above stack frames
   */
  part: 1.5,
  /** lines repeated next to a failure, and long lines */
  often: 0.25,
  long: 0.25,
} as const;

/** Shorter blocks are shown as a whole. */
const SHORT_BLOCK = 6;
const STRONG = 8;
/** Lines with fewer points never appear in an excerpt, so their exact score does not matter. */
const FAINT = 1;
const BESIDE_A_FAILURE = 6;
const LONG_CHARS = 160;
const SPACE = 32;
const NOT_NEAR = 0.2;
/** An encoded file, which some jobs print so that it can be copied from the log. */
const PACKED = /^(?!\/)[A-Za-z\d+/]{60,}={0,2}$/;
/** The output of a comparison: each test framework has its own words for the two sides. */
const COMPARED = /^\W{0,12}(?:expected|actual|received|got|left|right|want(?:ed)?|found|but was|diff|was)\b/i;
/** A log level with nothing after it. */
const EMPTY = /^\s*(?:\[[A-Z]+\])?\s*$/;

/** Stack traces outside of failed tests may be output of a passing test. */
const TRACES = new Set(["java", "python", "node"]);

/**
 * Scores each line by how much it explains the failure; 0 is irrelevant. `flags` and `problems` belong to the same
 * lines.
 */
export function scoreLines(options: {lines: LogLines; flags: Int32Array; problems: readonly Problem[]}): Float64Array {
  const {lines, flags, problems} = options;
  const ownScores = ownPoints(lines, flags);
  const seed = ownScores.slice();
  addProblems({problems, ownScores, seed});
  const scores = spread({lines, ownScores, seed});
  // A progress line next to a failure explains nothing.
  scores.forEach((value, index) => {
    if (value > FAINT && ownScores[index] === 0 && isChatter(bodyAt(lines, index))) scores[index] = value * W.aside;
  });
  weighByPlace({lines, flags, scores, problems});
  const keys = new Set<number>();
  for (const {from, to, key, isBlock} of problems) {
    if (!isBlock) continue;
    for (const index of key) keys.add(index);
    const isShort = to - from < SHORT_BLOCK;
    for (let index = from; index <= to; index++)
      if (key.includes(index) || isShort || COMPARED.test(bodyAt(lines, index)))
        scores[index] = (scores[index] ?? 0) * W.part;
  }
  weighByForm({lines, scores, keys});
  const hasError = problems.some(({diagnostic}) => diagnostic.severity === "error");
  for (const {diagnostic, from, to} of problems)
    if (hasError && isPassingWarning(diagnostic)) scores.fill(0, from, to + 1);
  scores.forEach((value, index) => {
    if (value > FAINT && NOISE.test(bodyAt(lines, index))) scores[index] = 0;
  });
  passedTests(lines, (index) => (scores[index] ?? 0) > FAINT).forEach((isPassed, index) => {
    if (isPassed === 1) scores[index] = 0;
  });
  return scores;
}

function ownPoints(lines: LogLines, flags: Int32Array): Float64Array {
  const points = new Float64Array(lines.count);
  for (const index of linesWithFlag(ANY_SCORE, flags)) {
    points[index] = pointsOf(bodyAt(lines, index), flags[index] ?? 0);
  }
  return points;
}

function addProblems(options: {problems: readonly Problem[]; ownScores: Float64Array; seed: Float64Array}): void {
  const {ownScores, seed} = options;
  const anyError = options.problems.some(({diagnostic}) => isToolError(diagnostic));
  const counts = new Map<string, number>();
  for (const {diagnostic, from, to, key, isBlock} of options.problems) {
    const sort = `${diagnostic.tool} ${isBlock} ${diagnostic.severity}`;
    const earlier = counts.get(sort) ?? 0;
    counts.set(sort, earlier + 1);
    const points = fullPoints(diagnostic, anyError) / (1 + earlier * (isBlock ? W.nextBlock : W.nextItem));
    for (let index = from; isBlock && index <= to; index++) {
      // Whatever words the line contains: otherwise the first lines of many failures crowd out the reasons of the first
      // ones.
      ownScores[index] = ((points * W.block) / W.error) * W.nextInBlock ** (index - from);
      seed[index] = 0;
    }
    for (const index of key) {
      ownScores[index] = Math.max(ownScores[index] ?? 0, points);
      seed[index] = points * W.seed;
    }
  }
}

const isToolError = ({tool, severity}: Problem["diagnostic"]): boolean =>
  severity === "error" && tool !== "unknown" && !TRACES.has(tool);

function fullPoints({tool, severity}: Problem["diagnostic"], anyError: boolean): number {
  if (tool === "unknown") return W.unknownTool;
  if (TRACES.has(tool)) return W.likely;
  if (severity === "error") return W.error;
  if (!anyError) return W.likely;
  return isPassingWarning({tool, severity}) ? 0 : W.warning;
}

/** The indentation of a line; for a blank line its whole length. */
function indentOf({text, bodies, ends}: LogLines, index: number): number {
  const from = bodies[index] ?? 0;
  const end = ends[index] ?? 0;
  let to = from;
  while (to < end && text.charCodeAt(to) <= SPACE) to++;
  return to - from;
}

/**
 * Each line raises the scores of its neighbours: more for the following lines, and most for lines indented below it.
 */
function spread(options: {lines: LogLines; ownScores: Float64Array; seed: Float64Array}): Float64Array {
  const {lines, seed} = options;
  const scores = options.ownScores.slice();
  let carry = 0;
  let indent = 0;
  let strong = 0;
  for (let index = 0; index < scores.length; index++) {
    const ownSeed = seed[index] ?? 0;
    // Most lines are far from any failure: nothing need be known of them.
    if (ownSeed === 0 && carry < NOT_NEAR) continue;
    const depth = indentOf(lines, index);
    const isBlank = depth === (lines.ends[index] ?? 0) - (lines.bodies[index] ?? 0);
    const faded = carry * (isBlank ? W.afterBlank : depth > indent ? W.afterDeeper : W.after);
    const lentScore = ownSeed === 0 ? 0 : ownSeed * W.nextStrong ** strong;
    if (ownSeed >= STRONG) strong++;
    if (lentScore >= faded) indent = depth;
    carry = Math.max(lentScore, faded);
    scores[index] = Math.max(scores[index] ?? 0, carry);
  }
  carry = 0;
  for (let index = scores.length - 1; index >= 0; index--) {
    carry = Math.max(seed[index] ?? 0, carry * W.before);
    if (carry > NOT_NEAR) scores[index] = Math.max(scores[index] ?? 0, carry);
  }
  return scores;
}

function weighByPlace(options: {
  lines: LogLines;
  flags: Int32Array;
  scores: Float64Array;
  problems: readonly Problem[];
}): void {
  const {lines, scores, problems} = options;
  const sections = findSections(lines, options.flags);
  if (!sections.some((section) => section.failed)) {
    const share = problems.some(({diagnostic}) => isToolError(diagnostic)) ? W.endBesideErrors : 1;
    weighTowardsEnd({lines, scores, from: 0, to: lines.count - 1, points: W.endOfLog * share});
    return;
  }
  // An error on a single line may belong to an earlier command of the step: only failures with reasons explain its end.
  const failures = problems.filter(({diagnostic, isBlock}) => isBlock && isToolError(diagnostic));
  let next = 0;
  for (const {from, to, failed} of sections) {
    while ((failures[next]?.from ?? to) < from) next++;
    if (failed) {
      const isExplained = (failures[next]?.from ?? lines.count) <= to;
      weighTowardsEnd({lines, scores, from, to, points: W.end * (isExplained ? W.endBesideErrors : 1)});
    } else for (let index = from; index <= to; index++) scores[index] = (scores[index] ?? 0) * W.aside;
  }
}

/** Lines shortly before a failed end matter even without a word of failure. */
function weighTowardsEnd(options: {
  lines: LogLines;
  scores: Float64Array;
  from: number;
  to: number;
  points: number;
}): void {
  for (let index = options.to; index >= options.from; index--) {
    const part = (index - options.from) / Math.max(1, options.to - options.from);
    options.scores[index] = (options.scores[index] ?? 0) * (1 + W.earlier * (part - 1));
    const endPoints = options.points * Math.exp((index - options.to) / W.reachOfEnd);
    if (endPoints < NOT_NEAR) continue;
    const body = bodyAt(options.lines, index);
    if (body.trim() === "" || PACKED.test(body)) continue;
    options.scores[index] =
      (options.scores[index] ?? 0) + endPoints * (options.lines.passing.has(index) || isChatter(body) ? W.aside : 1);
  }
}

/** `keys` are lines without which the block around them explains little, however long they are. */
function weighByForm({lines, scores, keys}: {lines: LogLines; scores: Float64Array; keys: ReadonlySet<number>}): void {
  const times = new Map<string, number>();
  const repeatable = new Map<number, string>();
  scores.forEach((value, index) => {
    if (value <= BESIDE_A_FAILURE || EMPTY.test(bodyAt(lines, index))) return;
    const text = textAt(lines, index).trim();
    repeatable.set(index, text);
    times.set(text, (times.get(text) ?? 0) + 1);
  });
  scores.forEach((value, index) => {
    if (value === 0) return;
    const often = (times.get(repeatable.get(index) ?? "") ?? 1) ** W.often;
    const chars = (lines.ends[index] ?? 0) - (lines.starts[index] ?? 0);
    scores[index] = value * often * (chars > LONG_CHARS && !keys.has(index) ? (LONG_CHARS / chars) ** W.long : 1);
  });
}
