/** Cuts a log into lines that can be shown and matched: no escape codes, no endless lines, runner prefixes set aside. */

/** One line of a log. `text` is what a reader may see; `body` is the same without the prefixes that runners put in front. */
export interface Line {
  readonly text: string;
  readonly body: string;
  /** false where the terminal would have overwritten the line: progress bars end in a lone carriage return */
  readonly lasting: boolean;
}

/** Lines longer than this are cut, which keeps every later pattern cheap. */
export const LINE_CHARS = 2_000;

/** A log of more characters than this is read as its head and its tail. */
const LOG_CHARS = 24_000_000;
const HEAD_SHARE = 0.25;

// ECMA-48 control sequences and operating-system commands (titles, hyperlinks), each with its terminator.
const ESCAPES =
  /\u001b\[[0-9;:?<=>]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[()][0-9A-B]|\u001b[=>78cM]/g;
const NOT_PRINTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f]/;
const NOT_PRINTED_ALL = new RegExp(NOT_PRINTED, "g");

/** GitHub's log download puts job and step in front, with tabs between. */
const JOB_AND_STEP = /^[^\t\n]{1,80}\t[^\t\n]{1,120}\t(?=\d{4}-\d\d-\d\dT)/;

/** What CI systems and task runners put in front: a time, a GitHub mark, turbo's `@scope/name:task: `, docker's `#12 1.234 `. */
const PREFIX =
  /^\uFEFF?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\s)?(?:\[\d\d:\d\d:\d\d(?:\.\d+)?\] )?(?:##\[(?:error|warning|debug|notice)\])?(?:(?:@[\w-]+\/)?[a-z][\w-]*:[a-z][\w:-]*: )?(?:#\d+ \d+\.\d+ )?/y;

/** Takes a whole log; gives its lines. Linear in the log's length; never throws. */
export function readLines(log: string): Line[] {
  const text = log.length > LOG_CHARS ? headAndTail(log) : log;
  const lines: Line[] = [];
  // One look at the whole log spares most logs a look at each line.
  const clean = !NOT_PRINTED.test(text);
  let from = 0;
  while (from <= text.length) {
    let to = text.indexOf("\n", from);
    if (to < 0) to = text.length;
    if (to === text.length && from === to) break;
    const end = to > from && text.charCodeAt(to - 1) === 13 ? to - 1 : to;
    pushRow({lines, row: text.slice(from, end), clean});
    from = to + 1;
  }
  return lines;
}

function pushRow(o: {lines: Line[]; row: string; clean: boolean}): void {
  const {lines, row, clean} = o;
  if (!row.includes("\r")) {
    lines.push(readLine({row, clean, lasting: true}));
    return;
  }
  const states = row.split("\r");
  states.forEach((state, index) => {
    if (state !== "" || index === states.length - 1)
      lines.push(readLine({row: state, clean, lasting: index === states.length - 1}));
  });
}

function readLine(o: {row: string; clean: boolean; lasting: boolean}): Line {
  const {row, lasting} = o;
  const capped = row.length > LINE_CHARS * 2 ? row.slice(0, LINE_CHARS * 2) : row;
  const plain = stripEscapes(capped, o.clean);
  const text = plain.length > LINE_CHARS ? `${wholeCharacters(plain.slice(0, LINE_CHARS))} […]` : plain;
  return {text, body: withoutPrefixes(text), lasting};
}

function stripEscapes(text: string, clean: boolean): string {
  const plain = text.includes("\u001b") ? text.replace(ESCAPES, "") : text;
  return clean ? plain : plain.replace(NOT_PRINTED_ALL, "");
}

function withoutPrefixes(text: string): string {
  const rest = text.includes("\t20") ? text.replace(JOB_AND_STEP, "") : text;
  if (!mayBeginPrefix(rest.charCodeAt(0))) return rest;
  // Most lines have none: `exec` would make an object for each of them.
  PREFIX.lastIndex = 0;
  PREFIX.test(rest);
  return PREFIX.lastIndex === 0 ? rest : rest.slice(PREFIX.lastIndex);
}

/** True for what PREFIX can begin with: a small letter, a digit, `#`, `@`, `[` or a byte-order mark. */
function mayBeginPrefix(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || [35, 64, 91, 0xfeff].includes(code);
}

/** Cuts half a surrogate pair off the end, so that a cut never makes an unreadable character. */
export function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function headAndTail(log: string): string {
  const head = Math.floor(LOG_CHARS * HEAD_SHARE);
  const headEnd = log.lastIndexOf("\n", head) + 1;
  const tailStart = log.indexOf("\n", log.length - (LOG_CHARS - head)) + 1;
  return log.slice(0, headEnd) + log.slice(tailStart);
}
