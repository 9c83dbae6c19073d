/** Reads each line once for all later searches, and flags the searches that could match there. */

import {TOOLS} from "../tools/all.ts";
import type {LineRule, Tool} from "../tools/tool.ts";
import {literalMatcher} from "./aho-corasick.ts";
import {ENVIRONMENT, EXHAUSTED, NOTHING_CHECKED, REFUSALS, TIMED_OUT} from "./environment-causes.ts";
import {BUILD_LINES} from "./foreign-builds.ts";
import {FOR} from "./line-patterns.ts";
import type {LogLines} from "./lines.ts";
import {requiredLiterals} from "./required-literals.ts";
import {ENDED_WELL, FAILED, STARTS} from "./step-markers.ts";
import {literalsOf} from "./telling.ts";
import {TEST_LINES, TEST_POINT} from "./test-lines.ts";

/**
 * The bits of a line's flags, one for each search. The bits of the scored patterns follow, and then those of the tools'
 * patterns.
 */
export const FLAG = {
  marker: 1 << 0,
  summary: 1 << 1,
  oneTest: 1 << 2,
  exhausted: 1 << 3,
  telling: 1 << 4,
  step: 1 << 5,
  testPoint: 1 << 6,
} as const;

const FIRST_SCORE = 7;

/** The bit of a pattern of `line-patterns.ts`, by its index there. */
export const flagOfScore = (index: number): number => 1 << (FIRST_SCORE + index);

/** Set if any of those patterns may match. */
export const ANY_SCORE = ((1 << FOR.length) - 1) << FIRST_SCORE;

interface LineSearch {
  readonly bit: number;
  readonly literals: readonly string[];
}

const searchFor = (bit: number, patterns: readonly RegExp[]): LineSearch => ({
  bit,
  literals: patterns.flatMap(({source}) => requiredLiterals(source)),
});

const SUMMARIES = TOOLS.flatMap(({summaries = []}) => summaries);

const TELLING = [TIMED_OUT, ...ENVIRONMENT, ...REFUSALS, NOTHING_CHECKED];

/** For each search, literals; every matching line contains at least one of them. */
const lineSearches = (): LineSearch[] => [
  {
    bit: FLAG.marker,
    literals: TOOLS.flatMap(({output}) => output?.markers ?? []).map((text) => text.toLowerCase().replace(/\d/g, "0")),
  },
  searchFor(
    FLAG.summary,
    SUMMARIES.map(({pattern}) => pattern),
  ),
  {bit: FLAG.summary, literals: SUMMARIES.flatMap(({secondLine = []}) => secondLine)},
  searchFor(FLAG.oneTest, TEST_LINES),
  {bit: FLAG.exhausted, literals: literalsOf(EXHAUSTED)},
  {bit: FLAG.telling, literals: ["fatal error: ", ...TELLING.flatMap(literalsOf)]},
  searchFor(FLAG.telling, BUILD_LINES),
  searchFor(FLAG.step, [STARTS, ...FAILED, ENDED_WELL]),
  searchFor(FLAG.testPoint, [TEST_POINT]),
  ...FOR.map(({pattern}, index) => searchFor(flagOfScore(index), [pattern])),
];

/**
 * The tools' patterns share these bits: first literals that every line has, then those at many lines' starts, then
 * longer and longer ones, so that rare literals share no bit with common ones.
 */
const EVERY_LINE = FIRST_SCORE + FOR.length;
const LINE_START = EVERY_LINE + 1;
const SHORT = LINE_START + 1;
const LONGER = SHORT + 1;
const LONG = LONGER + 3;
const END = 32;

/** The literals of the tools' patterns, grouped by the bit of their pattern. */
const patterns = new Map<string, LineSearch>();

/** A line without this bit cannot match the pattern. Several patterns may share a bit. */
export function flagOfPattern(source: string): number {
  if (patterns.size === 0) readPatterns();
  return patterns.get(source)?.bit ?? 0;
}

/** The sources of the patterns for the first line of each of the tool's problems, and for the last of a few lines. */
export function startsOf({output}: Pick<Tool, "output">): string[] {
  const {blocks = [], lines = []} = output ?? {};
  const endsOf = (line: RegExp | LineRule) =>
    line instanceof RegExp ? line : [line.patterns[0], line.patterns.at(-1)];
  return [...blocks.map(({start}) => start), ...lines.flatMap(endsOf)].flatMap((pattern) => pattern?.source ?? []);
}

function readPatterns(): void {
  const places = new Map<string, number>();
  for (const source of TOOLS.flatMap(startsOf)) {
    const literals = requiredLiterals(source);
    const [literal = ""] = literals;
    const place = places.get(literal) ?? placeOf(literal, places.size);
    places.set(literal, place);
    const bit = 1 << place;
    patterns.set(source, {bit, literals});
  }
}

function placeOf(literal: string, count: number): number {
  if (literal.length < 2) return EVERY_LINE;
  if (literal.length === 2) return literal.startsWith("\n") ? LINE_START : SHORT;
  const isCommon = literal.length < 6 && !literal.startsWith("\n");
  return isCommon ? LONGER + (count % (LONG - LONGER)) : LONG + (count % (END - LONG));
}

let reader: ReturnType<typeof literalMatcher> | undefined;

function flagReader(): ReturnType<typeof literalMatcher> {
  if (patterns.size === 0) readPatterns();
  reader ??= literalMatcher([...lineSearches(), ...patterns.values()]);
  return reader;
}

/** Returns the flags of one line without runner prefixes. A missing bit is certain; a set bit may be wrong. */
export function flagsIn(body: string): number {
  return flagReader()(body)(0, body.length);
}

/** The flags of each of these lines. */
export function flagsOf({text, count, bodies, ends}: LogLines): Int32Array {
  const flagsBetween = flagReader()(text);
  const flags = new Int32Array(count);
  for (let index = 0; index < count; index++) flags[index] = flagsBetween(bodies[index] ?? 0, ends[index] ?? 0);
  return flags;
}

/** The indexes of the lines with this flag, in order. */
export function linesWithFlag(flag: number, flags: Int32Array): number[] {
  const places: number[] = [];
  for (let index = 0; index < flags.length; index++) if (((flags[index] ?? 0) & flag) !== 0) places.push(index);
  return places;
}
