/** Removes hidden text, so that the agent reads the same text as a person who reads the page. */
import {type MarkdownPiece, splitVisibleCode} from "./code-spans.ts";
import {findHiddenDrawingText} from "./drawing-text.ts";
import {findSurplusCells} from "./surplus-cells.ts";
import {findUnusedDefinitions, linesOf, type Range} from "./unused-definitions.ts";

/** A removal can uncover more hidden text, which the next round removes. */
const MAX_ROUNDS = 5;
/** No text contains it after `stripInvisible`. */
const MASK = "\u0001";

interface SanitizedText {
  readonly text: string;
  /** the number of removed characters (code points) */
  readonly removed: number;
}

// All invisible characters: zero-width, bidi, soft hyphen, fillers, variation selectors and the tag block are
// Default_Ignorable_Code_Point in Unicode; then control characters (except tab, line feed, and a carriage return before
// one) and interlinear marks. The first part is kept: an emoji with its style selector and joiner.
const INVISIBLE =
  /([\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]\uFE0F?(?:\u200D(?=\p{Extended_Pictographic}))?)|(?:(?!\t|\n|\r\n)[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB])+/gu;

// The same characters, written as entities, are invisible on the page, too.
const ENTITY =
  /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|(?:shy|zwn?j|[lr]lm|ZeroWidthSpace|Negative\w{1,9}Space|NoBreak|af|ApplyFunction|it|InvisibleTimes|ic|InvisibleComma));?/g;

// A page does not show these, closed or not: comments, processing instructions, CDATA, declarations.
const UNSHOWN_MARKUP = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<![A-Za-z][^>]*>?/g;

const TAG = /<(?!https?:\/\/[^\s<>]*>)[A-Za-z](?:[^"'<>]|"[^"]*"|'[^']*')*>/g;
const ATTRIBUTE = /(?<=[\s"'/])(?<name>[^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g;
const SHOWN_ATTRIBUTES = new Set(["href", "src", "width", "height", "align", "open", "start", "type", "checked"]);

const DEFINED = /^[ \t>]{0,9}\[((?:[^[\]\\]|\\.){1,999})\]:/gm;
// A destination in angle brackets may contain a whole sentence.
const ANGLED_DESTINATION = /(\]\(\s{0,9}|^ {0,3}\[[^\]\n]{1,999}\]:\s{0,9})<[^<>\n]*>/gm;
const LINK_TITLE =
  /(\]\((?:<[^<>\n]*>|(?:[^()\s\\]|\\.|\((?:[^()\s\\]|\\.)*\)){1,2000}))\s+(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))(?=\s*\))/g;
const REFERENCE_TITLE =
  /^( {0,3}\[[^\]\n]{1,999}\]:\s{0,9}\S{1,2000})\s+(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))/gm;
// Browsers show `rp` only if they do not support ruby text, and all do.
const RUBY_FALLBACK = /(<rp\b[^<>]*>)[\s\S]*?(?=<\/rp|<rt|<\/ruby|\n[ \t]*\n|$)/gi;

/** Removes only invisible and control characters: for logs, commands and names, where markup has no meaning. */
export function stripInvisible(text: string): SanitizedText {
  const remove = createRemover();
  const visible = remove(text, INVISIBLE, (_, kept) => kept ?? "");
  // After the removal, as a hidden character can prevent two others from composing.
  return {text: visible.normalize("NFC"), removed: remove.removed()};
}

const NAMED_CHARACTERS = 4;

/** Names invisible and control characters by their numbers: in code, they can make two equal names different. */
export function showInvisible(text: string): string {
  const nameCharacters = (characters: string) => {
    const codes = [...characters].map(
      (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    );
    const remainder = codes.length > NAMED_CHARACTERS ? ` and ${codes.length - NAMED_CHARACTERS} more` : "";
    return `[… ${codes.slice(0, NAMED_CHARACTERS).join(" ")}${remainder}]`;
  };
  const show = (run: string, kept?: string) => {
    if (kept === undefined) return nameCharacters(run);
    // The style selector of an emoji is a character of a name after a digit.
    return kept.length > 1 && /^[#*0-9]/.test(kept) ? `${kept[0]}${nameCharacters(kept.slice(1))}` : kept;
  };
  return text.replace(INVISIBLE, show).normalize("NFC");
}

/**
 * Removes the parts of Markdown that its page does not show, in linear time; a second call changes nothing. Each
 * removed piece of markup leaves a space, so that its neighbors cannot form new markup. Code that the page certainly
 * shows keeps its markup. In doubt it removes: unusual attributes in running text go, though a page that escapes them
 * shows them.
 */
export function keepVisibleText(markdown: string): SanitizedText {
  const visible = stripInvisible(markdown);
  let {text, removed} = visible;
  // A removal can leave a definition without references, or show that a text is certainly code.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const visibleParts = withoutMarkup(text);
    const parts = withoutUnshown(visibleParts.pieces);
    text = parts.text;
    removed += visibleParts.removed + parts.removed;
    if (parts.removed === 0) break;
  }
  return {text, removed};
}

/** Removes text that one piece of markup hides. */
function withoutMarkup(markdown: string): {pieces: readonly MarkdownPiece[]; removed: number} {
  const remove = createRemover();
  const answers = new Map<string, boolean>();
  const isHidden = (entity: string): boolean => {
    const answer = answers.get(entity) ?? namesInvisible(entity);
    answers.set(entity, answer);
    return answer;
  };
  const definedLabels = new Set([...markdown.matchAll(DEFINED)].map(([, label = ""]) => label));
  const clean = (prose: string) => {
    // each pattern below needs one of these, and a text with many code spans has many pieces without them
    if (!/[&<[]/.test(prose)) return prose;
    let text = remove(prose, ENTITY, (entity) => (isHidden(entity) ? " " : entity));
    text = remove(text, UNSHOWN_MARKUP, () => " ");
    text = remove(text, ANGLED_DESTINATION, (link, lead = "") =>
      /\s/.test(link.slice(lead.length)) ? `${lead}<>` : link,
    );
    text = remove(text, TAG, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (SHOWN_ATTRIBUTES.has(name.toLowerCase()) ? attribute : "")),
    );
    text = remove(text, RUBY_FALLBACK, (_, tag) => `${tag} `);
    text = remove.ranges(text, imageTexts(text, definedLabels), "");
    text = remove(text, LINK_TITLE, (_, link) => `${link} `);
    return remove(text, REFERENCE_TITLE, (_, definition) => `${definition} `);
  };
  const pieces = splitVisibleCode(markdown).map(({kind, text}) => ({
    kind,
    text: kind === "prose" ? clean(text) : text,
  }));
  return {pieces, removed: remove.removed()};
}

/** Removes text that the page does not show because of other parts of the text. */
function withoutUnshown(pieces: readonly MarkdownPiece[]): SanitizedText {
  const text = pieces.map((piece) => piece.text).join("");
  const maskedText = pieces
    .map((piece, at) => maskCode(piece, {before: pieces[at - 1], after: pieces[at + 1]}))
    .join("");
  const lines = linesOf(maskedText);
  const remove = createRemover();
  const ranges = [
    ...findUnusedDefinitions(maskedText, lines),
    ...findHiddenDrawingText(maskedText, lines),
    ...findSurplusCells(lines),
  ];
  return {text: remove.ranges(text, ranges, " "), removed: remove.removed()};
}

/** Keeps the first and last line of a fence, and the whole of a formula. */
function maskCode(
  {kind, text}: MarkdownPiece,
  next: {before: MarkdownPiece | undefined; after: MarkdownPiece | undefined},
): string {
  if (kind === "prose") return text;
  if (kind === "span") {
    const isFormula = next.before?.text.endsWith("$") && next.after?.text.startsWith("$");
    return isFormula ? text : MASK.repeat(text.length);
  }
  if (/^[`~]+[ \t]*math\b/i.test(text)) return text;
  const [, first = "", body = "", last = ""] =
    /^([^\n]*\n?)([\s\S]*?)((?:(?<=\n) {0,3}[`~]{3,}[ \t]*\r?\n?)?)$/.exec(text) ?? [];
  return first + body.replace(/[^\n]/g, MASK) + last;
}

/** The texts of images, which a page shows only if the image is missing. */
function imageTexts(text: string, defined: ReadonlySet<string>): Range[] {
  const open: {readonly at: number; readonly isImage: boolean}[] = [];
  const ranges: Range[] = [];
  for (const {0: mark, index} of text.matchAll(/\\[\s\S]|!?\[|\]/g)) {
    if (mark === "[" || mark === "![") open.push({at: index + mark.length, isImage: mark === "!["});
    if (mark !== "]") continue;
    const start = open.pop();
    if (!start?.isImage || start.at === index) continue;
    if (/[([]/.test(text.charAt(index + 1)) || defined.has(text.slice(start.at, index))) ranges.push([start.at, index]);
  }
  return ranges;
}

/** A `replace` that counts the removed characters. */
function createRemover() {
  let removedCount = 0;
  const remove = (text: string, pattern: RegExp, keep: (whole: string, group: string | undefined) => string): string =>
    text.replace(pattern, (whole: string, group?: unknown) => {
      const remainder = keep(whole, typeof group === "string" ? group : undefined);
      if (remainder !== whole) removedCount += points(whole) - points(remainder.trim());
      return remainder;
    });
  const ranges = (text: string, hidden: readonly Range[], instead: string): string => {
    let result = "";
    let end = 0;
    for (const [from, to, placeholder = instead] of [...hidden].sort(([a], [b]) => a - b)) {
      const part = text.slice(Math.max(from, end), to);
      if (part.trim() === "") continue;
      removedCount += points(part.trim());
      result += text.slice(end, Math.max(from, end)) + placeholder;
      end = to;
    }
    return result + text.slice(end);
  };
  return Object.assign(remove, {ranges, removed: () => removedCount});
}

/** Counts code points. A list of them is slow to make, and rarely needed. */
function points(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? [...text].length : text.length;
}

function namesInvisible(entity: string): boolean {
  const number = /^&#(?:(?<decimal>\d+)|[xX](?<hex>[0-9a-fA-F]+))/.exec(entity)?.groups;
  if (number === undefined) return true;
  const point = number["hex"] ? Number.parseInt(number["hex"], 16) : Number(number["decimal"]);
  return point <= 0x10ffff && String.fromCodePoint(point).replace(INVISIBLE, "") === "";
}
