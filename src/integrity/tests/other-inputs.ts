/** Finds assertions that moved to another input, so that no test examines the earlier input any more. */

import type {InspectedChange} from "../source/inspected-change.ts";
import {isProductCode, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import type {AssertionPair} from "./assertion-pairs.ts";
import type {Assertion} from "./test-case.ts";

const LITERALS = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g;
/** A letter can be a unit: `2w1d`. */
const wordsOf = (text: string): string[] => text.match(/[A-Za-z]+|\d[\d.]*/g) ?? [];
/** Without the form of quotes and numbers, and without the folders of a path, which can move. */
const plainLiterals = (text: string): string =>
  text
    .replace(/['`]/g, '"')
    .replace(/(?<=\d)_(?=\d)/g, "")
    .replace(/"(?:[\w.-]+\/)+(?=[\w.-]+")/g, '"');
const shapeOf = (text: string): string => text.replace(LITERALS, "");

/** In `assert!(text.contains("a"))`, the value is what the assertion expects. */
const hasExpectation = ({text, subject}: Assertion): boolean =>
  /[\w"'`]/.test(text.slice(text.indexOf(subject) + subject.length).replace(/^\)+\.\w+/, ""));

/**
 * The pair whose function gets other values. A new feature may need that, but then the values have words of the changed
 * code, or the change has further calls of the function.
 */
export function withOtherInput(pairs: readonly AssertionPair[], {files}: InspectedChange): AssertionPair | undefined {
  const moved = pairs.filter(
    ({before, after}) =>
      plainLiterals(before.subject) !== plainLiterals(after.subject) &&
      before.subject.includes("(") &&
      hasExpectation(before) &&
      shapeOf(before.subject) === shapeOf(after.subject),
  );
  if (moved.length === 0) return undefined;
  const tests = files.filter(({path, basePath}) => isTestPath(path) || isTestPath(basePath) || path.endsWith(".rs"));
  const textOf = (key: "before" | "after") =>
    tests.map((file) => plainLiterals((file[key] ?? "").replace(/\s+/g, ""))).join("\n");
  const [earlier, current] = [textOf("before"), textOf("after")];
  const code = files
    .filter(({path}) => isProductCode(path))
    .flatMap(({before, after}) => compareLines(before, after).added);
  const codeWords = new Set(code.flatMap(({text}) => wordsOf(text)));
  return moved.find(({before, after}) => {
    const {subject} = before;
    const call = plainLiterals(subject.slice(0, subject.indexOf("(") + 1));
    const known = new Set(wordsOf(before.text));
    return (
      !current.includes(plainLiterals(subject)) &&
      current.split(call).length <= earlier.split(call).length &&
      !wordsOf(after.text).some((word) => !known.has(word) && codeWords.has(word))
    );
  });
}
