/** Finds the parts of formulas, diagrams and fences whose words a page does not show. */
import type {MarkdownLine, Range} from "./unused-definitions.ts";

// TeX commands of GitHub's MathJax that hide, color, shrink or move text, or that define such commands.
const HIDING_COMMANDS = new Set(
  `phantom hphantom vphantom smash llap rlap clap mathllap mathrlap mathclap color textcolor colorbox fcolorbox definecolor
  Tiny tiny scriptsize scriptstyle scriptscriptstyle raise raisebox lower moveleft moveright rule Rule Space href url style
  class cssId data bbox unicode label tag toggle tip texttip mathtip mmlToken require begingroup`.split(/\s+/),
);
const MOVES_BACK = /\\(?:hspace\*?\s*\{|m?kern|[hm]skip)\s*-|(?:\\!\s*){3}/;
const hidesText = (tex: string): boolean =>
  MOVES_BACK.test(tex) || [...tex.matchAll(/\\([A-Za-z]+)/g)].some(([, name = ""]) => HIDING_COMMANDS.has(name));
const NAMES = /\\(?:def|gdef|edef|let|(?:re)?newcommand|newenvironment|DeclareMathOperator)(?![A-Za-z])/;
const TEX_COMMENT = /(?<!\\)%[^\n]*\S/;

// GitHub draws these fences: docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting. A
// character that is written as an entity, or escaped, may be part of such a word.
const DRAWN =
  /^(?:\[\^[^\]\s]{1,999}\]:[ \t]*)?(`{3,}(?=[^`]*$)|~{3,})[ \t]*(?:(math\b)|(?:mermaid|geojson|topojson|stl)\b|\S*[&\\])/i;
const DRAWING_LEFT_OUT = "(A drawing was left out here.)";
// A page shows the code of a fence; the text after the opening marks only selects the colors.
const INFO = /^((?:[ \t>*+-]|\d{1,9}[.)])*(?:`{3,}(?=[^`\n]*$)|~{3,}))([^\n]*)$/gm;
const LANGUAGE = /^[ \t]*(?:[A-Za-z][\w+#.-]{0,19})?/;

/**
 * `markdown` has meaningless characters in place of code that is not drawn. A drawing is left out as a whole: its source
 * can hide text in comments, settings, properties, names and colors.
 */
export function findHiddenDrawingText(markdown: string, lines: readonly MarkdownLine[]): Range[] {
  const hasNames = NAMES.test(markdown);
  return [
    ...formulas(markdown, (tex) => hasNames || hidesText(tex)),
    ...drawings(markdown, lines, (tex) => hasNames || hidesText(tex) || TEX_COMMENT.test(tex)),
    ...infos(markdown),
  ];
}

/**
 * The text between any two neighboring dollar signs of a paragraph, because only the page knows which of them pair.
 */
function formulas(markdown: string, hides: (tex: string) => boolean): Range[] {
  const ranges: Range[] = [];
  let open: {readonly at: number; readonly isDouble: boolean} | null = null;
  for (const {0: mark, index} of markdown.matchAll(/\\[^\n]|\$+|\n[ \t]*(?=\r?\n)/g)) {
    if (mark.startsWith("\\")) continue;
    if (open !== null && mark.startsWith("$")) {
      const tex = markdown.slice(open.at, index);
      const nextCharacter = markdown.charAt(index + mark.length);
      // "$5, 20% off $6" is not a formula
      const isFormula: boolean = open.isDouble || (/^\S/.test(tex) && !/\w/.test(nextCharacter));
      if (hides(tex) || (isFormula && TEX_COMMENT.test(tex))) ranges.push([open.at, index]);
    }
    open = mark.startsWith("$") ? {at: index + mark.length, isDouble: mark.length > 1} : null;
  }
  return ranges;
}

/** In doubt, a line that opens a drawing does so, also in another fence: only the page knows where that one ends. */
function drawings(markdown: string, lines: readonly MarkdownLine[], hides: (tex: string) => boolean): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opening = lines[at];
    const [, marks, math] = (opening && DRAWN.exec(opening.inner)) ?? [];
    if (opening === undefined || marks === undefined) continue;
    do at++;
    while (at < lines.length && !closes(lines[at], {marks, opens: opening.opens}));
    const closing = lines[at];
    const to = closing?.to ?? markdown.length;
    const body = markdown.slice(opening.to + 1, closing?.from ?? to);
    if (math === undefined) ranges.push([opening.from + opening.opens.length, to, DRAWING_LEFT_OUT]);
    else if (hides(body)) ranges.push([opening.to + 1, opening.to + 1 + body.trimEnd().length]);
  }
  return ranges;
}

/** A fence ends with at least its own marks, alone in a line that is not indented like code. */
function closes(line: MarkdownLine | undefined, opening: {marks: string; opens: string}): boolean {
  const {inner, opens} = line ?? {inner: "", opens: ""};
  const width = (text: string) => text.replaceAll("\t", "    ").length;
  return inner.startsWith(opening.marks) && /^(`+|~+)[ \t]*$/.test(inner) && width(opens) < width(opening.opens) + 4;
}

function infos(markdown: string): Range[] {
  return [...markdown.matchAll(INFO)].flatMap(({1: fence = "", 2: info = "", index}): Range[] => {
    const word = LANGUAGE.exec(info)?.[0] ?? "";
    const isWord = /^\s|^$/.test(info.slice(word.length));
    const from = index + fence.length + (isWord ? word.length : 0);
    const to = index + fence.length + info.trimEnd().length;
    return to > from ? [[from, to]] : [];
  });
}
