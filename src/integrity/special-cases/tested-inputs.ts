/** Finds new conditions for single inputs of earlier tests that the code did not name before. */
import type {ChangedLine} from "../source/line-changes.ts";

const TEXT = String.raw`"(?:[^"\\\n]|\\.){3,80}"|'(?:[^'\\\n]|\\.){3,80}'`;
const NUMBER = String.raw`-?\d[\d_]+(?:\.\d+)?|-?\d+\.\d+`;
const VALUE = `(${TEXT}|${NUMBER})`;
const EQUALS = new RegExp(
  String.raw`(?:(?<![=!<>])===?|\.equals\(|\bis\b|\bcase\b)\s*&?${VALUE}(?![\w.])|(?<![\w.])${VALUE}(?:\s*===?(?!=)|\.equals\()`,
  "g",
);
/** A word in small letters, a constant, a path, a symbol or a type is the name of a kind, which code and tests share. */
const NAME =
  /^["'](?:[a-z_$][\w$./:@#*-]*|[A-Z_]+|\W+|[A-Z]\w*(?:Error|Exception|Type|Declaration|Expression|Statement))["']$/;
/** Small numbers, statuses of HTTP, limits of types. */
const ORDINARY_NUMBER = /^-?(?:10+|\d\d|[1-5]\d\d|1024|2048|4096|8192|65535|65536|3600)$/;
/** A value that is one of two numbers; codes of characters and statuses are compared so on purpose. */
const ALTERNATIVES =
  /(?<![\w.])((?!\w*(?:char|code|status|byte|key|ch\b))[a-zA-Z_][\w.]*)\s*===?\s*(\d+)\s*(?:\|\||\bor\b)\s*\1\s*===?\s*(\d+)(?![\w.])/i;
const MAX_LINE = 400;

/** The added line with such a condition; null if there is none. `earlierCode` is the product's code before the change. */
export function inputOfTest(
  added: readonly ChangedLine[],
  {texts, earlierCode}: {texts: readonly string[]; earlierCode: readonly string[]},
): ChangedLine | null {
  const isOfTests = (value: string) =>
    !NAME.test(value) &&
    texts.some((text) => hasLiteral(text, value)) &&
    !earlierCode.some((text) => hasLiteral(text, value));
  const isCompared = (value: string) =>
    earlierCode.some((text) => new RegExp(String.raw`===?\s*${value.replace(/\W/g, "\\$&")}(?![\w.])`).test(text));
  const line = added.find(({text}) => {
    if (text.length > MAX_LINE) return false;
    const alternatives = ALTERNATIVES.exec(text)?.slice(2) ?? [];
    if (
      alternatives.length > 1 &&
      alternatives.every(
        (value) => Number(value) > 127 && texts.some((one) => hasLiteral(one, value)) && !isCompared(value),
      )
    )
      return true;
    const compared = new Set([...text.matchAll(EQUALS)].map((match) => match[1] ?? match[2] ?? ""));
    const values = [...compared].filter(isOfTests);
    return values.length > 1 || values.some((value) => !ORDINARY_NUMBER.test(value));
  });
  return line ?? null;
}

/** True if a test has this number, or this text as a whole. */
export function hasLiteral(text: string, value: string): boolean {
  if (!/^["']/.test(value))
    return new RegExp(String.raw`(?<![\w.])${value.replace(/\W/g, "\\$&")}(?![\w.]*\d)`).test(text);
  const bare = value.slice(1, -1);
  return ['"', "'", "`"].some((quote) => text.includes(`${quote}${bare}${quote}`));
}
