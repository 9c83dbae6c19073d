/** A line's flags may announce too much, never too little: no later search may miss its line. */
import {readdirSync, readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {literalMatcher} from "../../../src/diagnostics/aho-corasick.ts";
import {
  ENVIRONMENT,
  EXHAUSTED,
  NOTHING_CHECKED,
  REFUSALS,
  TIMED_OUT,
} from "../../../src/diagnostics/environment-causes.ts";
import {BUILD_LINES} from "../../../src/diagnostics/foreign-builds.ts";
import {FOR} from "../../../src/diagnostics/line-patterns.ts";
import {bodiesOf, readLines} from "../../../src/diagnostics/lines.ts";
import {FLAG, flagOfPattern, flagOfScore, flagsIn, startsOf} from "../../../src/diagnostics/prefilter.ts";
import {requiredLiterals} from "../../../src/diagnostics/required-literals.ts";
import {ENDED_WELL, FAILED, STARTS} from "../../../src/diagnostics/step-markers.ts";
import type {Telling} from "../../../src/diagnostics/telling.ts";
import {TEST_LINES, TEST_POINT} from "../../../src/diagnostics/test-lines.ts";
import {TOOLS} from "../../../src/tools/all.ts";
import {fitting} from "./fitting.ts";

const SAMPLES = new URL("./samples/", import.meta.url);
const LOGS = readdirSync(SAMPLES).map((name) => readFileSync(new URL(name, SAMPLES), "utf8"));

const LINES = [...new Set(LOGS.flatMap((log) => bodiesOf(readLines(log))))];

const SUMMARIES = TOOLS.flatMap(({summaries = []}) => summaries);

const patternsOf = ({texts, patterns}: Telling): RegExp[] => [
  ...texts.map((text) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))),
  ...patterns,
];

/** Every pattern that is tried only on lines with a flag, and that flag. */
const LOOKS: readonly (readonly [RegExp, number])[] = [
  ...FOR.map(({pattern}, at) => [pattern, flagOfScore(at)] as const),
  ...TOOLS.flatMap(startsOf).map((source) => [new RegExp(source), flagOfPattern(source)] as const),
  ...SUMMARIES.map(({pattern}) => [pattern, FLAG.summary] as const),
  ...TEST_LINES.map((pattern) => [pattern, FLAG.oneTest] as const),
  ...[TIMED_OUT, ...ENVIRONMENT, ...REFUSALS, NOTHING_CHECKED]
    .flatMap(patternsOf)
    .map((pattern) => [pattern, FLAG.telling] as const),
  ...BUILD_LINES.map((pattern) => [pattern, FLAG.telling] as const),
  ...[STARTS, ...FAILED, ENDED_WELL].map((pattern) => [pattern, FLAG.step] as const),
  ...patternsOf(EXHAUSTED).map((pattern) => [pattern, FLAG.exhausted] as const),
  [TEST_POINT, FLAG.testPoint],
];

describe("the flags of a line", () => {
  it.each(LOOKS)("are there in every line that fits %s", (pattern, flag) => {
    const lines = fitting(pattern, 120);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(flagsIn(line) & flag, line).not.toBe(0);
  });

  it("are there in every line of real outputs that fits", () => {
    let fits = 0;
    for (const [pattern, flag] of LOOKS) {
      const plain = new RegExp(pattern.source, pattern.flags.replace("g", ""));
      for (const line of LINES.filter((one) => plain.test(one))) {
        fits++;
        expect(flagsIn(line) & flag, `${pattern} fits ${line}`).not.toBe(0);
      }
    }
    expect(fits).toBeGreaterThan(300);
  });

  it("are there for every tool's marker", () => {
    const markers = TOOLS.flatMap(({output}) => output?.markers ?? []);
    expect(markers.length).toBeGreaterThan(100);
    for (const marker of markers) expect(flagsIn(`x${marker}y`) & FLAG.marker, marker).not.toBe(0);
  });

  it("tell of every line of a summary of tests", () => {
    const summaries = LOGS.flatMap((log) => SUMMARIES.flatMap(({pattern}) => [...log.matchAll(pattern)]));
    expect(summaries.length).toBeGreaterThan(20);
    for (const line of summaries.flatMap(([text]) => text.split("\n")).filter((one) => one.trim() !== "")) {
      expect(flagsIn(line) & FLAG.summary, line).not.toBe(0);
    }
  });
});

describe("a literalMatcher", () => {
  it("finds the words that a plain search finds, in either case, at the start of a line, with any digit", () => {
    const words = ["\nab", "abc", "bca", "c0", "✗b", "a b", "\n"];
    const find = literalMatcher(words.map((word, at) => ({bit: 1 << at, literals: [word]})));
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

describe("the literals that a pattern requires", () => {
  it.each([
    ["^(?<file>[^\\s:]+\\.go):(?<line>\\d+): (?<message>.*)$", [".go:0"]],
    ["^(?<severity>error|warning) (?:TS\\d+)?: x", ["\nerror ", "\nwarning "]],
    ["^FAIL +(?:a|b)?now", ["\nfail "]],
    ["a(?!never)b{3}c?d\\u2717", ["ab"]],
    ["(?:x|y)?z*", ["\n"]],
    ["one|.*", ["\n"]],
    ["col 1[ab]2", ["col 0a0", "col 0b0"]],
    ["^\\s*(?:[✗✖]|at \\d+ )x?", ["✗", "✖", "at 0"]],
    ["[Tt]imed(?= out)(?:[^x]|y)+", ["timed", "timedy"]],
    ["(?:ok|fail)s?: +\\d", ["oks: ", "ok: ", "fails: ", "fail: "]],
  ])("%s", (source, words) => {
    expect(requiredLiterals(source)).toEqual(words);
  });
});
