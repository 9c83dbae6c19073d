/** Reads each line once for all the later looks at it, and tells which of them could find something there. */
import {FOR} from "./clues.ts";
import type {Lines} from "./lines.ts";
import {neededWords} from "./needed-words.ts";
import {sieve} from "./sieve.ts";
import {TOOLS} from "./tools/all.ts";
import {startsOf} from "./tools/rules.ts";

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

/** For each look, words of which one stands in every line in which it can find something, as a `sieve` wants them. */
const LOOKS: readonly {readonly bit: number; readonly words: readonly string[]}[] = [
  {bit: HINT.sign, words: TOOLS.flatMap(({signs}) => signs).map((sign) => sign.toLowerCase().replace(/\d/g, "0"))},
  {
    bit: HINT.summary,
    words: [
      ..."0 test|0 doct|0 spec|0 exam|0 runs|0 scen|0 pass|0 fail|0 skip|0 todo|0 pend|0 erro|0 know|0 unca".split("|"),
      ..."0 unha|0 flak|0 did|0 inte|0 succ|0 xfai|0 xpas|0 dese|0 warn|0 reru|pass 0|fail 0|skipped 0".split("|"),
      ..."cancelled 0|todo 0|succeeded 0|executed 0|total 0|tests: |passed: |failed: |skipped: |succeeded: ".split("|"),
      ..."ok: |fail: |timeout: |test run|test passed|test failed|tests run|tests passed|tests failed|tests=".split("|"),
      ..."no test|zero tests|find any files|passed|failed|skipped|\nok|no-source|+0".split("|"),
    ],
  },
  {bit: HINT.oneTest, words: "--- |\n{|\nok|\nfail|\nnot ok|\n?|\n0..|no packages to test".split("|")},
  {bit: HINT.exhausted, words: "emory|illed|kill|enospc|space left|quota|exit|error 0".split("|")},
  {
    bit: HINT.telling,
    words: [
      ..."memory|kill|space|enospc|quota|exit|error|time|terminated|deadline|econn|enotfound|eai_again".split("|"),
      ..."ehost|enetun|getaddr|resol|not |no |host|connect|unreach|dial|service unav|gateway|artifact".split("|"),
      ..."offline|could|cannot|can't|max retries|failed|access|remote|missing|no_script|spawn|env".split("|"),
      ..."python|unable|java_home|(running go|shared lib|executable|unsupported|plugin|requested".split("|"),
      ..."unbound|parameter|_|matched|todo".split("|"),
    ],
  },
  {
    bit: HINT.step,
    words:
      'exited with|$ |[group]run |travis_time:|section_start:|" failed |exit code 0|error: job|marked build as|\nbuild '.split(
        "|",
      ),
  },
  ...FOR.map(({holds}, at) => ({bit: hintOfClue(at), words: holds})),
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
  reader ??= sieve([...LOOKS, ...patterns.values()]);
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
