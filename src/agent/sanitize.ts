/** Takes hidden text out of what people wrote, so that the agent reads what a person who looks at the page reads. */
import {splitShownCode} from "./shown-code.ts";

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

const IMAGE_ALT = /!\[[^[\]]+\](?=[([])/g;
const LINK_TITLE = /(\]\([^()\s]{1,2000})\s+(?:"[^"]*"|'[^']*'|\([^()]*\))(?=\s*\))/g;
const REFERENCE_TITLE = /^( {0,3}\[[^\]\n]{1,999}\]:\s{0,9}\S{1,2000})\s+(?:"[^"]*"|'[^']*'|\([^()]*\))/gm;

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
export function sanitize(markdown: string): Sanitized {
  const visible = stripInvisible(markdown);
  const cut = cutter();
  const known = new Map<string, boolean>();
  const isHidden = (entity: string): boolean => {
    const before = known.get(entity);
    if (before !== undefined) return before;
    const now = namesHidden(entity);
    known.set(entity, now);
    return now;
  };
  const clean = (prose: string) => {
    // each of the patterns below needs one of these, and a text of many spans of code has many pieces without
    if (!/[&<[]/.test(prose)) return prose;
    let text = cut(prose, ENTITY, (entity) => (isHidden(entity) ? " " : entity));
    text = cut(text, UNSHOWN, () => " ");
    text = cut(text, TAG, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (SHOWN_ATTRIBUTES.has(name.toLowerCase()) ? attribute : "")),
    );
    text = cut(text, IMAGE_ALT, () => "![]");
    text = cut(text, LINK_TITLE, (_, link) => `${link} `);
    return cut(text, REFERENCE_TITLE, (_, definition) => `${definition} `);
  };
  let text = "";
  for (const piece of splitShownCode(visible.text)) text += piece.isCode ? piece.text : clean(piece.text);
  return {text, removed: visible.removed + cut.removed()};
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
  return Object.assign(cut, {removed: () => removed});
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
