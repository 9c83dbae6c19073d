/** Names a failure by what stays the same between two runs, so that a candidate can be compared with its base. */
import type {Diagnostic} from "../record.ts";

/** What changes from run to run without the failure being another one, and what it is replaced with. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?\b/g, "<time>"],
  [/\b0x[0-9a-f]{4,16}\b/gi, "<address>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/[^\s'":,)]+/g, "<temp>"],
  [/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|minutes?)\b/g, "<duration>"],
  [/\b(127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0):\d{4,5}\b/g, "$1:<port>"],
  [/\bpid[ =:]+\d+\b/gi, "pid <n>"],
  [/((?:\/[\w.@+-]+)+\.\w{1,5}|\b[\w./-]+\.\w{1,5}):\d+(?::\d+)?/g, "$1"],
  [/\bline \d+(?:,? col(?:umn)? \d+)?/gi, "line <n>"],
  [/\s+/g, " "],
];

/** Takes a diagnostic; gives one line of text that is equal for equal failures. Place, times, addresses and temporary paths do not count. */
export function signature(diagnostic: Diagnostic): string {
  const {tool, file, code, message, testId} = diagnostic;
  return [tool, file ?? "", code ?? "", normalise(testId ?? ""), normalise(message)].join(" | ");
}

function normalise(text: string): string {
  return CHANGING.reduce((now, [pattern, put]) => now.replace(pattern, put), text).trim();
}
