/** Takes hidden text out of what people wrote, so that the agent reads what a person who looks at the page reads. */
import {type Piece, splitVisibleCode} from "./code-spans.ts";
import {findHiddenDrawingText} from "./drawing-text.ts";
import {findSurplusCells} from "./surplus-cells.ts";
import {findUnusedDefinitions, linesOf, type Range} from "./unused-definitions.ts";

/** Each but the first is for what the one before has uncovered. */
const MOST_ROUNDS = 5;
/** `stripInvisible` takes it out of every text. */
const MASK = "\u0001";

export interface Sanitized {
  readonly text: string;
  /** how many characters (code points) were taken out */
  readonly removed: number;
}

// Everything that shows as nothing: zero-width, bidi, soft hyphen, fillers, variation selectors and the tag block are
// Default_Ignorable_Code_Point in Unicode; then control characters (but tab, line feed, and a carriage return before
// one) and interlinear marks. The first part is kept: an emoji with what styles it and joins it to the next.
const INVISIBLE =
  /((?:[\p{Extended_Pictographic}#*0-9]|[\u{1F3FB}-\u{1F3FF}])\uFE0F?(?:\u200D(?=\p{Extended_Pictographic}))?)|(?:[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFF9-\uFFFB]|\r(?!\n))+/gu;

// The same characters are as invisible on the page when they are written as entities.
const ENTITY =
  /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|(?:shy|zwn?j|[lr]lm|ZeroWidthSpace|Negative\w{1,9}Space|NoBreak|af|ApplyFunction|it|InvisibleTimes|ic|InvisibleComma));?/g;

// What a page leaves out, closed or not: comments, processing instructions, CDATA, declarations.
const UNSHOWN = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<![A-Za-z][^>]*>?/g;

const TAG = /<(?!https?:\/\/[^\s<>]*>)[A-Za-z](?:[^"'<>]|"[^"]*"|'[^']*')*>/g;
const ATTRIBUTE = /(?<=[\s"'/])(?<name>[^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g;
const SHOWN_ATTRIBUTES = new Set(["href", "src", "width", "height", "align", "open", "start", "type", "checked"]);

const DEFINED = /^[ \t>]{0,9}\[((?:[^[\]\\]|\\.){1,999})\]:/gm;
// A destination in angle brackets may hold a whole sentence.
const ANGLED = /(\]\(\s{0,9}|^ {0,3}\[[^\]\n]{1,999}\]:\s{0,9})<[^<>\n]*>/gm;
const LINK_TITLE =
  /(\]\((?:<[^<>\n]*>|(?:[^()\s\\]|\\.|\((?:[^()\s\\]|\\.)*\)){1,2000}))\s+(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))(?=\s*\))/g;
const REFERENCE_TITLE =
  /^( {0,3}\[[^\]\n]{1,999}\]:\s{0,9}\S{1,2000})\s+(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))/gm;
// Browsers show `rp` only where they know no ruby text, which is nowhere.
const RUBY_FALLBACK = /(<rp\b[^<>]*>)[\s\S]*?(?=<\/rp|<rt|<\/ruby|\n[ \t]*\n|$)/gi;

/** Takes out invisible and control characters only: for logs, commands and names, where markup means nothing. */
export function stripInvisible(text: string): Sanitized {
  const cut = cutter();
  const shown = cut(text, INVISIBLE, (_, kept) => kept ?? "");
  // After the cut, as a hidden character can keep two others from composing.
  return {text: shown.normalize("NFC"), removed: cut.removed()};
}

/**
 * Markdown without what its page does not show, in time linear in its length; doing it twice changes nothing. Each piece
 * of markup taken out leaves a space, so that nothing new can close up around it. Code that is surely shown as code keeps
 * its markup. It takes rather too much than too little: unusual attributes in running text go, though a page that
 * escapes them would show them.
 */
export function keepVisibleText(markdown: string): Sanitized {
  const visible = stripInvisible(markdown);
  let {text, removed} = visible;
  // What is taken out can leave another thing unreferenced, or code that is surely code.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const marked = withoutMarkup(text);
    const parts = withoutUnshown(marked.pieces);
    text = parts.text;
    removed += marked.removed + parts.removed;
    if (parts.removed === 0) break;
  }
  return {text, removed};
}

/** Takes out what is hidden by one piece of markup. */
function withoutMarkup(markdown: string): {pieces: readonly Piece[]; removed: number} {
  const cut = cutter();
  const known = new Map<string, boolean>();
  const isHidden = (entity: string): boolean => {
    const before = known.get(entity);
    if (before !== undefined) return before;
    const now = namesHidden(entity);
    known.set(entity, now);
    return now;
  };
  const defined = new Set([...markdown.matchAll(DEFINED)].map(([, label = ""]) => label));
  const clean = (prose: string) => {
    // each of the patterns below needs one of these, and a text of many spans of code has many pieces without
    if (!/[&<[]/.test(prose)) return prose;
    let text = cut(prose, ENTITY, (entity) => (isHidden(entity) ? " " : entity));
    text = cut(text, UNSHOWN, () => " ");
    text = cut(text, ANGLED, (link, lead = "") => (/\s/.test(link.slice(lead.length)) ? `${lead}<>` : link));
    text = cut(text, TAG, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (SHOWN_ATTRIBUTES.has(name.toLowerCase()) ? attribute : "")),
    );
    text = cut(text, RUBY_FALLBACK, (_, tag) => `${tag} `);
    text = cut.ranges(text, imageTexts(text, defined), "");
    text = cut(text, LINK_TITLE, (_, link) => `${link} `);
    return cut(text, REFERENCE_TITLE, (_, definition) => `${definition} `);
  };
  const pieces = splitVisibleCode(markdown).map(({kind, text}) => ({
    kind,
    text: kind === "prose" ? clean(text) : text,
  }));
  return {pieces, removed: cut.removed()};
}

/** Takes out what the page leaves out because of other parts of the text. */
function withoutUnshown(pieces: readonly Piece[]): Sanitized {
  const text = pieces.map((piece) => piece.text).join("");
  const masked = pieces.map((piece, at) => maskCode(piece, {before: pieces[at - 1], after: pieces[at + 1]})).join("");
  const lines = linesOf(masked);
  const cut = cutter();
  const ranges = [
    ...findUnusedDefinitions(masked, lines),
    ...findHiddenDrawingText(masked),
    ...findSurplusCells(lines),
  ];
  return {text: cut.ranges(text, ranges, " "), removed: cut.removed()};
}

/** Of a fence its first and last line stay, of a drawing and of a formula in backticks everything. */
function maskCode({kind, text}: Piece, next: {before: Piece | undefined; after: Piece | undefined}): string {
  if (kind === "prose") return text;
  if (kind === "span") {
    const isFormula = next.before?.text.endsWith("$") && next.after?.text.startsWith("$");
    return isFormula ? text : MASK.repeat(text.length);
  }
  if (/^[`~]+[ \t]*(?:math|mermaid)\b/i.test(text)) return text;
  const [, first = "", body = "", last = ""] =
    /^([^\n]*\n?)([\s\S]*?)((?:(?<=\n) {0,3}[`~]{3,}[ \t]*\r?\n?)?)$/.exec(text) ?? [];
  return first + body.replace(/[^\n]/g, MASK) + last;
}

/** The texts of images, which are shown only where the image is missing. */
function imageTexts(text: string, defined: ReadonlySet<string>): Range[] {
  const open: {readonly at: number; readonly isImage: boolean}[] = [];
  const found: Range[] = [];
  for (const {0: mark, index} of text.matchAll(/\\[\s\S]|!?\[|\]/g)) {
    if (mark === "[" || mark === "![") open.push({at: index + mark.length, isImage: mark === "!["});
    if (mark !== "]") continue;
    const start = open.pop();
    if (!start?.isImage || start.at === index) continue;
    if (/[([]/.test(text.charAt(index + 1)) || defined.has(text.slice(start.at, index))) found.push([start.at, index]);
  }
  return found;
}

/** A `replace` that counts what it takes out. */
function cutter() {
  let removed = 0;
  const cut = (text: string, pattern: RegExp, keep: (whole: string, group: string | undefined) => string): string =>
    text.replace(pattern, (whole: string, group?: unknown) => {
      const kept = keep(whole, typeof group === "string" ? group : undefined);
      if (kept !== whole) removed += points(whole) - points(kept.trim());
      return kept;
    });
  const ranges = (text: string, hidden: readonly Range[], instead: string): string => {
    let kept = "";
    let done = 0;
    for (const [from, to] of [...hidden].sort(([a], [b]) => a - b)) {
      const part = text.slice(Math.max(from, done), to);
      if (part.trim() === "") continue;
      removed += points(part.trim());
      kept += text.slice(done, Math.max(from, done)) + instead;
      done = to;
    }
    return kept + text.slice(done);
  };
  return Object.assign(cut, {ranges, removed: () => removed});
}

/** How many code points; to spread a text over a list of them is slow, and seldom needed. */
function points(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? [...text].length : text.length;
}

function namesHidden(entity: string): boolean {
  const number = /^&#(?:(?<decimal>\d+)|[xX](?<hex>[0-9a-fA-F]+))/.exec(entity)?.groups;
  if (number === undefined) return true;
  const point = number["hex"] ? Number.parseInt(number["hex"], 16) : Number(number["decimal"]);
  return point <= 0x10ffff && String.fromCodePoint(point).replace(INVISIBLE, "") === "";
}
