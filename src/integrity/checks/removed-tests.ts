/** Check: tests of the base that the candidate does not have any more. */
import {groupBy} from "../../diagnostics/group-duplicates.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {languageOf} from "../source/languages.ts";
import {maskSource} from "../source/mask.ts";
import {compareTests, type LocatedTest, namesOfTests} from "../tests/compare-tests.ts";
import {hasRemovedSubject} from "../tests/test-subject.ts";
import {namedTableTexts} from "../tests/test-tables.ts";

export const removedTests: IntegrityCheck = {
  name: "removed-tests",
  find(change) {
    const {kept, removed, added} = compareTests(change);
    const isLarger = ({base, head}: (typeof kept)[number]) =>
      head.test.rows > base.test.rows || head.test.assertions.length > base.test.assertions.length;
    const grown = kept.flatMap((pair) => (isLarger(pair) ? [pair.head] : []));
    const text = removed.length === 0 ? "" : textOf([...added, ...grown]);
    const isKept = (one: LocatedTest) => hasRemovedSubject(one, change) || isCovered(one, text);
    const rest = new Map<InspectedFile, string>();
    const unexplained = removed.filter((one) => !isKept(one) && !isInOtherForm(one, change, rest));
    return [...groupBy(unexplained, ({file}) => file)].map(([file, tests]) => {
      const newTests = added.filter((one) => one.file === file).length;
      const isReplaced =
        newTests >= tests.length || hasEnough(tests, added) || gainedRows(tests, change) >= tests.length;
      const names = tests.slice(0, 3).map(({test}) => `\`${test.id}\``);
      const more = tests.length > 3 ? ` and ${tests.length - 3} more` : "";
      const what = tests.length === 1 ? "Test" : `${tests.length} tests`;
      return {
        check: "removed-tests",
        level: isReplaced ? "note" : isPureLoss(tests, change) ? "block" : "flag",
        path: file.status === "deleted" ? file.basePath : file.path,
        line: null,
        message: `${what} removed or no longer collected: ${names.join(", ")}${more}`,
        fix: "Restore the tests, or remove the code that they test in the same change.",
        tests: namesOfTests(tests),
      } satisfies IntegrityFinding;
    });
  },
};

/**
 * Most values of the removed test are in tests that were added: it became a row of a table, or a part of another test.
 */
function isCovered({test}: LocatedTest, text: string): boolean {
  const literals = literalsOf(test.source.text.replace(test.name, ""));
  if (literals.length === 0 || test.assertions.length === 0) return false;
  return literals.filter((literal) => text.includes(literal)).length / literals.length >= 0.7;
}

/** Code that runs its tests for several values. */
const REPEATS =
  /\.(?:each|for)\b|\bfor\b|\.forEach\(|\bparametri[sz]e\b|@(?:ParameterizedTest|\w+Source)\b|\bmacro_rules!|#\[(?:case|rstest)/;
const TOKEN = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\b\d[\w.]*|\b[A-Za-z_]\w*(?=\()/g;
const MACRO_TEST = /\bmacro_rules![\s\S]*#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn \$/;
const ASSERTS = /^(?:expect|assert|to[A-Z]|Fatal|Error|Equal|is$|t$)/;

/**
 * All values and calls of the removed test are in the rest of the file, without its unchanged tests, and that code runs
 * for several values: a loop, a macro or a table in another form.
 */
function isInOtherForm({file, test}: LocatedTest, change: InspectedChange, rest: Map<InspectedFile, string>): boolean {
  if (file.after === null || test.assertions.length === 0 || hasSameBody(test.source.text, file.after)) return false;
  const text = rest.get(file) ?? changedText(file, change);
  rest.set(file, text);
  const tokens = (test.source.text.slice(test.source.text.indexOf("{") + 1).match(TOKEN) ?? []).filter(
    (token) => !ASSERTS.test(token) && token !== test.name,
  );
  const words = new Set([...(text.match(/[\p{L}\p{N}_.-]+/gu) ?? []), ...(text.match(/\w+/g) ?? [])]);
  const isThere = (token: string) => {
    const value = token.replace(/^["'`]|["'`]$/g, "");
    return /^[\p{L}\p{N}_.-]+$/u.test(value) ? words.has(value) : text.includes(value);
  };
  const {kept, added} = compareTests(change);
  const isCollected =
    [...kept.map(({head}) => head), ...added].some((one) => one.file === file) || MACRO_TEST.test(file.after);
  const hasValue = tokens.some((token) => /^["'`\d]/.test(token));
  return isCollected && hasValue && REPEATS.test(text) && tokens.every(isThere);
}

/** The test's lines are all still there, so only its name or its mark has changed: no runner collects it any more. */
function hasSameBody(test: string, after: string): boolean {
  const body = test.slice(test.indexOf("\n") + 1).trimEnd();
  return test.includes("\n") && after.includes(body);
}

function changedText(file: InspectedFile, change: InspectedChange): string {
  const same = compareTests(change).kept.filter(
    ({base, head}) => head.file === file && base.test.source.text === head.test.source.text,
  );
  const text = same.reduce((left, {head}) => left.replace(head.test.source.text, ""), file.after ?? "");
  return text.replace(/^\s*(?:\/\/|#(?!\[)|\*).*$/gm, "");
}

/** The rows that tables of the same file got, if they call what the removed tests called. */
function gainedRows(tests: readonly LocatedTest[], change: InspectedChange): number {
  const {kept, added} = compareTests(change);
  const file = tests[0]?.file;
  const tables = [
    ...kept.map(({base, head}) => ({head, rows: head.test.rows - base.test.rows})),
    ...added.map((head) => ({head, rows: head.test.rows})),
  ].filter(({head, rows}) => head.file === file && rows > 0 && head.test.assertions.length > 0);
  const calls = ({test}: LocatedTest) => test.source.code.match(/\b[A-Za-z_]\w*(?=\()/g) ?? [];
  const called = new Set(tables.flatMap(({head}) => calls(head)));
  const isInTable = (one: LocatedTest) => {
    const names = calls(one).filter((name) => name !== one.test.name);
    return names.length > 0 && names.every((name) => called.has(name));
  };
  return tests.every(isInTable) ? tables.reduce((sum, {rows}) => sum + rows, 0) : 0;
}

/** A table is in the test, in its decorators, or in a list with a name. */
function textOf(tests: readonly LocatedTest[]): string {
  const tables = [...new Set(tests.map(({file}) => file))].flatMap((file) => {
    const language = languageOf(file.path);
    return language === null || file.after === null ? [] : namedTableTexts(maskSource(file.after, language));
  });
  return [...tests.map(({test}) => `${test.headText}\n${test.source.text}`), ...tables].join("\n");
}

function literalsOf(text: string): string[] {
  return [...new Set(text.match(/"[^"\n]{2,}"|'[^'\n]{2,}'|`[^`\n]{2,}`|\b\d{2,}\b/g) ?? [])];
}

/** The added tests of the whole change assert at least as much as the removed ones. */
function hasEnough(tests: readonly LocatedTest[], added: readonly LocatedTest[]): boolean {
  const weight = (list: readonly LocatedTest[]) =>
    list.flatMap(({test}) => test.assertions).reduce((sum, {strength}) => sum + strength, 0);
  return added.length > 0 && weight(added) >= weight(tests);
}

/**
 * The product's code changes and does not shrink, and no test was added or moved that could stand for the lost ones.
 */
function isPureLoss(tests: readonly LocatedTest[], change: InspectedChange): boolean {
  const {kept, added} = compareTests(change);
  const sources = change.files.filter(({path, basePath}) => isProductCode(path) || isProductCode(basePath));
  const grows =
    sources.length > 0 && sources.every(({before, after}) => (after ?? "").length >= (before ?? "").length * 0.98);
  const hasMoved =
    kept.some(({base, head}) => base.file !== head.file) || tests.some(({file}) => file.status === "renamed");
  return grows && added.length === 0 && !hasMoved && tests.every(({test}) => test.marks.size === 0);
}
