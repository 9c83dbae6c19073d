/** A line's hints may promise too much, never too little: what is looked for later must not be passed over. */
import {readdirSync, readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {FOR} from "../../../src/evidence/clues.ts";
import {HINT, hintOfClue, hintOfPattern, hintsIn} from "../../../src/evidence/hints.ts";
import {bodiesOf, readLines} from "../../../src/evidence/lines.ts";
import {neededWords} from "../../../src/evidence/needed-words.ts";
import {sieve} from "../../../src/evidence/sieve.ts";
import {TEST_FORMS} from "../../../src/evidence/test-forms.ts";
import {TOOLS} from "../../../src/evidence/tools/all.ts";
import {startsOf} from "../../../src/evidence/tools/rules.ts";

const SAMPLES = new URL("./samples/", import.meta.url);
const LOGS = readdirSync(SAMPLES).map((name) => readFileSync(new URL(name, SAMPLES), "utf8"));

/** At least one line for each clue, and for each word of the long lists of words. */
const COMPLAINTS = `FATAL: no
E: Package x
  File "a.py", line 3
panic: here | error! | exception | npm ERR! code
Traceback (most recent call last):
  Caused by: java.lang.X
Segmentation fault
==1==ERROR: AddressSanitizer: heap
Uncaught rejection
my.own.TimeoutException (at once)
KeyError : 'a'
PowerFailure: dark
✗ one
  ● two
--- FAIL: TestX
(fail) three
not ok 4
a.c:1:2: error
x(1,2): error
main: fatal: stop
main.o: undefined reference to f
sh: cc: command not found
cat: x: No such file or directory
No space left on device
Permission denied
Killed
Aborted (core dumped)
Assertion x > 1 failed
  2) adds
Failed asserting that
Expected 1
expected one but saw two
AssertionError
3 FAILURES
CANCELED
it is broken
it crashed
connection refused
request rejected
access denied
invalid
illegal
unexpected
unrecognized
unknown
undefined
unresolved
unsatisfied
incompatible
mismatched
timed out
timeout
violations
2 offenses
1 problem
could not
cannot
can't
couldn't
unable to
not found
not defined
not available
not installed
does not
doesn't
missing
no such
never defined
not in scope
not permitted
out of memory
dubious
stopped because
    at run
#0 main
from x
in \`y'
/a/b.c:1
b/c.rs:12`.split("\n");

const LINES = [...new Set([...LOGS.flatMap((log) => bodiesOf(readLines(log))), ...COMPLAINTS])];

describe("the hints of a line", () => {
  it("tell of every clue that fits it", () => {
    for (const [at, {pattern}] of FOR.entries()) {
      const fitting = LINES.filter((line) => pattern.test(line));
      expect(fitting.length, `${pattern} fits no line here`).toBeGreaterThan(0);
      expect(fitting.filter((line) => (hintsIn(line) & hintOfClue(at)) === 0)).toEqual([]);
    }
  });

  it("tell of every tool's pattern that fits it, and of every tool's sign", () => {
    let fitting = 0;
    for (const source of TOOLS.flatMap(startsOf)) {
      const pattern = new RegExp(source);
      for (const line of LINES.filter((one) => pattern.test(one))) {
        fitting++;
        expect(hintsIn(line) & hintOfPattern(source), `${source} fits ${line}`).not.toBe(0);
      }
    }
    expect(fitting).toBeGreaterThan(150);
    for (const sign of TOOLS.flatMap(({signs}) => signs)) expect(hintsIn(`x${sign}y`) & HINT.sign, sign).not.toBe(0);
  });

  it("tell of every summary of tests", () => {
    const summaries = LOGS.flatMap((log) => TEST_FORMS.flatMap(({pattern}) => [...log.matchAll(pattern)]));
    expect(summaries.length).toBeGreaterThan(20);
    for (const [text] of summaries) {
      expect(
        text.split("\n").some((line) => (hintsIn(line) & HINT.summary) !== 0),
        text,
      ).toBe(true);
    }
  });
});

describe("a sieve", () => {
  it("finds the words that a plain search finds, in either case, at the start of a line, with any digit", () => {
    const words = ["\nab", "abc", "bca", "c0", "✗b", "a b", "\n"];
    const find = sieve(words.map((word, at) => ({bit: 1 << at, words: [word]})));
    const letters = ["a", "b", "c", "A", "B", "7", "0", "✗", " ", "é", "\u{1f600}"];
    let hits = 0;
    for (let n = 0; n < 5_000; n++) {
      // Every fifth power of a number that has no common factor with the count of letters runs through them all.
      const line = Array.from(
        {length: 8},
        (_, at) => letters[Math.floor((n * 7919 + 31) / 3 ** at) % letters.length],
      ).join("");
      const plain = `\n${line}`.toLowerCase().replace(/\d/g, "0");
      const wanted = words.reduce((bits, word, at) => bits | (plain.includes(word) ? 1 << at : 0), 0);
      expect(find(line)(0, line.length), line).toBe(wanted);
      if (wanted !== 1 << 6) hits++;
    }
    expect(hits).toBeGreaterThan(250);
  });
});

describe("the words that a pattern needs", () => {
  it.each([
    ["^(?<file>[^\\s:]+\\.go):(?<line>\\d+): (?<message>.*)$", [".go:0"]],
    ["^(?<severity>error|warning) (?:TS\\d+)?: x", ["error", "warning"]],
    ["^FAIL +(?:a|b)?now", ["\nfail "]],
    ["a(?!never)b{3}c?d\\u2717", ["ab"]],
    ["(?:x|y)?z*", ["\n"]],
    ["one|.*", ["\n"]],
    ["col 1[ab]2", ["col 0"]],
  ])("%s", (source, words) => {
    expect(neededWords(source)).toEqual(words);
  });
});
