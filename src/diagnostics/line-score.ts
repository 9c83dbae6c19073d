/** Scores every line of a log: by its text, by its neighbors, and by its position in the log. */

import type {Problem} from "./blocks.ts";
import {HINT, PLAIN} from "./line-patterns.ts";
import {bodyAt, type LogLines, textAt} from "./lines.ts";
import {isPassingWarning} from "./passing-warnings.ts";
import {ANY_SCORE, linesWithFlag} from "./prefilter.ts";
import {isChatter, pointsOf} from "./score-lines.ts";
import {findSections, type Section} from "./sections.ts";
import {ASIDE, FAINT, NEVER, withoutUseless} from "./useless-lines.ts";

/** The weights, in points: `PLAIN` is a plain statement of failure. Factors are between 0 and 1. */
const W = {
  /** the lines that carry a problem's parts; the lines of a block, which stay together before the next block's head */
  error: 12,
  block: 14,
  /** the lines of a block that carry its parts: the test, the reason, its place */
  part: 1.1,
  /** first error first: each further block of a sort */
  nextBlock: 0.1,
  /** how far a line's score carries to the lines after and before it */
  after: 0.94,
  before: 0.5,
  /** the end of a failed step, and of the log where no step is known to have failed */
  end: 7.5,
  reachOfEnd: 80,
  /** lines repeated next to a failure */
  often: 0.25,
} as const;

const NOT_NEAR = 0.2;
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
  const sections = findSections(lines, flags);
  const ownScores = ownPoints(lines, flags);
  const seed = ownScores.slice();
  addProblems({problems, ownScores, seed});
  const scores = spread(ownScores, seed);
  weighByPlace({lines, sections, scores, problems});
  // No later step raises the score of a faint line to one that an excerpt shows, so the others need not be read.
  const near = linesAbove(FAINT, scores);
  weighLists({lines, near, ownScores, scores});
  weighRepeated({lines, near, scores});
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
  const {problems, ownScores, seed} = options;
  const anyError = problems.some(({diagnostic}) => isToolError(diagnostic));
  const blockCounts = new Map<string, number>();
  for (const {diagnostic, from, to, key, isBlock} of problems) {
    const sort = `${diagnostic.tool} ${diagnostic.severity}`;
    const earlier = blockCounts.get(sort) ?? 0;
    if (isBlock) blockCounts.set(sort, earlier + 1);
    const points = fullPoints(diagnostic, anyError) / (isBlock ? 1 + earlier * W.nextBlock : 1);
    for (let index = from; isBlock && index <= to; index++) {
      // The line's own words do not count. Otherwise the first lines of many failures would crowd out the reasons of
      // the first failures.
      ownScores[index] = (points * W.block) / W.error;
      seed[index] = 0;
    }
    for (const index of key) {
      ownScores[index] = Math.max((ownScores[index] ?? 0) * (isBlock ? W.part : 1), points);
      seed[index] = points;
    }
  }
}

const isToolError = ({tool, severity}: Pick<Problem["diagnostic"], "tool" | "severity">): boolean =>
  severity === "error" && tool !== "unknown" && !TRACES.has(tool);

/** Without an error, a warning is the cause of the failure. */
function fullPoints({tool, severity}: Problem["diagnostic"], anyError: boolean): number {
  if (isToolError({tool, severity})) return W.error;
  return anyError && isPassingWarning({tool, severity}) ? 0 : PLAIN;
}

/** Each line raises the scores of its neighbors, more for the following lines. */
function spread(ownScores: Float64Array, seed: Float64Array): Float64Array {
  const scores = ownScores.slice();
  const raise = (index: number, points: number): void => {
    if (points > (scores[index] ?? 0)) scores[index] = points;
  };
  let carry = 0;
  linesAbove(0, seed).forEach((start, at, starts) => {
    const ownSeed = seed[start] ?? 0;
    for (let before = start - 1, faded = ownSeed * W.before; before >= 0 && faded > NOT_NEAR; before--) {
      raise(before, faded);
      faded *= W.before;
    }
    const end = starts[at + 1] ?? scores.length;
    for (let index = start; index < end && (index === start || carry >= NOT_NEAR); index++) {
      carry = Math.max(index === start ? ownSeed : 0, carry * W.after);
      raise(index, carry);
    }
  });
  return scores;
}

function weighByPlace(options: {
  lines: LogLines;
  sections: readonly Section[];
  scores: Float64Array;
  problems: readonly Problem[];
}): void {
  const {lines, sections, scores, problems} = options;
  const failures = problems.filter(({diagnostic, isBlock}) => isBlock && isToolError(diagnostic));
  const isFailure = new Uint8Array(lines.count);
  for (const {diagnostic, from, to} of problems) if (isToolError(diagnostic)) isFailure.fill(1, from, to + 1);
  const failedSections = sections.filter(({failed}) => failed);
  const isNamed = failedSections.length === 0 && isFailure.includes(1);
  const wholeLog = {from: 0, to: lines.count - 1};
  let next = 0;
  for (const {from, to} of failedSections.length === 0 ? [wholeLog] : failedSections) {
    while ((failures[next]?.from ?? from) < from) next++;
    // An error on a single line may belong to an earlier command of the step: only failures with reasons explain its end.
    const isExplained = (failures[next]?.from ?? lines.count) <= to;
    if (!isExplained) weighEnd({lines, scores, isFailure, isNamed, from, to});
  }
  if (failedSections.length === 0) return;
  for (const {from, to, failed} of sections)
    for (let index = from; index <= to && !failed; index++) scores[index] = (scores[index] ?? 0) * ASIDE;
}

/** Lines shortly before a failed end matter even without a word of failure. */
function weighEnd(options: {
  lines: LogLines;
  scores: Float64Array;
  /** these lines have their points from the failure that they belong to: the first failure is the best */
  isFailure: Uint8Array;
  /** the place of a line adds nothing to its words where a tool has reported an error */
  isNamed: boolean;
  from: number;
  to: number;
}): void {
  const {lines, scores, to} = options;
  const from = Math.max(options.from, Math.ceil(to - W.reachOfEnd * Math.log(W.end / NOT_NEAR)));
  for (let index = to; index >= from; index--) {
    const body = bodyAt(lines, index);
    if (options.isFailure[index] === 1 || body.trim() === "") continue;
    const points = W.end * Math.exp((index - to) / W.reachOfEnd) * (isChatter(body) ? ASIDE : 1);
    const words = scores[index] ?? 0;
    scores[index] = options.isNamed ? Math.max(words, points) : words + points;
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
  for (const list of linesByWord.values()) if (list.length > LIST_FROM) for (const index of list) scores[index] = NEVER;
}

/** A line that several failures share explains more of them. */
function weighRepeated(options: {lines: LogLines; near: readonly number[]; scores: Float64Array}): void {
  const {lines, near, scores} = options;
  const places = new Map<string, number[]>();
  for (const index of near) {
    if ((scores[index] ?? 0) <= HINT || EMPTY.test(bodyAt(lines, index))) continue;
    const text = textAt(lines, index).trim();
    const others = places.get(text);
    if (others === undefined) places.set(text, [index]);
    else others.push(index);
  }
  for (const list of places.values())
    for (const index of list) scores[index] = (scores[index] ?? 0) * list.length ** W.often;
}
