/** Check: tests of the base that the candidate does not have any more. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {readSource, readTests} from "../../test-code/read-source.ts";
import {compareTests, type LocatedTest, namesOfTests} from "../changed-tests/compare-tests.ts";
import {hasRemovedSubject, isOfLessCode} from "../changed-tests/test-subject.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";

export const removedTests: IntegrityCheck = {
  name: "removed-tests",
  find(change) {
    const {removed} = compareTests(change);
    const added = addedTests(change);
    const unexplained = removed.filter((one) => !hasRemovedSubject(one, change) && !isCovered(one, change));
    return [...groupBy(unexplained, ({file}) => file)].map(([file, tests]) => {
      const newTests = added.filter((one) => one.file === file).length;
      const isReplaced = newTests >= tests.length || hasEnough(tests, added);
      const names = tests.slice(0, 3).map(({test}) => `\`${test.id}\``);
      const more = tests.length > 3 ? ` and ${tests.length - 3} more` : "";
      const what = tests.length === 1 ? "Test" : `${tests.length} tests`;
      return {
        check: "removed-tests",
        level: isReplaced || isOfLessCode(file, change) ? "note" : isPureLoss(tests, change) ? "block" : "flag",
        path: file.status === "deleted" ? file.basePath : file.path,
        line: null,
        message: `${what} removed or no longer collected: ${names.join(", ")}${more}`,
        fix: "Restore the tests, or remove the code that they test in the same change.",
        tests: namesOfTests(tests),
      } satisfies IntegrityFinding;
    });
  },
};

/** The added tests that could stand for removed ones: an empty test, or one that cannot fail, does not. */
const addedTests = (change: InspectedChange): LocatedTest[] =>
  compareTests(change).added.filter(
    ({test: {isEmpty, assertions}}) =>
      !isEmpty && (assertions.length === 0 || assertions.some(({strength}) => strength > 0)),
  );

const VALUES = /"[^"\n]+"|'[^'\n]+'|`[^`\n]+`|\b\d+\b/g;

/** Most values of the removed test are in changed tests and their tables: it became a row, or a part of another test. */
function isCovered({file, test}: LocatedTest, change: InspectedChange): boolean {
  const found = test.text.replace(test.name, "_").match(VALUES) ?? [];
  const values = [...new Set(found.map((value) => value.replace(/^["'`]|["'`]$/g, "")))].filter(
    (value) => value !== "_",
  );
  if (values.length === 0 || test.assertions.length === 0 || isStillThere(test, file)) return false;
  const {kept, added} = compareTests(change);
  const isLarger = ({base, head}: (typeof kept)[number]) =>
    head.test.rows > base.test.rows || head.test.assertions.length > base.test.assertions.length;
  const tests = [...added, ...kept.flatMap((pair) => (isLarger(pair) ? [pair.head] : []))];
  const texts = tests.map((one) => `${one.test.headText}\n${one.test.text}`);
  const text = [...texts, ...new Set(tests.map((one) => tablesOf(one.file))), tablesOf(file)].join("\n");
  return values.filter((value) => text.includes(value)).length / values.length >= 0.7;
}

/** The test's lines are all still there, so only its name or its mark has changed: no runner collects it any more. */
function isStillThere({text}: LocatedTest["test"], file: InspectedFile): boolean {
  const body = text.slice(text.indexOf("\n") + 1).trimEnd();
  return body.includes("(") && text.includes("\n") && outsideOfTests(file).includes(body);
}

function outsideOfTests({path, after}: InspectedFile): string {
  return readTests(path, after).reduce((rest, {text}) => rest.replace(text, ""), after ?? "");
}

/** What is outside of the tests of a file that runs its tests over lists, or makes them. */
function tablesOf(file: InspectedFile): string {
  const {hasTables} = readSource(file.path, file.after);
  return !hasTables && !REPEATS.test(file.after ?? "") ? "" : outsideOfTests(file);
}

/** A macro, or a table that is an argument of each group. */
const REPEATS = /\bmacro_rules!|\.(?:each|macro)\b|@\w+Source\b/;

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
  const {kept} = compareTests(change);
  const sources = change.files.filter(({path, basePath}) => isProductCode(path) || isProductCode(basePath));
  const grows =
    sources.length > 0 && sources.every(({before, after}) => (after ?? "").length >= (before ?? "").length * 0.98);
  const hasMoved =
    kept.some(({base, head}) => base.file !== head.file) || tests.some(({file}) => file.status === "renamed");
  return grows && addedTests(change).length === 0 && !hasMoved && tests.every(({test}) => test.marks.size === 0);
}
