/** The line about the changed lines that a test ran. */
import {clip, codeSpan} from "../markdown/escape.ts";
import type {ExecutedLines, LineRange} from "../record/executed-lines.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";

/** A line lists at most this many. */
const MAX_SHOWN = 6;

/** Empty if nothing was measured. */
export function executedLinesPart({executedLines}: RunRecord, limits: DetailLimits): string {
  const code = (text: string) => codeSpan(clip(text, limits.line));
  return executedLines === undefined ? "" : executedLinesText({executedLines, code, most: limits.list});
}

/** `code` writes a foreign text as code. */
export function executedLinesText(options: {
  executedLines: ExecutedLines;
  code: (text: string) => string;
  most: number;
}): string {
  const {executedLines, code} = options;
  if (executedLines.kind === "out-of-time") return "Which changed lines the tests run was not measured: out of time.";
  const {all, run, notRun, byAllTests, unknown} = executedLines;
  const list = (items: readonly string[]) => {
    const {shown, left} = capLength(items, Math.min(options.most, MAX_SHOWN));
    return [...shown.map(code), ...(left === 0 ? [] : [`${left} more`])].join(", ");
  };
  const verb = all === 1 ? "line of code was" : "lines of code were";
  const not = byAllTests ? "not run" : "not run by the tests chosen for them";
  const places = notRun.length === 0 ? "" : `; ${not}: ${list(notRun.map(placeOf))}`;
  const missing = unknown.length === 0 ? "" : ` The coverage report counts no changed line of ${list(unknown)}.`;
  return `${run} of ${all} changed ${verb} run by a test${places}.${missing}`;
}

const placeOf = ({path, from, to}: LineRange): string => `${path}:${from === to ? from : `${from}–${to}`}`;
