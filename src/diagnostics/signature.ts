/** Identifies a failure by the text that stays the same between two runs, to compare a candidate with its base. */
import type {Diagnostic} from "../record/evidence.ts";

/** Parts of a text that change from run to run although the failure is the same, with their replacements. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?\b/g, "<time>"],
  [/\b0x[0-9a-f]{4,16}\b/gi, "<address>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  // a temporary folder has a new name in each run; the file name at the end has not
  [/(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/(?:[^\s'":,()/]+\/)*([^\s'":,()/]*)/g, "<temp>/$1"],
  [/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|minutes?)\b/g, "<duration>"],
  [/\b(127\.0\.0\.1|localhost|0\.0\.0\.0|\[?::1\]?):\d{4,5}\b/g, "$1:<port>"],
  // a socket that Linux has named itself, unix(7)
  [/(?<=\bunix\w* )@[0-9a-f]{5}\b/g, "@<socket>"],
  [/\bpid[ =:]+\d+\b/gi, "pid <n>"],
  [/(\b[\w./-]+\.[A-Za-z]\w{0,4}):\d+(?::\d+)?\b/g, "$1"],
  [/\bline \d+(?:,? col(?:umn)? \d+)?/gi, "line <n>"],
  [/\s+/g, " "],
];

/** Absolute paths differ between checkouts. This many parts at their end distinguish files. */
const NAMES_OF_A_PATH = 3;

/**
 * Returns one line of text that is equal for equal failures. Place, times, addresses and temporary paths do not count.
 */
export function signature(diagnostic: Diagnostic): string {
  const {tool, file, code, message, testId} = diagnostic;
  return [tool, fileName(file ?? ""), code ?? "", normalize(testId ?? ""), normalize(message)].join(" | ");
}

function fileName(file: string): string {
  const names = file.replace(/\\/g, "/").split("/");
  return names[0] === "" || /^[A-Za-z]:$/.test(names[0] ?? "")
    ? names.slice(-NAMES_OF_A_PATH).join("/")
    : names.filter((name) => name !== ".").join("/");
}

function normalize(text: string): string {
  return CHANGING.reduce((now, [pattern, put]) => now.replace(pattern, put), text).trim();
}
