/** Scores every line of a log: by its text, by its neighbors, and by its position in the log. */

import type {Problem} from "./blocks.ts";
import {bodyAt, type LogLines, textAt} from "./lines.ts";
import {isPassingWarning} from "./passing-warnings.ts";
import {ANY_SCORE, linesWithFlag} from "./prefilter.ts";
import {isChatter, pointsOf} from "./score-lines.ts";
import {findSections} from "./sections.ts";
import {ASIDE, FAINT, withoutUseless} from "./useless-lines.ts";

/**
 * The weights, in points: about 10 is a plain statement of failure. They were tuned on one half of a corpus of real CI
 * logs, and each change also had to improve the other half. Factors are between 0 and 1.
 */
const W = {
  /** the lines that carry a problem's parts; the lines of a block, which stay together before the next block's head */
  error: 12,
  block: 14,
  /** a trace, a complaint of an unknown tool, and a warning in a log without errors, because it is then the cause */
  likely: 10,
  warning: 5,
  /** first error first: each further problem of a sort, each further line of a block */
  nextItem: 0.015,
  nextBlock: 0.1,
  nextInBlock: 0.995,
  /** how far a line's score carries to the lines after and before it */
  seed: 0.8,
  after: 0.94,
  afterDeeper: 0.968,
  before: 0.5,
  /** the end of a failed step, and of the log where no step is known to have failed */
  end: 8.5,
  reachOfEnd: 80,
  /** the end if a tool has reported its errors, and stack frames in a failure */
  lesser: 0.6,
  earlier: 0.2,
  /** lines with the parts of a failure (the test, the reason, its place), and the lines next to them */
  part: 1.3,
  /** lines repeated next to a failure, and long lines */
  often: 0.25,
  long: 0.25,
} as const;

/** A reason often has more lines than the one with its first words. */
const NEAR_A_KEY = 2;
const BESIDE_A_FAILURE = 6;
const LONG_CHARS = 160;
const SPACE = 32;
const NOT_NEAR = 0.2;
/** An encoded file, which some jobs print so that it can be copied from the log. */
const PACKED = /^(?!\/)[A-Za-z\d+/]{60,}={0,2}$/;
/** A stack frame of the JVM, of JavaScript or of .NET, of Ruby, and of a debugger. */
const FRAME = /^\s*(?:at \S|from \S+:\d+:in |\S+:\d+:in [`']|#\d+ |\.{3} \d+ more$)/;
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
  for (const index of linesAbove(FAINT, scores))
    if (ownScores[index] === 0 && isChatter(bodyAt(lines, index))) scores[index] = (scores[index] ?? 0) * ASIDE;
  weighByPlace({lines, flags, scores, problems});
  // No later step raises the score of a faint line to one that an excerpt shows, so the others need not be read.
  const near = linesAbove(FAINT, scores);
  weighLists({lines, near, ownScores, scores});
  const blocks = problems.filter(({isBlock}) => isBlock);
  weighBlocks({lines, scores, blocks});
  weighByForm({lines, near, scores, keys: new Set(blocks.flatMap(({key}) => key))});
  withoutUseless({lines, flags, problems, near, scores});
  return scores;
}

function ownPoints(lines: LogLines, flags: Int32Array): Float64Array {
  const points = new Float64Array(lines.count);
  for (const index of linesWithFlag(ANY_SCORE, flags)) {
    points[index] = pointsOf(bodyAt(lines, index), flags[index] ?? 0);
  }
  return points;
}

/** The indexes of the lines with more points than these, in order. */
function linesAbove(points: number, scores: Float64Array): number[] {
  const places: number[] = [];
  for (let index = 0; index < scores.length; index++) if ((scores[index] ?? 0) > points) places.push(index);
  return places;
}

function addProblems(options: {problems: readonly Problem[]; ownScores: Float64Array; seed: Float64Array}): void {
  const {ownScores, seed} = options;
  const anyError = options.problems.some(({diagnostic}) => isToolError(diagnostic));
  const counts = new Map<string, number>();
  for (const {diagnostic, from, to, key, isBlock} of options.problems) {
    const sort = `${diagnostic.tool} ${isBlock} ${diagnostic.severity}`;
    const earlierCount = counts.get(sort) ?? 0;
    counts.set(sort, earlierCount + 1);
    const points = fullPoints(diagnostic, anyError) / (1 + earlierCount * (isBlock ? W.nextBlock : W.nextItem));
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
  if (tool === "unknown" || TRACES.has(tool)) return W.likely;
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
 * Each line raises the scores of its neighbors: more for the following lines, and most for lines indented below it.
 */
function spread(options: {lines: LogLines; ownScores: Float64Array; seed: Float64Array}): Float64Array {
  const {lines, seed} = options;
  const scores = options.ownScores.slice();
  const raise = (index: number, points: number): void => {
    if (points > (scores[index] ?? 0)) scores[index] = points;
  };
  let carry = 0;
  let indent = 0;
  linesAbove(0, seed).forEach((start, at, starts) => {
    const ownSeed = seed[start] ?? 0;
    for (let before = start - 1, faded = ownSeed * W.before; before >= 0 && faded > NOT_NEAR; before--) {
      raise(before, faded);
      faded *= W.before;
    }
    const end = starts[at + 1] ?? scores.length;
    for (let index = start; index < end && (index === start || carry >= NOT_NEAR); index++) {
      const depth = indentOf(lines, index);
      const faded = carry * (depth > indent ? W.afterDeeper : W.after);
      if (index === start && ownSeed >= faded) indent = depth;
      carry = index === start ? Math.max(ownSeed, faded) : faded;
      raise(index, carry);
    }
  });
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
  const isFailure = new Uint8Array(lines.count);
  for (const {diagnostic, from, to} of problems) if (isToolError(diagnostic)) isFailure.fill(1, from, to + 1);
  // An error on a single line may belong to an earlier command of the step: only failures with reasons explain its end.
  const failures = problems.filter(({diagnostic, isBlock}) => isBlock && isToolError(diagnostic));
  if (!sections.some((section) => section.failed)) {
    const share = problems.some(({diagnostic}) => isToolError(diagnostic)) ? W.lesser : 1;
    weighTowardsEnd({lines, scores, isFailure, from: 0, to: lines.count - 1, points: W.end * share});
    return;
  }
  let next = 0;
  for (const {from, to, failed} of sections) {
    while ((failures[next]?.from ?? to) < from) next++;
    if (failed) {
      const isExplained = (failures[next]?.from ?? lines.count) <= to;
      weighTowardsEnd({lines, scores, isFailure, from, to, points: W.end * (isExplained ? W.lesser : 1)});
    } else for (let index = from; index <= to; index++) scores[index] = (scores[index] ?? 0) * ASIDE;
  }
}

/** Lines shortly before a failed end matter even without a word of failure. */
function weighTowardsEnd(options: {
  lines: LogLines;
  scores: Float64Array;
  /** these lines have their points from the failure that they belong to: the first failure is the best */
  isFailure: Uint8Array;
  from: number;
  to: number;
  points: number;
}): void {
  const reach = W.reachOfEnd * Math.log(options.points / NOT_NEAR);
  for (let index = options.to; index >= options.from; index--) {
    const isNearEnd = options.to - index <= reach;
    if (!isNearEnd && options.scores[index] === 0) continue;
    const part = (index - options.from) / Math.max(1, options.to - options.from);
    if (options.isFailure[index] === 1) continue;
    options.scores[index] = (options.scores[index] ?? 0) * (1 + W.earlier * (part - 1));
    if (!isNearEnd) continue;
    const endPoints = options.points * Math.exp((index - options.to) / W.reachOfEnd);
    const body = bodyAt(options.lines, index);
    if (body.trim() === "" || PACKED.test(body)) continue;
    options.scores[index] =
      (options.scores[index] ?? 0) + endPoints * (options.lines.passing.has(index) || isChatter(body) ? ASIDE : 1);
  }
}

/** The test and the reason rank above the rest of a failure, and its rest above the frames of the test runner. */
function weighBlocks(options: {lines: LogLines; scores: Float64Array; blocks: readonly Problem[]}): void {
  const {lines, scores} = options;
  for (const {diagnostic, from, to, key} of options.blocks) {
    for (let index = from; index <= to; index++) {
      const isFrame = isToolError(diagnostic) && !key.includes(index) && FRAME.test(bodyAt(lines, index));
      const isNearKey = key.some((at) => Math.abs(at - index) <= NEAR_A_KEY);
      scores[index] = (scores[index] ?? 0) * (isFrame ? W.lesser : isNearKey ? W.part : 1);
    }
  }
}

const FIRST_WORD = /^\s*(?:[-*] )?[a-z]+\b/i;
/** With more lines of one beginning, they are a list. */
const LIST_FROM = 8;

/**
 * Lines that are only near a failure, and begin alike, are steps of one task: each copies, links or installs a file.
 */
function weighLists(options: {
  lines: LogLines;
  near: readonly number[];
  ownScores: Float64Array;
  scores: Float64Array;
}): void {
  const {lines, ownScores, scores} = options;
  const linesByWord = new Map<string, number[]>();
  for (const index of options.near) {
    if (ownScores[index] !== 0) continue;
    const [word] = FIRST_WORD.exec(bodyAt(lines, index)) ?? [];
    const list = word === undefined ? undefined : linesByWord.get(word);
    if (list !== undefined) list.push(index);
    else if (word !== undefined) linesByWord.set(word, [index]);
  }
  for (const list of linesByWord.values())
    if (list.length > LIST_FROM) for (const index of list) scores[index] = (scores[index] ?? 0) / list.length;
}

/** `keys` are lines without which the block around them explains little, however long they are. */
function weighByForm(options: {
  lines: LogLines;
  near: readonly number[];
  scores: Float64Array;
  keys: ReadonlySet<number>;
}): void {
  const {lines, near, scores, keys} = options;
  const times = new Map<string, number>();
  const repeatable = new Map<number, string>();
  for (const index of near) {
    if ((scores[index] ?? 0) <= BESIDE_A_FAILURE || EMPTY.test(bodyAt(lines, index))) continue;
    const text = textAt(lines, index).trim();
    repeatable.set(index, text);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  for (const index of near) {
    const often = (times.get(repeatable.get(index) ?? "") ?? 1) ** W.often;
    const chars = (lines.ends[index] ?? 0) - (lines.starts[index] ?? 0);
    const long = chars > LONG_CHARS && !keys.has(index) ? (LONG_CHARS / chars) ** W.long : 1;
    scores[index] = (scores[index] ?? 0) * often * long;
  }
}
