/** Reads each line once for all the later looks at it, and tells which of them could find something there. */

import {TOOLS} from "../tools/all.ts";
import {sieve} from "./aho-corasick.ts";
import {ENVIRONMENT, EXHAUSTED, NOTHING_CHECKED, TIMED_OUT} from "./environment-causes.ts";
import {FOR} from "./line-patterns.ts";
import {startsOf} from "./line-rules.ts";
import type {Lines} from "./lines.ts";
import {neededWords} from "./required-literals.ts";
import {ENDED_WELL, FAILED, STARTS} from "./step-markers.ts";
import {TEST_LINES} from "./test-lines.ts";

/** The bits of a line's hints, one for each look; those of the clues for a failure, and of the tools' patterns, come after them. */
export const HINT = {
  sign: 1 << 0,
  summary: 1 << 1,
  oneTest: 1 << 2,
  exhausted: 1 << 3,
  telling: 1 << 4,
  step: 1 << 5,
} as const;

const FIRST_CLUE = 6;

/** The bit of a clue of `clues.ts`, by its place there. */
export const hintOfClue = (at: number): number => 1 << (FIRST_CLUE + at);

/** Set where any clue may fit. */
export const ANY_CLUE = ((1 << FOR.length) - 1) << FIRST_CLUE;

interface Look {
  readonly bit: number;
  readonly words: readonly string[];
}

const look = (bit: number, patterns: readonly RegExp[]): Look => ({
  bit,
  words: patterns.flatMap(({source}) => neededWords(source)),
});

const SUMMARIES = TOOLS.flatMap(({summaries = []}) => summaries);

/** For each look, words of which one stands in every line in which it can find something, as a `sieve` wants them. */
const looks = (): Look[] => [
  {
    bit: HINT.sign,
    words: TOOLS.flatMap(({output}) => output?.markers ?? []).map((text) => text.toLowerCase().replace(/\d/g, "0")),
  },
  look(
    HINT.summary,
    SUMMARIES.map(({pattern}) => pattern),
  ),
  {bit: HINT.summary, words: SUMMARIES.flatMap(({secondLine = []}) => secondLine)},
  look(HINT.oneTest, TEST_LINES),
  look(HINT.exhausted, [EXHAUSTED]),
  look(HINT.telling, [TIMED_OUT, ...ENVIRONMENT, NOTHING_CHECKED]),
  look(HINT.step, [STARTS, FAILED, ENDED_WELL]),
  ...FOR.map(({pattern}, at) => look(hintOfClue(at), [pattern])),
];

/** The bits that the tools' patterns share: words that every line has, then ever longer ones, because the rarer need not share with them. */
const EVERY_LINE = FIRST_CLUE + FOR.length;
const SHORT = EVERY_LINE + 1;
const LONGER = SHORT + 1;
const LONG = LONGER + 4;
const END = 31;

/** The words of the tools' patterns, each under the bit of its pattern. */
const patterns = new Map<string, {bit: number; words: readonly string[]}>();

/** The bit without which this pattern of a tool fits no line. Others may have the same bit. */
export function hintOfPattern(source: string): number {
  if (patterns.size === 0) readPatterns();
  return patterns.get(source)?.bit ?? 0;
}

function readPatterns(): void {
  const places = new Map<string, number>();
  for (const source of TOOLS.flatMap(startsOf)) {
    const words = neededWords(source);
    const first = words[0] ?? "";
    const place = places.get(first) ?? placeOf(first, places.size);
    places.set(first, place);
    const bit = 1 << place;
    patterns.set(source, {bit, words});
  }
}

function placeOf(word: string, count: number): number {
  if (word.length < 2) return EVERY_LINE;
  if (word.length === 2) return SHORT;
  const isCommon = word.length < 6 && !word.startsWith("\n");
  return isCommon ? LONGER + (count % (LONG - LONGER)) : LONG + (count % (END - LONG));
}

let reader: ReturnType<typeof sieve> | undefined;

function readerOfHints(): ReturnType<typeof sieve> {
  if (patterns.size === 0) readPatterns();
  reader ??= sieve([...looks(), ...patterns.values()]);
  return reader;
}

/** Gives the hints of one line without runner prefixes: bits of all of the above. A bit that is not set is certain. */
export function hintsIn(body: string): number {
  return readerOfHints()(body)(0, body.length);
}

/** The hints of each of these lines. */
export function hintsOf({text, count, bodies, ends}: Lines): Int32Array {
  const read = readerOfHints()(text);
  const hints = new Int32Array(count);
  for (let at = 0; at < count; at++) hints[at] = read(bodies[at] ?? 0, ends[at] ?? 0);
  return hints;
}

/** The places of the lines that have this hint, in order. */
export function placesWith(hint: number, hints: Int32Array): number[] {
  const places: number[] = [];
  for (let at = 0; at < hints.length; at++) if (((hints[at] ?? 0) & hint) !== 0) places.push(at);
  return places;
}
