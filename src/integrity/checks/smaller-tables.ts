/** Finds tests that run over fewer values or files than before. A part of the check `weakened-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCollectedByName, isTestPath} from "../source/kinds.ts";
import {type Language, languageOf} from "../source/languages.ts";
import {maskSource} from "../source/mask.ts";
import {computedValue} from "../tests/computed-values.ts";
import {readTests} from "../tests/read-tests.ts";
import {countNarrowedLoops, exportedTables, iteratedNames, namedTables, selectedFrom} from "../tests/test-tables.ts";

/** Values in a test or a table. */
export const LITERALS = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*|\b(?:true|false|null|undefined|None|nil)\b/gi;

const FIX = "Run the tests over all earlier values.";

/** Lists outside the tests, over which tests iterate: in the set-up, at the top of the file, or in a file with cases. */
export function findSmallerTables(file: InspectedFile, {files}: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  const language = languageOf(path);
  if (before === null || after === null || language === null || !isTestPath(path) || !isTestPath(basePath)) return [];
  const [base, head] = [maskSource(before, language).code, maskSource(after, language).code];
  const computed = computedValue(base, head, {tests: readTests(path, after), tables: iteratedNames(head)});
  const message =
    (computed === null ? null : `The code under test computes the expected values of \`${computed}\` now`) ??
    selection({path, after, base, head, language}) ??
    shorterTable({path, base, head}, () => movedTo(file, files));
  if (message === null) return [];
  const name = /`(\w+)`/.exec(message)?.[1] ?? "\0";
  const line = after.split("\n").findIndex((text) => text.includes(`${name} `) || text.includes(`${name}:`)) + 1;
  return [{check: "weakened-tests", level: "flag", path, line: line || null, message, fix: FIX}];
}

interface TestCode {
  readonly path: string;
  /** without comments and the contents of strings */
  readonly base: string;
  readonly head: string;
}

/** The tests run over a part of the same values. */
function selection(given: TestCode & {readonly after: string; readonly language: Language}): string | null {
  const {path, after, base, head, language} = given;
  const whole = selectedFrom(base, head);
  if (whole !== null) return `Tests run over a selection of \`${whole}\`, over all of it before`;
  const isNarrowed = countNarrowedLoops(head, language) > countNarrowedLoops(base, language);
  // Those of a test are reported with its name.
  return isNarrowed && readTests(path, after).every(({narrowedLoops}) => narrowedLoops === 0)
    ? "Tests run with only a part of their values"
    : null;
}

/** `elsewhere`: true if all values of the file are still somewhere. */
function shorterTable({path, base, head}: TestCode, elsewhere: () => boolean): string | null {
  // Tests import the lists of other files.
  const tables = (code: string) =>
    new Map([...namedTables(code), ...(isCollectedByName(path) ? [] : exportedTables(code))]);
  const now = tables(head);
  const [name, rows] = [...tables(base)].find(([one, count]) => count > (now.get(one) ?? count)) ?? [];
  if (name === undefined || rows === undefined) return null;
  const isFilled = new RegExp(String.raw`\b${name}\b(?:\.(?:push|append|extend|add)\(|\s*=\s*append\()`).test(head);
  const rowsNow = now.get(name) ?? 0;
  return isFilled || elsewhere()
    ? null
    : `Tests run over ${rowsNow} ${rowsNow === 1 ? "value" : "values"} of \`${name}\`, ${rows} before`;
}

/** Rows that moved to other tests are not a loss. */
function movedTo({path, before}: InspectedFile, files: readonly InspectedFile[]): boolean {
  const tests = files.filter((one) => isTestPath(one.path));
  const count = (key: "before" | "after") => tests.reduce((sum, one) => sum + countCases(one.path, one[key] ?? ""), 0);
  const values = new Set(tests.flatMap((one) => valuesIn(one.path, one.after ?? "")));
  return count("after") >= count("before") && valuesIn(path, before ?? "").every((value) => values.has(value));
}

/** The assertions of tests and the rows of tables. */
function countCases(path: string, text: string): number {
  const language = languageOf(path);
  if (language === null) return 0;
  const {code} = maskSource(text, language);
  const tables = [...new Map([...namedTables(code), ...exportedTables(code)]).values()];
  const tests = readTests(path, text).map(({assertions, rows}) => assertions.length + rows);
  return [...tables, ...tests].reduce((sum, one) => sum + one, 0);
}

/** Without those in comments. */
function valuesIn(path: string, text: string): string[] {
  const language = languageOf(path);
  const code = language === null ? text : maskSource(text, language).code;
  return [...code.matchAll(LITERALS)].map(({0: {length}, index}) =>
    text.slice(index, index + length).replace(/^["'`]|["'`]$/g, ""),
  );
}
