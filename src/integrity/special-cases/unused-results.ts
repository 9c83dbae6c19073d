/** Finds new statements that compute a value which nothing uses: they look like work and change nothing. */
import {languageOf} from "../../test-code/text/languages.ts";
import {maskSource} from "../../test-code/text/mask.ts";
import type {ChangedLine} from "../source/line-changes.ts";

/** Methods that only return another value, in each language in which a statement can be such a call. */
const PURE: Readonly<Record<string, RegExp>> = {
  python:
    /^\s*(?!return\b|yield\b|await\b)[\w.[\]"']+\.(?:lower|upper|casefold|strip|[lr]strip|capitalize|swapcase|splitlines|zfill|[lr]just)\([^()]*\)$|^\s*(?:sorted|reversed|round|abs)\([^()]*\)$/,
  javascript:
    /^\s*(?!return\b|yield\b|await\b|case\b)[\w.[\]"'$]+\.(?:to(?:Locale)?(?:Lower|Upper)Case|trim(?:Start|End)?|pad(?:Start|End)|toFixed|toSorted|toReversed|localeCompare|substring|normalize)\([^()]*\);?$/,
  java: /^\s*(?!return\b)[\w.[\]"]+\.(?:to(?:Lower|Upper)Case|trim|strip(?:Leading|Trailing)?|substring|replaceAll|concat)\([^()]*\);$/,
  go: /^\s*strings\.(?:To(?:Lower|Upper|Title)|Trim\w*|Replace(?:All)?|Repeat|Split|Fields|Join)\([^()]*\)$/,
};
/** The line before is a whole statement or opens a block, and the line after does not go on with this one. */
const ENDS = {python: /(?:^|[\w)\]}"':])$/, others: /(?:^|[;})\]\w"']|(?<!\$)\{)$/};
const GOES_ON = /^\s*(?:[.?+*/%&|<>=,)\]-]|(?:if|or|and|else|for|in)\b)/;

/** The first such statement among the added lines; null if there is none. */
export function unusedResult(path: string, text: string, added: readonly ChangedLine[]): ChangedLine | null {
  const language = languageOf(path);
  const pattern = PURE[language?.name ?? ""];
  if (language === null || pattern === undefined) return null;
  if (!added.some((line) => pattern.test(line.text.trimEnd()))) return null;
  const code = maskSource(text, language)
    .code.split(/\r?\n/)
    .map((line) => line.trimEnd());
  const isWhole = ({number}: ChangedLine) => {
    const before = code.slice(0, number - 1).findLast((line) => line !== "") ?? "";
    const after = code.slice(number).find((line) => line !== "") ?? "";
    const ends = language.name === "python" ? ENDS.python : ENDS.others;
    return pattern.test(code[number - 1] ?? "") && ends.test(before) && !GOES_ON.test(after);
  };
  return added.find(isWhole) ?? null;
}
