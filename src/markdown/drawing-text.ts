/** Finds the parts of formulas, diagrams and fences whose words a page does not show. */
import type {Range} from "./unused-definitions.ts";

// TeX commands of GitHub's MathJax that hide, color, shrink or move text, or that define such commands.
const HIDING_COMMANDS =
  /\\(?:(?:[hv]?phantom|smash|math[lrc]lap|[lrc]lap|color|textcolor|f?colorbox|definecolor|Tiny|tiny|scriptsize|(?:script){1,2}style|raise(?:box)?|lower|move(?:left|right)|[Rr]ule|Space|href|url|style|class|cssId|data|bbox|unicode|label|tag|toggle|(?:text|math)?tip|mmlToken|require|begingroup)(?![A-Za-z])|(?:hspace\*?\s*\{|m?kern|[hm]skip)\s*-)|(?:\\!\s*){3}/;
const NAMES = /\\(?:def|gdef|edef|let|(?:re)?newcommand|newenvironment|DeclareMathOperator)(?![A-Za-z])/;
const TEX_COMMENT = /(?<!\\)%[^\n]*\S/;

const DRAWN_LANGUAGE =
  /^(?:[ \t>*+-]|\d{1,9}[.)])*(`{3,}|~{3,})[ \t]*(math|mermaid)\b[^\n]*\n([\s\S]*?)(?=^[ \t>]*\1|$(?![\s\S]))/gim;
const MERMAID_COMMENT = /^[ \t]*%%.*|^[ \t]*acc(?:Title|Descr)\b.*/gm;
// A page shows the code of a fence; the text after the opening marks only selects the colors.
const INFO = /^((?:[ \t>*+-]|\d{1,9}[.)])*(?:`{3,}(?=[^`\n]*$)|~{3,}))([^\n]*)$/gm;
const LANGUAGE = /^[ \t]*(?:[A-Za-z][\w+#.-]{0,19})?/;

/** `markdown` has meaningless characters in place of code that is not drawn. */
export function findHiddenDrawingText(markdown: string): Range[] {
  const hasNames = NAMES.test(markdown);
  return [
    ...formulas(markdown, (tex) => hasNames || HIDING_COMMANDS.test(tex)),
    ...fences(markdown, (tex) => hasNames || HIDING_COMMANDS.test(tex) || TEX_COMMENT.test(tex)),
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

function fences(markdown: string, hides: (tex: string) => boolean): Range[] {
  return [...markdown.matchAll(DRAWN_LANGUAGE)].flatMap(
    ({0: whole, 2: language = "", 3: body = "", index}): Range[] => {
      const from = index + whole.length - body.length;
      if (language.toLowerCase() === "math") return hides(body) ? [[from, from + body.trimEnd().length]] : [];
      return [...body.matchAll(MERMAID_COMMENT)].map((match) => [
        from + match.index,
        from + match.index + match[0].length,
      ]);
    },
  );
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
