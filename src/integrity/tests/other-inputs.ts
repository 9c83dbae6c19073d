/** Finds assertions that moved to another input, so that no test examines the earlier input any more. */
import {posix} from "node:path";
import type {InspectedChange} from "../source/inspected-change.ts";
import {isProductCode, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import type {AssertionPair} from "./assertion-pairs.ts";
import type {Assertion} from "./test-case.ts";

export const LITERALS = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g;
const wordsOf = (text: string): string[] => text.match(/[A-Za-z]+/g) ?? [];
/** Without the form of quotes and numbers, and without the folders of files that moved. */
function plainLiterals(text: string, movedPaths: readonly string[]): string {
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`|(?<=\d)_(?=\d)/g, (literal) => {
    if (literal === "_") return "";
    const value = literal.slice(1, -1);
    const path = value.replace(/^(?:\.\.?\/)+/, "");
    const isMoved = path.includes("/") && movedPaths.some((one) => `/${one}/`.includes(`/${path}/`));
    return `"${isMoved ? posix.basename(path) : value}"`;
  });
}
/** Words of strings and keys, of which a letter can be a unit as in `2w1d`, and longer names; not those of comments. */
function codeWordsOf(line: string): string[] {
  const comment = line.replace(QUOTED, (text) => '"'.repeat(text.length)).search(COMMENT);
  const code = comment < 0 ? line : line.slice(0, comment);
  const names = wordsOf(code.replace(QUOTED, "")).filter((word) => word.length > 2);
  const keys = code.match(/(?<=[{,]\s*)\w+(?=\s*:)/g) ?? [];
  return [...names, ...[...keys, ...(code.match(QUOTED) ?? [])].flatMap(wordsOf)];
}
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`/g;
const COMMENT = /(?:#(?!\[)|\/\/|\/\*|^\s*\*).*$/;
const shapeOf = (text: string): string => text.replace(LITERALS, "");

/** In `assert!(text.contains("a"))` and `if !strings.Contains(err.Error(), "a")`, the value is what the assertion expects. */
const hasExpectation = ({text, subject}: Assertion): boolean =>
  !(text.includes(`${subject}{`) && /^[\w.]+\([^"'`]*\),/.test(subject)) &&
  /[\w"'`]/.test(text.slice(text.indexOf(subject) + subject.length).replace(/^\)+\.\w+/, ""));

/**
 * The pair whose function gets other values. A new feature may need that, but then the values have words of the changed
 * code, or the change has further calls of the function.
 */
export function withOtherInput(pairs: readonly AssertionPair[], {files}: InspectedChange): AssertionPair | undefined {
  const movedPaths = files.flatMap(({status, path, basePath}) => (status === "modified" ? [] : [path, basePath]));
  const plain = (text: string) => plainLiterals(text, movedPaths);
  const moved = pairs.filter(
    ({before, after}) =>
      plain(before.subject) !== plain(after.subject) &&
      before.subject.includes("(") &&
      hasExpectation(before) &&
      shapeOf(before.subject) === shapeOf(after.subject),
  );
  if (moved.length === 0) return undefined;
  const tests = files.filter(({path, basePath}) => isTestPath(path) || isTestPath(basePath) || path.endsWith(".rs"));
  const textOf = (key: "before" | "after") =>
    tests.map((file) => plain((file[key] ?? "").replace(/\s+/g, ""))).join("\n");
  const [earlier, current] = [textOf("before"), textOf("after")];
  const code = files
    .filter(({path}) => isProductCode(path))
    .flatMap(({before, after}) => compareLines(before, after).added);
  const codeWords = new Set(code.flatMap(({text}) => codeWordsOf(text)));
  return moved.find(({before, after}) => {
    const {subject} = before;
    const call = plain(subject.slice(0, subject.indexOf("(") + 1));
    const known = new Set(wordsOf(before.text));
    return (
      !current.includes(plain(subject)) &&
      current.split(call).length <= earlier.split(call).length &&
      !wordsOf(after.text).some((word) => !known.has(word) && codeWords.has(word))
    );
  });
}
