/** Finds the code in Markdown that a page surely shows as code, so that its markup may stay as it was written. */

export interface Piece {
  readonly kind: "fence" | "span" | "prose";
  readonly text: string;
}

// Markup that can hide text, or that takes precedence over a backtick: tags, comments, image texts; links' definitions.
const MARK = /`+|<[A-Za-z/!?]|!\[/g;
const DEFINITION = /^ {0,3}\[(?!\^[^\]\s]+\])[^\]\n]+\]:/;
/** A line without any of these has nothing to be looked at. */
const TELLING = /[`~<[]/;

/**
 * Cuts Markdown into code and prose. It trusts a fence in the first column and a span within one line, and both only
 * up to the first thing that could make the page read them otherwise: markup that may hide, or a backtick without a
 * partner. Everything behind that is prose, as the safe answer. Spans with `|` are not trusted, for tables split first.
 */
export function splitVisibleCode(markdown: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const take = (end: number, kind: Piece["kind"]) => {
    if (end > done) pieces.push({kind, text: markdown.slice(done, end)});
    done = end;
  };
  let fence: string | null = null;
  let next = 0;
  for (let index = 0; index < markdown.length; index = next) {
    next = markdown.indexOf("\n", index) + 1 || markdown.length;
    const line = markdown.slice(index, next);
    if (!TELLING.test(line)) continue;
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
    for (const [from, to] of spans.found) {
      take(index + from, "prose");
      take(index + to, "span");
    }
    if (!spans.clear) {
      take(markdown.length, "prose");
      return pieces;
    }
  }
  take(markdown.length, fence === null ? "prose" : "fence");
  return pieces;
}

/** The code spans of a line, left to right, up to the first doubt; `clear` when there was none. */
function spansOf(line: string): {found: [number, number][]; clear: boolean} {
  const found: [number, number][] = [];
  if (DEFINITION.test(line)) return {found, clear: false};
  const marks: {index: number; text: string}[] = [];
  for (let mark = MARK.exec(line); mark !== null; mark = MARK.exec(line)) {
    marks.push({index: mark.index, text: mark[0]});
  }
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at];
    if (mark === undefined || !mark.text.startsWith("`") || line[mark.index - 1] === "\\") return {found, clear: false};
    let partner = at + 1;
    while (partner < marks.length && marks[partner]?.text !== mark.text) partner++;
    const end = (marks[partner]?.index ?? -1) + mark.text.length;
    if (partner === marks.length || line.slice(mark.index, end).includes("|")) return {found, clear: false};
    found.push([mark.index, end]);
    at = partner;
  }
  return {found, clear: true};
}
