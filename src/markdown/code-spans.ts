/** Finds the parts of Markdown that a page certainly shows as code, so that their markup can stay unchanged. */

export interface MarkdownPiece {
  readonly kind: "fence" | "span" | "prose";
  readonly text: string;
}

// Markup that can hide text, or that takes precedence over a backtick: tags, comments, image texts, link definitions.
const MARK = /`+|<[A-Za-z/!?]|!\[/g;
const DEFINITION = /^ {0,3}\[(?!\^[^\]\s]+\])[^\]\n]+\]:/;
/** A line without any of these needs no search. */
const MARKUP_CHARACTERS = /[`~<[]/;

/**
 * Splits Markdown into code and prose. Code is a fence in the first column, or a span within one line. The first doubt,
 * such as markup that may hide text or an unpaired backtick, makes the rest prose, which is the safe choice. A span
 * with `|` is a doubt, too, because tables are split first.
 */
export function splitVisibleCode(markdown: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let doneUntil = 0;
  const take = (end: number, kind: MarkdownPiece["kind"]) => {
    if (end > doneUntil) pieces.push({kind, text: markdown.slice(doneUntil, end)});
    doneUntil = end;
  };
  let fence: string | null = null;
  let next = 0;
  for (let index = 0; index < markdown.length; index = next) {
    next = markdown.indexOf("\n", index) + 1 || markdown.length;
    const line = markdown.slice(index, next);
    if (!MARKUP_CHARACTERS.test(line)) continue;
    if (fence !== null) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?\n?$/.exec(line)?.[1];
      if (closing === undefined || closing[0] !== fence[0] || closing.length < fence.length) continue;
      fence = null;
      take(index + line.length, "fence");
      continue;
    }
    const opening = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (opening !== undefined) {
      take(index, "prose");
      fence = opening;
      continue;
    }
    const spans = spansOf(line);
    for (const [from, to] of spans.ranges) {
      take(index + from, "prose");
      take(index + to, "span");
    }
    if (!spans.isClear) {
      take(markdown.length, "prose");
      return pieces;
    }
  }
  take(markdown.length, fence === null ? "prose" : "fence");
  return pieces;
}

/** The code spans of a line, left to right, up to the first doubt; `isClear` if there is none. */
function spansOf(line: string): {ranges: [number, number][]; isClear: boolean} {
  const ranges: [number, number][] = [];
  if (DEFINITION.test(line)) return {ranges, isClear: false};
  const marks = [...line.matchAll(MARK)].map((match) => ({index: match.index, text: match[0]}));
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index];
    if (mark === undefined || !mark.text.startsWith("`") || line[mark.index - 1] === "\\")
      return {ranges, isClear: false};
    let partner = index + 1;
    while (partner < marks.length && marks[partner]?.text !== mark.text) partner++;
    const end = (marks[partner]?.index ?? -1) + mark.text.length;
    if (partner === marks.length || line.slice(mark.index, end).includes("|")) return {ranges, isClear: false};
    ranges.push([mark.index, end]);
    index = partner;
  }
  return {ranges, isClear: true};
}
