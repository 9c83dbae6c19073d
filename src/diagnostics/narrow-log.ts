/** Reduces a log to the lines of some of its failures, so that a fix prompt does not show the others. */
import type {Diagnostic} from "../record/evidence.ts";
import {readLines, textAt} from "./lines.ts";
import {flagsOf} from "./prefilter.ts";
import {findProblems} from "./problems.ts";

/** Returns the lines of the log that `wanted` were read from, in order; empty if the log does not contain them. */
export function narrowLog(options: {log: string; wanted: readonly Diagnostic[]; maxChars: number}): string {
  const lines = readLines(options.log);
  const names = new Set(options.wanted.map(nameOf));
  const ranges = findProblems({lines, flags: flagsOf(lines), tool: options.wanted[0]?.tool}).filter(({diagnostic}) =>
    names.has(nameOf(diagnostic)),
  );
  const texts = ranges.map(({from, to, key}) => {
    // A header line, such as the file name above a list, is not next to the lines of the item.
    const above = key.filter((at) => at < from);
    return [...above, ...Array.from({length: to - from + 1}, (_, at) => from + at)]
      .map((at) => textAt(lines, at).trimEnd())
      .join("\n");
  });
  const text = [...new Set(texts)].join("\n\n");
  return text.length <= options.maxChars ? text : text.slice(0, options.maxChars);
}

const nameOf = ({tool, file, line, column, testId, message}: Diagnostic) =>
  JSON.stringify([tool, file, line, column, testId, message]);
