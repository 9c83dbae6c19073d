/** Escapes foreign text for GitHub Markdown: it cannot mention, link, close issues, embed or break out. */

interface TextContext {
  /** in a table row, where `|` would end the cell even within a code span */
  readonly table?: boolean;
  /** true keeps the author's emphasis; false shows every character unchanged */
  readonly emphasis?: boolean;
}

/**
 * GitHub turns these into links or notifications: mentions, addresses, URLs, numbers of issues and advisories,
 * abbreviated commits (docs.github.com: "Autolinked references and URLs"). Each alternative looks ahead a limited
 * distance.
 */
const ACTIVE = /@[\w-]|:\/\/|www\.|mailto:|xmpp:|#\d|GH-\d|GHSA-|CVE-\d|(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])/i;

/** Control, bidirectional, zero-width and tag characters, which hide or reorder text. */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** These start a block at the beginning of a line. */
const BLOCK_MARKER = /^(?:>|[-+*=#:]+(?=\s|$)|\d{1,9}[.)](?=\s|$))/;

const LONGEST_RUN = 40;
const WRAPPING = new Set("*_~\"'(){},.;:!?");

/** Foreign text with plain line feeds, whole surrogate pairs and no invisible characters. */
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
  const endsInHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, endsInHalf ? end - 1 : end)}…`;
}

/** Foreign text as one line of code. Empty text gives an empty string. */
export function codeSpan(text: string, context: TextContext = {}): string {
  const line = shortRuns(showInvisible(text)).replace(/\n/g, " ").trim();
  if (line === "") return "";
  // Parsers disagree whether a backslash before a pipe is an escape, so a similar character replaces the pipe.
  const safe = context.table === true ? line.replace(/(\\?)\|/g, (_, slash) => (slash === "" ? "\\|" : "\\∣")) : line;
  const ticks = "`".repeat(longestRun(safe, "`") + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return `${ticks}${pad}${safe}${pad}${ticks}`;
}

/** Foreign text as a code block that nothing inside can end. It must start at the beginning of a line. */
export function fence(text: string, language = ""): string {
  const body = shortRuns(showInvisible(text)).replace(/\n+$/, "");
  const ticks = "`".repeat(Math.max(2, longestRun(body, "`")) + 1);
  return `${ticks}${language}\n${body}\n${ticks}`;
}

/**
 * Foreign text as one line of prose or one table cell. Code spans stay, and so does emphasis if requested. A link
 * becomes its text and address, an image its description, and anything that GitHub would turn into a link becomes code.
 */
export function inline(text: string, context: TextContext = {}): string {
  const line = showInvisible(text).replace(/\n/g, " ").trim();
  return withoutMarker(inlineLine(line, context));
}

/** Escapes the marker of a block in a finished line. This comes last, because a link that became text can leave one. */
export function withoutMarker(line: string): string {
  const marker = BLOCK_MARKER.exec(line)?.[0] ?? "";
  return neutralize(marker) + line.slice(marker.length);
}

/** Makes the last character of a block marker an entity, so that the marker is only shown. */
export function neutralize(marker: string): string {
  return marker === "" ? "" : marker.slice(0, -1) + entity(marker.slice(-1));
}

/** Foreign text as one line of HTML for a `<summary>`, where GitHub reads mentions, but no Markdown. */
export function htmlLine(text: string): string {
  const words = showInvisible(text).trim().split(/\s+/);
  return words
    .map((word) => {
      const escapedWord = word.replace(/[&<>"'`]/g, entity);
      return ACTIVE.test(word) ? `<code>${escapedWord}</code>` : escapedWord;
    })
    .join(" ");
}

/** Foreign text as one line without Markdown, such as a title or a commit's subject. */
export function plainLine(text: string, max: number): string {
  const line = showInvisible(text.slice(0, 4 * max))
    .replace(/\s+/g, " ")
    .replace(/:\/\//g, " ")
    .replace(/\bGH-(?=\d)/gi, "GH ")
    .replace(/(?<!\w)[@#]+(?=[\w-])|#+(?=\d)/g, "")
    .trim();
  return clip(/(?:\b|_)(?:skip|ci|actions)\b/i.test(line) ? line.replace(/[[*]/g, "(").replace(/\]/g, ")") : line, max);
}

/** Escapes the text within a line, for callers that escape the start of the line. */
export function inlineLine(line: string, context: TextContext): string {
  if (!/[`<[\]|\\&$*_~@#:!]|www|GH|CVE|[0-9a-f]{7}/i.test(line)) return line;
  const codeAt = codeSpans(line);
  const lastLink = line.lastIndexOf("](");
  const pieces: string[] = [];
  let lastCharacter = "";
  const add = (piece: string) => {
    // Two adjacent runs of backticks would become one run.
    pieces.push(lastCharacter === "`" && piece.startsWith("`") ? ` ${piece}` : piece);
    lastCharacter = piece.at(-1) ?? lastCharacter;
  };
  for (let i = 0; i < line.length; ) {
    const char = line.charAt(i);
    const link = i < lastLink && (char === "[" || char === "!") ? linkAt(line, i) : null;
    if (char === "`") {
      const {text, end} = codeAt(i);
      add(text === null ? entity("`").repeat(end - i) : codeSpan(unescapedPipes(text, context), context));
      i = end;
    } else if (link !== null) {
      // A link's text could become a reference together with its neighbors: `#[1](x)`.
      const space = /[\w@#]/.test(line.charAt(link.end)) ? " " : "";
      add(`${/\S/.test(lastCharacter) ? " " : ""}${linkText(link, context)}${space}`);
      i = link.end;
    } else {
      const end = wordEnd(line, i);
      if (end > i) add(wordText(line.slice(i, end), context));
      else add(/\s/.test(char) || (char === "|" && context.emphasis === true) ? char : entity(char));
      i = Math.max(end, i + 1);
    }
  }
  return pieces.join("");
}

/** The end of the characters that GitHub could read as one mention, address or number. */
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

interface MarkdownLink {
  readonly isImage: boolean;
  readonly text: string;
  readonly url: string;
  readonly end: number;
}

function linkAt(line: string, from: number): MarkdownLink | null {
  LINK.lastIndex = from;
  const match = LINK.exec(line);
  return match && {isImage: match[1] === "!", text: match[2] ?? "", url: match[3] ?? "", end: LINK.lastIndex};
}

function linkText(link: MarkdownLink, context: TextContext): string {
  const text = inlineLine(link.text, context).trim();
  if (link.isImage) return text === "" ? "(image)" : `(image: ${text})`;
  const url = codeSpan(link.url, context);
  if (text === "" || link.text === link.url || url === text) return url;
  return url === "" ? text : `${text} (${url})`;
}

function wordText(word: string, context: TextContext): string {
  const unescapedWord = word.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  if (!ACTIVE.test(unescapedWord)) return literal(word, context);
  let start = 0;
  let end = unescapedWord.length;
  while (start < end && WRAPPING.has(unescapedWord.charAt(start))) start++;
  while (end > start && WRAPPING.has(unescapedWord.charAt(end - 1))) end--;
  return (
    literal(unescapedWord.slice(0, start), context) +
    codeSpan(unescapedWord.slice(start, end), context) +
    literal(unescapedWord.slice(end), context)
  );
}

/** Escapes a word without `<`, `[`, `|` and backticks; only requested emphasis keeps its meaning. */
function literal(text: string, context: TextContext): string {
  if (!/[&\]\\$*_~]/.test(text)) return text;
  return text.replace(
    /\\([!-/:-@[-`{-~])|([&\]\\$])\2*|([*_~])\3*/g,
    (run, escaped?: string, _?: string, mark?: string) => {
      if (escaped !== undefined) return entity(escaped);
      if (mark !== undefined && context.emphasis === true && (mark !== "~" || run.length < 3)) return run;
      return entity(run.charAt(0)).repeat(run.length);
    },
  );
}

/** A character reference shows the character and is never syntax (CommonMark 0.31, section 2.5). */
function entity(char: string): string {
  return `&#${char.codePointAt(0) ?? 0xfffd};`;
}

/** Returns a function for the code span that starts at a backtick. It finds all runs of backticks in the line once. */
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

function unescapedPipes(code: string, context: TextContext): string {
  return context.table === true ? code.replace(/\\\|/g, "|") : code;
}

function shortRuns(text: string): string {
  return text.replace(/`{41,}/g, `${"`".repeat(LONGEST_RUN)}…`);
}

function longestRun(text: string, char: string): number {
  let longest = 0;
  let length = 0;
  for (const current of text) {
    length = current === char ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}
