/** Messages that tell a cause: lists of texts, and patterns for what varies in them. */
import {requiredLiterals} from "./required-literals.ts";

export interface Telling {
  /** in lower case; a line that contains one of them tells the cause, in any case of letters */
  readonly texts: readonly string[];
  readonly patterns: readonly RegExp[];
}

/** The texts are separated by commas. */
export const tellingOf = (texts: string, ...patterns: readonly RegExp[]): Telling => ({
  texts: texts
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== ""),
  patterns,
});

export function isTold({texts, patterns}: Telling, line: string): boolean {
  const lower = line.toLowerCase();
  return texts.some((text) => lower.includes(text)) || patterns.some((pattern) => pattern.test(line));
}

/** For the prefilter: each line that tells the cause contains one of them. */
export const literalsOf = ({texts, patterns}: Telling): string[] => [
  ...texts.map((text) => text.replace(/\d/g, "0")),
  ...patterns.flatMap(({source}) => requiredLiterals(source)),
];
