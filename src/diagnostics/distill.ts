/** The entry point of the diagnostics: finds the failures in a tool's output, their kind, and an excerpt. */
import type {Diagnostic, TestCounts} from "../record/evidence.ts";
import type {FailureKind} from "../record/words.ts";
import {readEslintJson} from "../tools/eslint-json.ts";
import {countTests} from "./count-tests.ts";
import {shorten} from "./excerpt.ts";
import {kindOf} from "./failure-kind.ts";
import {scoreLines} from "./line-score.ts";
import {readLines} from "./lines.ts";
import {flagsOf} from "./prefilter.ts";
import {findProblems} from "./problems.ts";

/** No report and no prompt needs more diagnostics. */
const MAX_ITEMS = 2_000;

export interface Distilled {
  /** the relevant lines of the log, in order, with marked gaps */
  readonly excerpt: string;
  /** the diagnostics in order of appearance, without duplicates, at most 2000 */
  readonly items: Diagnostic[];
  /** the kind of failure, if it is one */
  readonly kind: FailureKind;
  /** null if the output has no known format, which is not the same as zero tests */
  readonly tests: TestCounts | null;
  /** the tool of the first diagnostic */
  readonly tool: string | null;
}

/**
 * Takes any output and, if known, the tool's name. The excerpt has at most `maxChars` UTF-16 units. Pure, linear, never
 * throws.
 */
export function distill(options: {log: string; tool?: string; maxChars: number}): Distilled {
  const lines = readLines(options.log);
  const flags = flagsOf(lines);
  const problems = findProblems({lines, flags, tool: options.tool});
  const tests = countTests(lines, flags);
  const scores = scoreLines({lines, flags, problems});
  const items = onlyOnce([...problems.map(({diagnostic}) => diagnostic), ...readEslintJson(options.log)]);
  return {
    excerpt: shorten({lines, scores, maxChars: options.maxChars}),
    items: items.slice(0, MAX_ITEMS),
    kind: kindOf({lines, flags, problems, tests}),
    tests,
    tool: items[0]?.tool ?? options.tool ?? null,
  };
}

/** Drops duplicates, and items of a summary that repeat an earlier item without its line number. */
function onlyOnce(items: readonly Diagnostic[]): Diagnostic[] {
  const itemsWithLine = new Set(
    items.flatMap((item) => (item.line === undefined ? [] : [`${item.tool} ${item.message}`])),
  );
  const isRepeated = ({tool, message}: Diagnostic): boolean => {
    const text = `${tool} ${message}`;
    const [cut] = /^.*(?=(?:\.\.\.|…)$)/s.exec(text) ?? [];
    // pytest cuts its summary to the terminal's width.
    return itemsWithLine.has(text) || (cut !== undefined && [...itemsWithLine].some((whole) => whole.startsWith(cut)));
  };
  const distinctItems = items.filter((item) => item.line !== undefined || !isRepeated(item));
  return [...new Map(distinctItems.map((item) => [JSON.stringify(item), item])).values()];
}
