/** Checks that a quote of the judge occurs in its input. */

/** The texts that a quote may come from. */
export interface QuotableTexts {
  readonly diff: string;
  /** results of the checks, and the changed paths */
  readonly facts: string;
  /** the agent's own words */
  readonly answer: string;
}

/** A shorter quote can occur by chance; it counts only as a whole line. */
const SHORT = 8;

/** Lines of a diff that are not content of a file, and lines by which Assay replaces others: how they begin. */
const NO_CONTENT_STARTS = [
  ...["diff --git ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity index "],
  ...["dissimilarity index ", "rename from ", "rename to ", "Binary files ", "@@ ", "[the same change as in "],
  "\\ No newline at end of file",
];
const FILE_LINE = /^index [0-9a-f]+\.\.|^(?:--- "?a|\+\+\+ "?b)\/|^(?:---|\+\+\+) \/dev\/null$/;
const LEFT_OUT = /^\[\d+ lines added, \d+ removed\]$/;

const isContent = (line: string): boolean =>
  !(NO_CONTENT_STARTS.some((start) => line.startsWith(start)) || FILE_LINE.test(line) || LEFT_OUT.test(line));
/** Marks of invisible characters, which models leave out. */
const INVISIBLE_CHARACTERS = /\[… U\+[^[\]\n]*\]/g;
const MARKER = /\[… [^[\]\n]*\]/g;

/** Where the quote occurs, in the order of its weight as evidence; null if it occurs nowhere. */
export function findQuote(quote: string, texts: QuotableTexts): keyof QuotableTexts | null {
  const places = ["diff", "facts", "answer"] as const;
  return places.find((place) => occursIn(quote, texts[place])) ?? null;
}

/**
 * Verbatim, or equal apart from white space and the diff's marks at the start of lines, which models leave out. A mark
 * in the quote must be the one of the line: a removed line proves nothing about an added one.
 */
function occursIn(quote: string, text: string): boolean {
  const [quoteLines, lines] = [contentLines(quote), contentLines(text)];
  const quoted = quoteLines.map(tightenMark);
  const length = quoteLines.map(withoutMark).join("").replace(/\s/g, "").length;
  if (length === 0) return false;
  if (length < SHORT) {
    const line = join(quoted);
    return lines.some((one) => tightenMark(one) === line || withoutMark(one) === line);
  }
  const contents = join(lines.map(withoutMark));
  return join(lines.map(tightenMark)).includes(join(quoted)) || contents.includes(join(quoteLines));
}

const contentLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => isContent(line.trimEnd()))
    .map((line) => line.replace(INVISIBLE_CHARACTERS, "").replace(MARKER, " "));

const withoutMark = (line: string): string => line.replace(/^[+\- ]/, "").trim();
/** The line without white space around its content; a mark stays, directly before the content. */
const tightenMark = (line: string): string => line.trim().replace(/^([+-])\s+/, "$1");
const join = (lines: readonly string[]): string => lines.join(" ").replace(/\s+/g, " ").trim();
