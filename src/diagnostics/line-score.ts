/** Weighs every line of a log: what it says itself, what stands around it, and where in the log it stands. */

import type {Problem} from "./blocks.ts";
import {bodyAt, type Lines, textAt} from "./lines.ts";
import {passedTests} from "./passed-tests.ts";
import {ANY_CLUE, placesWith} from "./prefilter.ts";
import {isChatter, pointsOf} from "./score-lines.ts";
import {findSections} from "./sections.ts";

/**
 * The weights, in points: about 10 is a plain statement of failure. Found by trying, on one half of a corpus of real CI logs,
 * what also does better on the other half. Factors lie between 0 and 1.
 */
const W = {
  /** the lines that carry a problem's parts; the lines of a block, which stay together before the next block's head */
  error: 12,
  block: 14,
  trace: 10,
  unknownTool: 8,
  warning: 5,
  /** where a log has warnings only, they are what failed it */
  warningAlone: 10,
  /** first error first: each further problem of a sort, each further line of a block, each further strong line */
  nextItem: 0.985,
  nextBlock: 0.95,
  nextInBlock: 0.995,
  /** each further line of a block too long to be shown, after a few that followed one with something to tell */
  nextSilent: 0.95,
  nextStrong: 0.985,
  /** how far a line's worth carries to the lines after and before it */
  seedOfError: 0.8,
  seedOfWarning: 0.4,
  after: 0.94,
  afterDeeper: 0.968,
  afterBlank: 0.8,
  before: 0.62,
  beforeBlank: 0.5,
  /** the end of a failed step, of the log where no step is known to have failed, and lines outside of failed steps */
  end: {points: 8.5, reach: 80, earlier: 0.4},
  endOfLog: {points: 6, reach: 40, earlier: 0.2},
  outside: 0.3,
  chatter: 0.26,
  passing: 0.3,
  /** the lines that carry a block's parts, what failed and why, before frames that each failure repeats */
  part: 1.3,
  /** lines of a shape that is common in this log, lines said again and again beside a failure, and long lines */
  common: 0.12,
  often: 0.25,
  long: 0.25,
} as const;

const COMMON_FROM = 5;
/** Fewer lines are shown whole before the next failure is. */
const SHORT_BLOCK = 8;
/** More lines than a reader looks through: the source that a test runner shows of each frame, the values of all variables. */
const LONG_BLOCK = 100;
const TELLING = 6;
const SILENT_FROM = 4;
const MOST_SILENT = 30;
const STRONG = 8;
const BESIDE_A_FAILURE = 6;
const LONG_CHARS = 160;
const SPACE = 32;
const NOT_NEAR = 0.2;
/** A file packed into text, as jobs print it so that it can be fetched from the log. */
const PACKED = /^(?!\/)[A-Za-z\d+/]{60,}={0,2}$/;
/** A log level with nothing after it. */
const EMPTY = /^\s*(?:\[[A-Z]+\])?\s*$/;

/** Traces that belong to no failed test may well be what a passing test prints. */
const TRACES = new Set(["java", "python", "node"]);

/** Takes the lines, their hints and the problems found in them; gives a number for each line, 0 for one that nobody needs. */
export function worthOf(o: {lines: Lines; hints: Int32Array; problems: readonly Problem[]}): Float64Array {
  const {lines, hints, problems} = o;
  const own = ownPoints(lines, hints);
  const seed = own.slice();
  addProblems({problems, own, seed});
  const worth = spread({lines, own, seed});
  weighByPlace({lines, hints, worth});
  const blocks = problems.filter(({isBlock}) => isBlock);
  for (const {from, to, key} of blocks) {
    for (const at of key) if (to - from >= SHORT_BLOCK) worth[at] = (worth[at] ?? 0) * W.part;
  }
  const keys = new Set(blocks.flatMap(({key}) => key));
  weighByForm({lines, worth, keys});
  passedTests(lines).forEach((isPassed, at) => {
    if (isPassed === 1) worth[at] = 0;
  });
  return worth;
}

function ownPoints(lines: Lines, hints: Int32Array): Float64Array {
  const points = new Float64Array(lines.count);
  for (const at of placesWith(ANY_CLUE, hints)) {
    points[at] = pointsOf(bodyAt(lines, at), hints[at] ?? 0) * (lines.passing.has(at) ? W.passing : 1);
  }
  const shapeAt = (at: number): string => bodyAt(lines, at).replace(/\d+/g, "0").slice(0, 48);
  const shapes = new Map<string, number[]>();
  points.forEach((value, at) => {
    if (value === 0) return;
    const shape = shapeAt(at);
    const same = shapes.get(shape);
    if (same === undefined) shapes.set(shape, [at]);
    else same.push(at);
  });
  for (const same of shapes.values()) {
    if (same.length <= COMMON_FROM) continue;
    for (const at of same) points[at] = (points[at] ?? 0) * (COMMON_FROM / same.length) ** W.common;
  }
  return points;
}

function addProblems(o: {problems: readonly Problem[]; own: Float64Array; seed: Float64Array}): void {
  const {own, seed} = o;
  const anyError = o.problems.some(({diagnostic: d}) => d.severity === "error" && d.tool !== "unknown");
  const counts = new Map<string, number>();
  for (const {diagnostic, from, to, key, isBlock} of o.problems) {
    const sort = `${diagnostic.tool} ${isBlock} ${diagnostic.severity}`;
    const earlier = counts.get(sort) ?? 0;
    counts.set(sort, earlier + 1);
    const points = fullPoints(diagnostic, anyError) * (isBlock ? W.nextBlock : W.nextItem) ** earlier;
    let silent = 0;
    for (let at = from; isBlock && at <= to; at++) {
      silent = key.includes(at) || (own[at] ?? 0) >= TELLING ? 0 : silent + 1;
      const lost = to - from < LONG_BLOCK ? 0 : Math.min(Math.max(0, silent - SILENT_FROM), MOST_SILENT);
      // Whatever words the line has: else the heads of many failures push the reasons of the first ones aside.
      own[at] = ((points * W.block) / W.error) * W.nextInBlock ** (at - from) * W.nextSilent ** lost;
      seed[at] = 0;
    }
    for (const at of key) {
      own[at] = Math.max(own[at] ?? 0, points);
      seed[at] = points * (diagnostic.severity === "error" ? W.seedOfError : W.seedOfWarning);
    }
  }
}

function fullPoints({tool, severity}: Problem["diagnostic"], anyError: boolean): number {
  if (tool === "unknown") return W.unknownTool;
  if (TRACES.has(tool)) return W.trace;
  if (severity === "error") return W.error;
  return anyError ? W.warning : W.warningAlone;
}

/** How deep a line is indented; all of its length where it is blank. */
function indentOf({text, bodies, ends}: Lines, at: number): number {
  const from = bodies[at] ?? 0;
  const end = ends[at] ?? 0;
  let to = from;
  while (to < end && text.charCodeAt(to) <= SPACE) to++;
  return to - from;
}

/** Lets each line lend worth to its neighbours: more to what follows it, most to what is indented under it. */
function spread(o: {lines: Lines; own: Float64Array; seed: Float64Array}): Float64Array {
  const worth = o.own.slice();
  const depths = new Int32Array(o.lines.count);
  for (let at = 0; at < depths.length; at++) depths[at] = indentOf(o.lines, at);
  const isBlank = (at: number): boolean => depths[at] === (o.lines.ends[at] ?? 0) - (o.lines.bodies[at] ?? 0);
  let carry = 0;
  let indent = 0;
  let strong = 0;
  for (let at = 0; at < worth.length; at++) {
    const depth = depths[at] ?? 0;
    const faded = carry * (isBlank(at) ? W.afterBlank : depth > indent ? W.afterDeeper : W.after);
    const own = o.seed[at] ?? 0;
    const given = own === 0 ? 0 : own * W.nextStrong ** strong;
    if (own >= STRONG) strong++;
    if (given >= faded) indent = depth;
    carry = Math.max(given, faded);
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  carry = 0;
  for (let at = worth.length - 1; at >= 0; at--) {
    carry = Math.max(o.seed[at] ?? 0, carry * (isBlank(at) ? W.beforeBlank : W.before));
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  return worth;
}

function weighByPlace(o: {lines: Lines; hints: Int32Array; worth: Float64Array}): void {
  const {lines, worth} = o;
  const sections = findSections(lines, o.hints);
  if (!sections.some((section) => section.failed)) {
    weighTowardsEnd({lines, worth, from: 0, to: lines.count - 1, end: W.endOfLog});
    return;
  }
  for (const {from, to, failed} of sections) {
    if (failed) weighTowardsEnd({lines, worth, from, to, end: W.end});
    else for (let at = from; at <= to; at++) worth[at] = (worth[at] ?? 0) * W.outside;
  }
}

/** Lines shortly before a failed end matter even when they use no word of failure. */
function weighTowardsEnd(o: {
  lines: Lines;
  worth: Float64Array;
  from: number;
  to: number;
  end: {readonly points: number; readonly reach: number; readonly earlier: number};
}): void {
  for (let at = o.to; at >= o.from; at--) {
    const part = (at - o.from) / Math.max(1, o.to - o.from);
    o.worth[at] = (o.worth[at] ?? 0) * (1 + o.end.earlier * (part - 1));
    const near = o.end.points * Math.exp((at - o.to) / o.end.reach);
    if (near < NOT_NEAR) continue;
    const body = bodyAt(o.lines, at);
    if (body.trim() === "" || PACKED.test(body)) continue;
    o.worth[at] = (o.worth[at] ?? 0) + near * (o.lines.passing.has(at) || isChatter(body) ? W.chatter : 1);
  }
}

/** `keys` are lines without which the block around them says little, however long they are. */
function weighByForm({lines, worth, keys}: {lines: Lines; worth: Float64Array; keys: ReadonlySet<number>}): void {
  const times = new Map<string, number>();
  const beside = (at: number): string | null =>
    (worth[at] ?? 0) > BESIDE_A_FAILURE && !EMPTY.test(bodyAt(lines, at)) ? textAt(lines, at).trim() : null;
  worth.forEach((_, at) => {
    const text = beside(at);
    if (text !== null) times.set(text, (times.get(text) ?? 0) + 1);
  });
  worth.forEach((value, at) => {
    const said = beside(at);
    const often = said === null ? 1 : (times.get(said) ?? 1) ** W.often;
    const chars = (lines.ends[at] ?? 0) - (lines.starts[at] ?? 0);
    worth[at] = value * often * (chars > LONG_CHARS && !keys.has(at) ? (LONG_CHARS / chars) ** W.long : 1);
  });
}
