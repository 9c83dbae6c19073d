/** Counts the tests that ran, from the output. A pass without any test proves nothing (P6). */

import type {TestCounts} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import type {SummaryPattern} from "../tools/tool.ts";
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG, flagsOf, linesWithFlag} from "./prefilter.ts";
import {literalFinder} from "./required-literals.ts";
import {goTests, tapTests} from "./test-lines.ts";

const NONE: TestCounts = {passed: 0, failed: 0, skipped: 0};

/** The meaning of the words next to the numbers, in lower case and in the singular. */
const WORDS: Readonly<Record<string, keyof TestCounts | "ran">> = {
  ok: "passed",
  pass: "passed",
  passed: "passed",
  passing: "passed",
  succeeded: "passed",
  success: "passed",
  successes: "passed",
  scenario: "passed",
  xpassed: "passed",
  flaky: "passed",
  fail: "failed",
  failed: "failed",
  failing: "failed",
  failure: "failed",
  error: "failed",
  exception: "failed",
  rejection: "failed",
  cancelled: "failed",
  canceled: "failed",
  interrupted: "failed",
  timeout: "failed",
  "timed out": "failed",
  invalid: "failed",
  skip: "skipped",
  skipped: "skipped",
  todo: "skipped",
  pending: "skipped",
  ignored: "skipped",
  incomplete: "skipped",
  omission: "skipped",
  xfailed: "skipped",
  "known failure": "skipped",
  "expected failure": "skipped",
  "expected fail": "skipped",
  "did not run": "skipped",
  ran: "ran",
  executed: "ran",
  spec: "ran",
};

/**
 * Counts the tests in the lines of a complete output; `flags` are computed if they are not given. Null if the output
 * has no known format. Zeros if the output says that no test ran. If go lists no tests (without `-v`), each passed
 * package counts as one.
 */
export function countTests(lines: LogLines, flags = flagsOf(lines)): TestCounts | null {
  const linesWith = (flag: number): string =>
    linesWithFlag(flag, flags)
      .map((at) => bodyAt(lines, at))
      .filter((line) => line.length < LONGEST_SUMMARY)
      .join("\n");
  const text = linesWith(FLAG.summary);
  const countsByTool = new Map<string, TestCounts>();
  for (const {tool, summary, matches} of text === "" ? [] : readSummaries(text)) {
    const counts = matches.map(({groups}) => readMatch(groups ?? {}));
    const countsSoFar = countsByTool.get(tool) ?? NONE;
    countsByTool.set(tool, addCounts([countsSoFar, ...(summary.isRunningTotal === true ? counts.slice(-1) : counts)]));
  }
  const single = linesWith(FLAG.oneTest);
  const go = goTests(single);
  if (go !== null) countsByTool.set("go", go);
  const tap = countsByTool.size === 0 ? tapTests(single) : null;
  if (tap !== null) countsByTool.set("tap", tap);
  return countsByTool.size === 0 ? null : addCounts([...countsByTool.values()]);
}

const LONGEST_SUMMARY = 1_000;

/** The matches of each summary, without summaries of a tool that another tool's summary in the text covers. */
export function* readSummaries(text: string, isRead: (summary: SummaryPattern) => boolean = () => true) {
  const seenTools = new Set<string>();
  const mayMatch = literalFinder(text);
  for (const {name: tool, summaries = []} of TOOLS) {
    for (const summary of summaries.filter(isRead)) {
      if (summary.unless?.some((other) => seenTools.has(other)) === true) continue;
      const matches = mayMatch(summary.pattern.source) ? [...text.matchAll(summary.pattern)] : [];
      if (matches.length === 0) continue;
      seenTools.add(tool);
      yield {tool, summary, matches};
    }
  }
}

/** Returns the counts in one match of a summary pattern. */
export function readMatch(groups: Readonly<Record<string, string | undefined>>): TestCounts {
  // `zero` contains no number and means that no test ran.
  const {list, zero: _zero, word, times, ...numbers} = groups;
  const pairs = Object.entries(numbers).flatMap(([name, n]) => (n === undefined ? [] : [{name, n: Number(n)}]));
  if (word !== undefined) pairs.push({name: word, n: Number(times ?? 1)});
  if (list !== undefined) pairs.push(...readList(list));
  const sum = {passed: 0, failed: 0, skipped: 0, ran: 0};
  for (const {name, n} of pairs) {
    const field = WORDS[name.toLowerCase()] ?? WORDS[name.toLowerCase().replace(/s$/, "")];
    if (field !== undefined) sum[field] += n;
  }
  const {ran, ...counts} = sum;
  return ran === 0 ? counts : {...counts, passed: Math.max(counts.passed, ran - counts.failed - counts.skipped)};
}

/** Reads `3 passed, 1 failed`, `failures=1, skipped=2`, `Failed: 1` and `pass 3` alike. */
function readList(list: string): {name: string; n: number}[] {
  const wordFirst = /^\W*[a-z]/i.test(list);
  const pattern = wordFirst
    ? /(?<name>[a-z][a-z ]*?)\s*[=:]?\s*(?<n>\d+)/gi
    : /(?<n>\d+) (?:tests? |scenarios? (?=passed))?(?<name>did not run|timed out|known failures?|expected failures?|[a-z]+)/gi;
  return [...list.matchAll(pattern)].map(({groups}) => ({name: groups?.["name"] ?? "", n: Number(groups?.["n"])}));
}

export const addCounts = (all: readonly TestCounts[]): TestCounts =>
  all.reduce(
    (sum, {passed, failed, skipped}) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    NONE,
  );
