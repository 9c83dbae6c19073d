/** Makes foreign text harmless in GitHub Markdown: nothing in it can mention, link, close, embed or break out. */

/** Where a piece of text is going to stand. */
export interface Place {
  /** inside a table row, where a bare `|` would end the cell even within a code span */
  readonly table?: boolean;
  /** true keeps the author's emphasis; false shows every character as it is */
  readonly emphasis?: boolean;
}

/**
 * What GitHub turns into a link or a notification by itself: mentions and addresses, URLs, issue and advisory numbers,
 * abbreviated commits (docs.github.com: "Autolinked references and URLs"). Each alternative looks a bounded way ahead.
 */
const ACTIVE = /@[\w-]|:\/\/|www\.|mailto:|xmpp:|#\d|GH-\d|GHSA-|CVE-\d|(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])/i;

/** Control, bidirectional, zero-width and tag characters: they hide text or reorder what a reader sees. */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What would start a block at the beginning of a line. */
const BLOCK_MARKER = /^(?:>|[-+*=#:]+(?=\s|$)|\d{1,9}[.)](?=\s|$))/;

const LONGEST_RUN = 40;
const WRAPPING = new Set("*_~\"'(){},.;:!?");

/** Foreign text with plain line feeds, whole surrogate pairs, and nothing that cannot be seen. */
export function showInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(INVISIBLE, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd");
}

/** At most `max` UTF-16 units of the text, never half a surrogate pair; an ellipsis shows the cut and is counted. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, max - 1);
  const half = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, half ? end - 1 : end)}…`;
}

/** Foreign text as one line of code. Empty text gives an empty string. */
export function codeSpan(text: string, place: Place = {}): string {
  const line = shortRuns(showInvisible(text)).replace(/\n/g, " ").trim();
  if (line === "") return "";
  // A backslash before the pipe would be read as its escape by some parsers and not by others: show a twin instead.
  const safe = place.table === true ? line.replace(/(\\?)\|/g, (_, slash) => (slash === "" ? "\\|" : "\\∣")) : line;
  const ticks = "`".repeat(longestRun(safe, "`") + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return `${ticks}${pad}${safe}${pad}${ticks}`;
}

/** Foreign text as a block of code that nothing inside can end; it stands at the start of a line. */
export function fence(text: string, language = ""): string {
  const body = shortRuns(showInvisible(text)).replace(/\n+$/, "");
  const ticks = "`".repeat(Math.max(2, longestRun(body, "`")) + 1);
  return `${ticks}${language}\n${body}\n${ticks}`;
}

/**
 * Foreign text as one line of prose or one table cell. Code spans and, where asked for, emphasis keep their look; links
 * become their text and address, images their description, and whatever GitHub would make live is shown as code.
 */
export function inline(text: string, place: Place = {}): string {
  const line = showInvisible(text).replace(/\n/g, " ").trim();
  return withoutMarker(inlineLine(line, place));
}

/** A finished line that starts no block: looked at last, because a link that became text can leave a marker in front. */
export function withoutMarker(line: string): string {
  const marker = BLOCK_MARKER.exec(line)?.[0] ?? "";
  return neutralize(marker) + line.slice(marker.length);
}

/** A would-be block marker that only shows: its last character becomes an entity. */
export function neutralize(marker: string): string {
  return marker === "" ? "" : marker.slice(0, -1) + entity(marker.slice(-1));
}

/** Foreign text as one line of HTML, for a `<summary>`: GitHub reads no Markdown there, but still looks for mentions. */
export function htmlLine(text: string): string {
  const words = showInvisible(text).trim().split(/\s+/);
  return words
    .map((word) => {
      const shown = word.replace(/[&<>"'`]/g, entity);
      return ACTIVE.test(word) ? `<code>${shown}</code>` : shown;
    })
    .join(" ");
}

/** Foreign text as one line for a place without Markdown, such as a title or a commit's subject. */
export function plainLine(text: string, max: number): string {
  const line = showInvisible(text.slice(0, 4 * max))
    .replace(/\s+/g, " ")
    .replace(/:\/\//g, " ")
    .replace(/\bGH-(?=\d)/gi, "GH ")
    .replace(/(?<!\w)[@#]+(?=[\w-])|#+(?=\d)/g, "")
    .trim();
  return clip(/\b(?:skip|ci|actions)\b/i.test(line) ? line.replace(/[[*]/g, "(").replace(/\]/g, ")") : line, max);
}

/** The inside of one line, for callers that have dealt with what stands at its start. */
export function inlineLine(line: string, place: Place): string {
  if (!/[`<[\]|\\&$*_~@#:!]|www|GH|CVE|[0-9a-f]{7}/i.test(line)) return line;
  const codeAt = codeSpans(line);
  const lastLink = line.lastIndexOf("](");
  const pieces: string[] = [];
  let last = "";
  const add = (piece: string) => {
    // Two runs of backticks side by side would be one run.
    pieces.push(last === "`" && piece.startsWith("`") ? ` ${piece}` : piece);
    last = piece.at(-1) ?? last;
  };
  for (let i = 0; i < line.length; ) {
    const char = line.charAt(i);
    const link = i < lastLink && (char === "[" || char === "!") ? linkAt(line, i) : null;
    if (char === "`") {
      const found = codeAt(i);
      add(found.text === null ? entity("`").repeat(found.end - i) : codeSpan(unescapedPipes(found.text, place), place));
      i = found.end;
    } else if (link !== null) {
      // Joined to its neighbours a link's text could become live: `#[1](x)`.
      add(
        `${/\S/.test(last) ? " " : ""}${linkText({...link, place})}${/[\w@#]/.test(line.charAt(link.end)) ? " " : ""}`,
      );
      i = link.end;
    } else {
      const end = wordEnd(line, i);
      if (end > i) add(wordText(line.slice(i, end), place));
      else add(/\s/.test(char) || (char === "|" && place.emphasis === true) ? char : entity(char));
      i = Math.max(end, i + 1);
    }
  }
  return pieces.join("");
}

/** Where the run of characters ends that GitHub could read as one mention, address or number. */
function wordEnd(line: string, from: number): number {
  let i = from;
  for (; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === "\\" && i + 1 < line.length) i++;
    else if (char === "!" ? line.charAt(i + 1) === "[" : /[\s`<[|\\]/.test(char)) break;
  }
  return Math.min(i, line.length);
}

const LINK = /(!?)\[([^[\]]{0,500})\]\(<?([^()\s<>]{0,2000})>?(?:\s{1,9}(?:"[^"]{0,200}"|'[^']{0,200}'))?\)/y;

function linkAt(line: string, from: number): {image: boolean; text: string; url: string; end: number} | null {
  LINK.lastIndex = from;
  const found = LINK.exec(line);
  return found && {image: found[1] === "!", text: found[2] ?? "", url: found[3] ?? "", end: LINK.lastIndex};
}

function linkText(o: {image: boolean; text: string; url: string; place: Place}): string {
  const text = inlineLine(o.text, o.place).trim();
  if (o.image) return text === "" ? "(image)" : `(image: ${text})`;
  const url = codeSpan(o.url, o.place);
  if (text === "" || o.text === o.url || url === text) return url;
  return url === "" ? text : `${text} (${url})`;
}

function wordText(word: string, place: Place): string {
  const shown = word.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  if (!ACTIVE.test(shown)) return literal(word, place);
  let start = 0;
  let end = shown.length;
  while (start < end && WRAPPING.has(shown.charAt(start))) start++;
  while (end > start && WRAPPING.has(shown.charAt(end - 1))) end--;
  return (
    literal(shown.slice(0, start), place) + codeSpan(shown.slice(start, end), place) + literal(shown.slice(end), place)
  );
}

/** A word without `<`, `[`, `|` and backticks, in which only emphasis, and only if asked for, may still mean something. */
function literal(text: string, place: Place): string {
  if (!/[&\]\\$*_~]/.test(text)) return text;
  return text.replace(
    /\\([!-/:-@[-`{-~])|([&\]\\$])\2*|([*_~])\3*/g,
    (run, escaped?: string, _?: string, mark?: string) => {
      if (escaped !== undefined) return entity(escaped);
      if (mark !== undefined && place.emphasis === true && (mark !== "~" || run.length < 3)) return run;
      return entity(run.charAt(0)).repeat(run.length);
    },
  );
}

/** A character reference: it shows the character and can never be syntax (CommonMark 0.31, section 2.5). */
function entity(char: string): string {
  return `&#${char.codePointAt(0) ?? 0xfffd};`;
}

/** Answers what the backtick run at a place opens, and where that ends; all runs of the line are found once. */
function codeSpans(line: string): (start: number) => {text: string | null; end: number} {
  const byLength = new Map<number, number[]>();
  for (const run of line.matchAll(/`+/g)) {
    const starts = byLength.get(run[0].length) ?? [];
    starts.push(run.index);
    byLength.set(run[0].length, starts);
  }
  for (const starts of byLength.values()) starts.reverse();
  return (start) => {
    let length = 1;
    while (line.charAt(start + length) === "`") length++;
    const starts = byLength.get(length) ?? [];
    while ((starts.at(-1) ?? Number.POSITIVE_INFINITY) <= start) starts.pop();
    const close = starts.at(-1);
    if (close === undefined) return {text: null, end: start + length};
    return {text: line.slice(start + length, close), end: close + length};
  };
}

function unescapedPipes(code: string, place: Place): string {
  return place.table === true ? code.replace(/\\\|/g, "|") : code;
}

function shortRuns(text: string): string {
  return text.replace(/`{41,}/g, `${"`".repeat(LONGEST_RUN)}…`);
}

function longestRun(text: string, char: string): number {
  let longest = 0;
  let run = 0;
  for (const here of text) {
    run = here === char ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
