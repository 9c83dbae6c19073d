/** Reads the last test runner's summary, which comes after all output of the tests themselves. */
import type {TestCounts} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import {goTest} from "../tools/go.ts";
import type {SummaryPattern} from "../tools/tool.ts";
import {addCounts, readMatch, readSummaries} from "./count-tests.ts";
import {bodiesOf, readLines} from "./lines.ts";
import {tapTests} from "./test-lines.ts";

/** A summary is within this many lines of the end. */
const MAX_LINES = 4_000;

export interface Summary {
  readonly tool: string;
  readonly counts: TestCounts;
}

/** One line of a summary, or the whole summary. */
interface SummaryPart extends Summary {
  /** its line */
  readonly at: number;
  /** the counted words: a second number for the same word belongs to another run */
  readonly words: readonly string[];
}

/** One line per test is not a summary, because a failed test may have been retried. */
const isSummary = ({pattern}: SummaryPattern): boolean =>
  !pattern.source.includes("(?<word>") || pattern.source.includes("(?<times>");

const GO_PACKAGE = /^(?:(?<passed>ok)|(?<failed>FAIL)|\?) {0,3}\t(?<name>\S+)|^(?<end>FAIL)$/;
const GO_EVENT = /^\{(?=.*"Action":"(?<action>pass|fail|skip)")(?=.*"Package":")(?!.*"Test":)/;
const TAP_PLAN = /^1\.\.\d+/;

/**
 * Takes a complete output. Null if no runner prints a summary. Only the last run counts, not nested and earlier runs or
 * retries: if it failed, a stage with exit code 0 has failed, too.
 */
export function lastSummary(output: string): Summary | null {
  const bodies = bodiesOf(readLines(output)).filter((body) => body.length < 1_000);
  const end = bodies.slice(-MAX_LINES);
  const parts = [...formParts(end), ...goParts(end)].toSorted((one, other) => one.at - other.at);
  const lastPart = parts.at(-1);
  if (lastPart === undefined) return lastTap(bodies);
  const seenWords = new Set<string>();
  const runParts: SummaryPart[] = [];
  for (const part of parts.toReversed()) {
    const {apart, isRepeated} = TOOLS.find(({name}) => name === part.tool)?.summaryParts ?? {apart: -1};
    const isOther = isRepeated !== true && part.words.some((word) => seenWords.has(word));
    const below = runParts.at(-1) ?? part;
    if (part.tool !== lastPart.tool || isOther || below.at - part.at > apart) {
      if (part !== lastPart) break;
    }
    for (const word of part.words) seenWords.add(word);
    runParts.push(part);
  }
  return {tool: lastPart.tool, counts: addCounts(runParts.map(({counts}) => counts))};
}

function formParts(bodies: readonly string[]): SummaryPart[] {
  const text = bodies.join("\n");
  const starts = bodies.map(() => 0);
  for (let line = 1; line < bodies.length; line++) {
    starts[line] = (starts[line - 1] ?? 0) + (bodies[line - 1]?.length ?? 0) + 1;
  }
  const lineAt = (index: number): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= index),
    );
  return [...readSummaries(text, isSummary)].flatMap(({tool, matches}) =>
    matches.map((match): SummaryPart => {
      const groups = match.groups ?? {};
      const words =
        Object.values(groups)
          .join(" ")
          .match(/[a-z]+/gi) ?? Object.keys(groups);
      const counts = readMatch(groups);
      return {tool, at: lineAt(match.index), words: words.map((word) => word.toLowerCase()), counts};
    }),
  );
}

/** The last result line of the go command, or of its last package, decides for the whole run. */
function goParts(bodies: readonly string[]): SummaryPart[] {
  return bodies.flatMap((body, at): SummaryPart[] => {
    const {passed, failed, end, name} = GO_PACKAGE.exec(body)?.groups ?? {};
    const action = GO_EVENT.exec(body)?.groups?.["action"];
    const isFailed = failed !== undefined || end !== undefined || action === "fail";
    const isPassed = passed !== undefined || action === "pass";
    if (!isFailed && !isPassed && name === undefined) return [];
    const counts = {passed: Number(isPassed), failed: Number(isFailed), skipped: 0};
    return [{tool: goTest.name, at, words: [], counts}];
  });
}

function lastTap(bodies: readonly string[]): Summary | null {
  const plans = bodies.flatMap((body, at) => (TAP_PLAN.test(body) ? [at] : []));
  const [lastPlan = 0, before = -1] = plans.toReversed();
  const isPlanFirst = !bodies.slice(0, plans[0]).some((body) => /^(?:not )?ok\b/.test(body));
  const runParts = isPlanFirst ? bodies.slice(lastPlan) : bodies.slice(before + 1);
  const counts = tapTests(runParts.join("\n"));
  return counts === null ? null : {tool: "TAP", counts};
}
