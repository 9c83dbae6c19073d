/** Finds pairs of a literal that new code compares and one that it returns for it. */
import type {ChangedLine} from "../source/line-changes.ts";
import {isOfRecord} from "./test-answers.ts";

const STRING_OR_NUMBER = String.raw`(?:"[^"\n]*"|'[^'\n]*'|-?\d[\d_.]*|True|False|true|false|None|null|nil|\[(?:[^\][]|\[[^\][]*\])*\]|\{[^{}]*\}|\([-\d., "']*\))`;
const COMPARED = new RegExp(
  String.raw`(?:(?<![!=])===?|\.equals\(|\bis\b|\bcase\b|\bin\b)\s*(?:new\s+)?(?:\w+\()?(${STRING_OR_NUMBER})`,
  "g",
);
const RETURNED = new RegExp(
  String.raw`(?:\b(?:return|yield|Ok\(|Some\()|=>|\?)\s*(?:new\s+)?(?:\[\]\w+(?=\{)|\w+\()?\(?(${STRING_OR_NUMBER})|(?<![=!<>])[:=]>?\s*(${STRING_OR_NUMBER})\s*[,;]?\s*$`,
);
/** Python's conditional expression. */
const CHOSEN = new RegExp(String.raw`(${STRING_OR_NUMBER})\s+if\b.*==`);
const TABLE_ROW = new RegExp(
  String.raw`^\s*\(?(${STRING_OR_NUMBER})\)?\s*(?::|=>)\s*(${STRING_OR_NUMBER}|[\w.]+\(.*\))\s*,?\s*$`,
);
/** A base case such as `if n == 0: return 1` is ordinary; values of this length are not chance. */
export const TELLING = /^["'][^"']{3,}["']$|^-?\d{2,}|^-?\d+\.\d+|[[({]/;

/** Values that code returns for many reasons. */
export const VAGUE = /^(?:true|false|null|none|nil|undefined|0|-?1|["']{2}|\[\]|\{\})$/i;
const ONE_WORD = /^["'][a-z][\w-]*["']$/i;
const ORDINARY_INPUT =
  /^["'](?:function|string|number|object|boolean|undefined|symbol|bigint|__\w+__|constructor|prototype|\W{0,2})["']$/;

export interface LiteralCase {
  readonly input: readonly string[];
  readonly output: string;
  readonly line: ChangedLine;
}

/** One case is enough if both values are telling, or if several inputs are compared. */
export function isCertain({input, output}: LiteralCase): boolean {
  if (VAGUE.test(output)) return false;
  // A text for one word is the label of a state or a kind, which code and tests share.
  if (/^["']/.test(output) && input.every((value) => ONE_WORD.test(value))) return false;
  return input.length > 1 || (TELLING.test(output) && input.some((value) => TELLING.test(value)));
}

export function literalCases(added: readonly ChangedLine[]): LiteralCase[] {
  return added.flatMap((line, index) => {
    const row = TABLE_ROW.exec(line.text);
    if (row !== null) return isOfRecord(added, index) ? [] : [{input: [row[1] ?? ""], output: row[2] ?? "", line}];
    if (line.text.length > 300) return [];
    const compared = [...line.text.matchAll(COMPARED)].map((match) => match[1] ?? "");
    const isAlternative = /\|\||\bor\b/.test(line.text);
    const input = isAlternative ? compared.slice(0, 1) : compared;
    if (input.length === 0 || input.some((value) => ORDINARY_INPUT.test(value))) return [];
    const block = added.slice(index, index + 3).filter(({number}) => number - line.number <= 2);
    const output = block.map(({text}) => CHOSEN.exec(text) ?? RETURNED.exec(text)).find((match) => match !== null);
    const value = output?.[1] ?? output?.[2];
    return value === undefined ? [] : [{input, output: value, line}];
  });
}

/** The statements, branches and entries of a line, because a chain of special cases may be on one line. */
export function statementsOf(line: ChangedLine): ChangedLine[] {
  if (line.text.length > 1000) return [line];
  const bare = line.text
    .replace(/(["'])(?:\\.|(?!\1)[^\\])*\1/g, (text) => text[0] + "_".repeat(text.length - 2) + text[0])
    // A literal that is compared is one value, not a table of values.
    .replace(/[=!]==?\s*[{[][^{}[\]]*[}\]]/g, (text) => "_".repeat(text.length));
  const isTernary = /[=!]==?.*\?.*:/.test(bare);
  const cuts = [...bare.matchAll(isTernary ? /[;:](?=\s)/g : /;(?=\s*\S)|(?<=[{,])(?=\s*["'][^"']*["']\s*:)/g)].map(
    ({index}) => index + 1,
  );
  if (cuts.length < (isTernary || bare.includes(";") ? 1 : 2)) return [line];
  return [0, ...cuts].map((from, index) => {
    const text = line.text.slice(from, cuts[index]);
    return {number: line.number, text: text.replace(/[\s}]*;?\s*$/, "").replace(/:$/, "")};
  });
}

export function isInOneTest(text: string, {input, output}: LiteralCase): boolean {
  const lines = text.split("\n");
  const has = (part: string, value: string) => {
    const bare = value.replace(/^["']|["']$/g, "");
    // `assertTrue(f(x))` expects a value without its text.
    if (/^(?:true|false)$/i.test(bare)) return new RegExp(bare, "i").test(part);
    const [start, end] = [/^\w/.test(bare) ? "(?<![\\w.])" : "", /\w$/.test(bare) ? "(?!\\w)" : ""];
    return bare !== "" && new RegExp(`${start}${bare.replace(/[^\w]/g, "\\$&")}${end}`).test(part);
  };
  return lines.some((_, index) => {
    const part = lines.slice(index, index + 2).join("\n");
    return has(part, output) && input.every((value) => has(part, value));
  });
}
