/** Finds the tests that a change adds or edits, and the files that they need. */

import {languageOf} from "../../test-code/text/languages.ts";
import {closingBracket, lineAt, maskSource} from "../../test-code/text/mask.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isTestData, isTestPath} from "../source/kinds.ts";
import {compareTests, type LocatedTest} from "./compare-tests.ts";

/** A test by its file in the commit, the groups around it, outermost first, and its own name. */
export interface SourceTest {
  readonly path: string;
  readonly groups: readonly string[];
  readonly name: string;
}

export interface ChangedTest extends SourceTest {
  readonly line: number;
  readonly lastLine: number;
  readonly isNew: boolean;
  /** true if it is skipped, always or under a condition: then its absence among the failures shows nothing */
  readonly mayBeSkipped: boolean;
  /** true if `name` is code, as in `test(row.title, …)`: a runner prints another name */
  readonly hasComputedName: boolean;
}

/** Tests that are new or have another body. */
export function changedTests(change: InspectedChange): ChangedTest[] {
  const {added, kept} = compareTests(change);
  const editedTests = kept.filter(({base, head}) => wordsOf(base) !== wordsOf(head)).map(({head}) => head);
  return [
    ...added.map((test) => toChangedTest(test, true)),
    ...editedTests.map((test) => toChangedTest(test, false)),
  ].filter(({path}) => !isGenerated(path));
}

/** With its decorators, which may have the table of its values. A change of the formatting is not an edit. */
const wordsOf = ({test}: LocatedTest): string => `${test.headText}${test.text}`.replace(/[\s,;]+/g, "");

function toChangedTest({file, test}: LocatedTest, isNew: boolean): ChangedTest {
  return {
    path: file.path,
    groups: groupsOf(test),
    name: test.name,
    line: test.line,
    lastLine: test.lastLine,
    isNew,
    mayBeSkipped: test.marks.size > 0,
    hasComputedName: hasComputedName({file, test}),
  };
}

function hasComputedName({file, test: {name, text}}: LocatedTest): boolean {
  // The name of the call may be the test's name, too.
  const quote = text.charAt(text.indexOf(name, text.search(/[(`]/) + 1) - 1);
  return languageOf(file.path)?.name === "javascript" && !/["'`\s]/.test(quote);
}

/** The titles of the groups around a test, as a runner selects them. */
export const groupsOf = ({id}: Pick<LocatedTest["test"], "id">): string[] =>
  id
    .replace(/ #\d+$/, "")
    .split(" > ")
    .slice(0, -1);

/** True for a test or its data. To run new tests on the base, the changed version of such a file is copied there. */
export function isTestFile({path}: Pick<InspectedFile, "path">): boolean {
  return (
    isTestPath(path) || isOtherTest(path) || isTestData(path) || /(?:^|\/)(?:tests?|__tests__|specs?)\//.test(path)
  );
}

/** Documents and other files that no test can notice. */
const NO_SOURCE =
  /\.(?:md|mdx|rst|txt|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG|CHANGES|NEWS|AUTHORS)[^/]*$|(?:^|\/)\.github\//i;

/** True if the change alters more than tests and documents. A Rust source with changed tests only is not altered. */
export function altersSources(change: InspectedChange): boolean {
  return change.files.some((file) => {
    if (isTestFile(file) || NO_SOURCE.test(file.path)) return false;
    const [before, after] = [withoutInlineTests(file.path, file.before), withoutInlineTests(file.path, file.after)];
    return before === null || after === null || before !== after;
  });
}

const INLINE_TESTS = /#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{/g;

/** The text with the candidate's test modules in place of the base's; null if the candidate has none. */
export function withInlineTestsOf({path, before, after}: InspectedFile): string | null {
  if (before === null || after === null || before === after) return null;
  const [base, candidate] = [inlineTests(path, before), inlineTests(path, after)];
  if (candidate.length === 0) return null;
  const addedTests = candidate.map(({from, to}) => after.slice(from, to)).join("\n\n");
  const text = `${withoutInlineTests(path, before)?.trimEnd() ?? ""}\n\n${addedTests}\n`;
  return base.length === candidate.length && text === before ? null : text;
}

function withoutInlineTests(path: string, text: string | null): string | null {
  if (text === null) return null;
  return inlineTests(path, text).reduceRight((rest, {from, to}) => rest.slice(0, from) + rest.slice(to), text);
}

function inlineTests(path: string, text: string): {from: number; to: number}[] {
  const language = languageOf(path);
  if (language?.name !== "rust" || !text.includes("cfg(test)")) return [];
  const source = maskSource(text, language);
  return [...source.code.matchAll(INLINE_TESTS)].map((match) => ({
    from: match.index,
    to: closingBracket(source.code, match.index + match[0].length - 1) + 1,
  }));
}

/** The lines of the Rust tests inside a source file; such lines are not product code. */
export function inlineTestLines(path: string, text: string): {from: number; to: number}[] {
  const language = languageOf(path);
  if (language === null) return [];
  const source = maskSource(text, language);
  return inlineTests(path, text).map(({from, to}) => ({from: lineAt(source, from), to: lineAt(source, to)}));
}
