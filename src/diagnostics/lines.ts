/** Splits a log into lines without escape codes and runner prefixes, and with limited length. */

/**
 * The lines of a log as one text, with the start and end of each line. A string for each line would use much memory,
 * although most lines are never read; `textAt` and `bodyAt` create single ones.
 */
export interface LogLines {
  readonly text: string;
  readonly count: number;
  readonly starts: readonly number[];
  /** where the line starts after the prefixes that runners add */
  readonly bodies: readonly number[];
  readonly ends: readonly number[];
  /** lines that a terminal would have overwritten: progress bars end in a single carriage return */
  readonly passing: ReadonlySet<number>;
}

/** The visible part of a line; empty if there is no such line. */
export const textAt = ({text, starts, ends}: LogLines, at: number): string =>
  text.slice(starts[at] ?? 0, ends[at] ?? 0);

/** The visible part of a line, without the runner's prefixes. */
export const bodyAt = ({text, bodies, ends}: LogLines, at: number): string =>
  text.slice(bodies[at] ?? 0, ends[at] ?? 0);

/** All lines without the runner's prefixes, in order. */
export const bodiesOf = (lines: LogLines): string[] => lines.bodies.map((_, at) => bodyAt(lines, at));

/**
 * Longer lines are cut, which keeps every later pattern fast. The end of a long line often contains its result, so a
 * part of it is kept.
 */
export const LINE_CHARS = 3_000;
const LINE_END_CHARS = 600;
const CUT = " […] ";

/** Of a longer log, only the head and the tail are read. */
const LOG_CHARS = 24_000_000;
const HEAD_SHARE = 0.25;

// ECMA-48 control sequences and operating-system commands (titles, hyperlinks), each with its terminator.
const ESCAPES =
  /\u001b\[[0-9;:?<=>]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\r\n]*(?:\u0007|\u001b\\)?|\u001b[()][0-9A-B]|\u001b[=>78cM]/g;
const NOT_PRINTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f]/g;

/** GitHub's log download adds job and step, separated by tabs. */
const JOB_AND_STEP = /[^\t\n]{1,80}\t[^\t\n]{1,120}\t(?=\d{4}-\d\d-\d\dT)/y;

/** The time that a CI service writes before each line. No excerpt shows it. */
const TIME = /\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?: |(?=[\r\n]|$))/y;

/** Prefixes of CI systems: Travis CI's `nl` on macOS, and times. */
const TIME_PREFIX =
  /\uFEFF?(?:nl(?![\w-]))?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?[ \t])?(?:\d\d[EO][ +])?(?:\[(?:(?:task )?\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d(?:\.\d+)?Z?\] )?/y;
/** Prefixes after them: a GitHub mark, turbo's `@scope/name:task: `, docker's `#12 1.234 `. */
const RUNNER_PREFIX =
  /(?:##\[(?:error|warning|debug|notice)\])?(?:(?:@[\w-]+\/)?[a-z][\w-]*:[a-z][\w:-]*: )?(?:#\d+ \d+\.\d+ )?/y;

/** Splits a whole log into lines. Linear in the log's length; never throws. */
export function readLines(log: string): LogLines {
  const text = withShortLines(plain(log.length > LOG_CHARS ? headAndTail(log) : log));
  const starts: number[] = [];
  const bodies: number[] = [];
  const ends: number[] = [];
  const passing = new Set<number>();
  const bodyFrom = prefixReader(text);
  const add = (from: number, end: number): void => {
    const start = isTimeOrMark(text.charCodeAt(from)) ? Math.min(endOfMatch(TIME, text, from), end) : from;
    starts.push(start);
    bodies.push(Math.min(bodyFrom(start), end));
    ends.push(end);
  };
  let back = text.indexOf("\r");
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf("\n", from);
    const to = next < 0 ? text.length : next;
    for (; back >= 0 && back < to - 1; back = text.indexOf("\r", from)) {
      if (back > from) {
        passing.add(starts.length);
        add(from, back);
      }
      from = back + 1;
    }
    const endsInReturn = back >= 0 && back < to;
    add(from, endsInReturn ? back : to);
    if (endsInReturn) back = text.indexOf("\r", to);
    from = to + 1;
  }
  return {text, count: starts.length, starts, bodies, ends, passing};
}

function plain(log: string): string {
  const text = log.includes("\u001b") ? log.replace(ESCAPES, "") : log;
  return text.replace(NOT_PRINTED, "");
}

function withShortLines(text: string): string {
  if (!hasLineOver(LINE_CHARS, text)) return text;
  // A replacement for each line would take several times as long as to split the text and to join it again.
  return text
    .split("\n")
    .map((line) => (line.length > LINE_CHARS ? line.replace(/[^\r]+/g, withoutMiddle) : line))
    .join("\n");
}

/** True if a line is longer than this. Jumps from line break to line break, so that it need not look at each line. */
export function hasLineOver(chars: number, text: string): boolean {
  for (let from = 0; text.length - from > chars; ) {
    const end = text.lastIndexOf("\n", from + chars);
    if (end < from) return true;
    from = end + 1;
  }
  return false;
}

/** Returns a function from the start of a line to the position after its prefixes. */
function prefixReader(text: string): (start: number) => number {
  const hasSteps = text.includes("\t20");
  return (start) => {
    const from = hasSteps ? endOfMatch(JOB_AND_STEP, text, start) : start;
    return mayBeginPrefix(text, from) ? endOfMatch(RUNNER_PREFIX, text, endOfMatch(TIME_PREFIX, text, from)) : from;
  };
}

/** The position after the pattern, if it matches there. `exec` would create an object for each line. */
function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** True for the possible first characters of TIME: `2` of the year, or a byte-order mark. */
const isTimeOrMark = (code: number): boolean => code === 50 || code === 0xfeff;

/**
 * True if a prefix may match: after a digit, `@` or a byte-order mark, after a word and a colon, after `nl`, and after
 * `[` or `#` with one of the characters that follow them.
 */
function mayBeginPrefix(text: string, from: number): boolean {
  const code = text.charCodeAt(from);
  if (code < 97) {
    if (code !== 35 && code !== 91) return isDigit(code) || code === 64;
    const next = text.charCodeAt(from + 1);
    return isDigit(next) || next === (code === 35 ? 35 : 116);
  }
  if (code > 122) return code === 0xfeff;
  if (code === 110 && text.charCodeAt(from + 1) === 108) return true;
  let end = from + 1;
  while (isWordOrDash(text.charCodeAt(end))) end++;
  return text.charCodeAt(end) === 58;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isWordOrDash = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95 || code === 45;

function withoutMiddle(line: string): string {
  if (line.length <= LINE_CHARS) return line;
  const head = wholeCharacters(line.slice(0, LINE_CHARS - LINE_END_CHARS));
  // The end must not start with half a surrogate pair.
  return head + CUT + line.slice(-LINE_END_CHARS).replace(/^[\udc00-\udfff]/, "");
}

/** Removes half a surrogate pair from the end, so that a cut never creates an unreadable character. */
export function wholeCharacters(text: string): string {
  const lastCode = text.charCodeAt(text.length - 1);
  return lastCode >= 0xd800 && lastCode <= 0xdbff ? text.slice(0, -1) : text;
}

function headAndTail(log: string): string {
  const head = Math.floor(LOG_CHARS * HEAD_SHARE);
  const headEnd = log.lastIndexOf("\n", head) + 1;
  const tailStart = log.indexOf("\n", log.length - (LOG_CHARS - head)) + 1;
  return log.slice(0, headEnd) + log.slice(tailStart);
}
