/** Check: existing tests that assert less than before. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {FindingLevel} from "../../record/words.ts";
import {type AssertionPair, findWeakening, missing, pairAssertions} from "../../test-code/compare-facts.ts";
import type {TestFacts} from "../../test-code/facts.ts";
import {mayHaveTests, readSource} from "../../test-code/read-source.ts";
import {
  callsNewHelper,
  compareTests,
  type KeptTest,
  type LocatedTest,
  namesOfTests,
} from "../changed-tests/compare-tests.ts";
import {isSupport} from "../changed-tests/support-code.ts";
import {hasRemovedSubject, isOfLessCode} from "../changed-tests/test-subject.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isSourceOnly} from "../source/kinds.ts";

const FIX = "Restore the assertion, or assert the new behavior as precisely as before.";

interface FoundWeakening {
  readonly level: FindingLevel;
  readonly line: number;
  readonly what: string;
  /** true if the test is as strict as before, and only has other values (github.com/lukeed/flattie, commit 30a57eadd) */
  readonly isOtherValue?: true;
}

export const weakenedTests: IntegrityCheck = {
  name: "weakened-tests",
  find(change) {
    const {kept} = compareTests(change);
    const weakened = kept.flatMap((pair) => {
      const found = weakeningOf(pair, change);
      if (found === null) return [];
      const {level, line, what, isOtherValue} = found;
      const {file, test} = pair.head;
      const message = `Test \`${test.id}\` ${what}`;
      const tests = isOtherValue ? [] : namesOfTests([pair.base]);
      return [
        {check: "weakened-tests", level, path: file.path, line, message, fix: FIX, tests} satisfies IntegrityFinding,
      ];
    });
    return [...weakened, ...change.files.flatMap((file) => weakenedHelpers(file, change))];
  },
};

const shownText = ({test}: LocatedTest): string => `${test.markText}\0${test.rows}\0${test.loops.join()}\0${test.text}`;

function weakeningOf(pair: KeptTest, change: InspectedChange): FoundWeakening | null {
  const {base, head} = pair;
  if (pair.isSame || shownText(base) === shownText(head)) return null;
  return (
    findWeakening(base.test, head.test) ??
    findLostAssertion(pair, change) ??
    findFewerRows(pair, change) ??
    findChangedValue(pair, change)
  );
}

/** What a helper asserts less, all tests that call it assert less. */
function weakenedHelpers(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  const isInline = path.endsWith(".rs") && mayHaveTests(basePath, before) && before !== after;
  if (!isSupport(file) && !isInline) return [];
  const isHelper = ({id}: TestFacts) => !isInline || id.includes(" > ");
  const [bases, heads] = [
    readSource(basePath, before).units.filter(isHelper),
    readSource(path, after).units.filter(isHelper),
  ];
  const known = new Set(bases.map(({name}) => name));
  const hollow = heads.find((helper) => !known.has(helper.name) && assertsNothing(helper));
  const found = bases.flatMap((helper) => {
    const head = sameHelper(helper, {bases, heads, path});
    if (
      head === undefined ||
      head.headText + head.text === helper.headText + helper.text ||
      helper.assertions.length + helper.rows === 0
    )
      return [];
    const pair = {base: {file, test: helper}, head: {file, test: head}, isSame: false};
    const loss = findWeakening(helper, head) ?? findLostAssertion(pair, change) ?? findFewerRows(pair, change);
    if (loss === null) return [];
    const {level, line, what} = loss;
    const message = `\`${helper.name}\`, which asserts for tests, ${what}`;
    return [{check: "weakened-tests", level, path, line, message, fix: FIX} satisfies IntegrityFinding];
  });
  if (hollow === undefined) return found;
  const message = `\`${hollow.name}\` replaces an assertion, and asserts nothing`;
  return [...found, {check: "weakened-tests", level: "flag", path, line: hollow.line, message, fix: FIX}];
}

/** A helper with the name of an assertion that calls nothing else. */
const assertsNothing = ({name, assertions, calls}: TestFacts): boolean =>
  /^(?:assert|expect)/i.test(name) && assertions.length === 0 && [...calls].every((called) => called === name);

/**
 * Several types may have a method of the same name. If one more is defined, it hides the others in languages in which a
 * later definition replaces an earlier one.
 */
function sameHelper(
  helper: TestFacts,
  {bases, heads, path}: {bases: readonly TestFacts[]; heads: readonly TestFacts[]; path: string},
): TestFacts | undefined {
  const [before = [], after = []] = [bases, heads].map((all) => all.filter(({name}) => name === helper.name));
  const isHidden = before.length !== after.length && REDEFINES.test(path);
  return isHidden ? after.at(-1) : after[before.indexOf(helper)];
}

const REDEFINES = /\.(?:[cm]?[jt]sx?|py|rb)$/;

function findLostAssertion(pair: KeptTest, change: InspectedChange): FoundWeakening | null {
  const {base, head} = pair;
  const [before, after] = [base.test, head.test];
  const gone = missing(before.assertions, after.assertions).filter((one) => !SET_UP.test(one.text));
  const lost = gone.length - missing(after.assertions, before.assertions).length;
  // Repeated assertions became rows of a table.
  const isInRows = after.rows - before.rows >= lost && after.rows > 1;
  if (lost <= 0 || isInRows || hasRemovedSubject(base, change)) return null;
  if (callsNewHelper(base, head) || isInOtherTests(gone, change)) return null;
  const what =
    after.assertions.length === 0
      ? "has no assertion any more"
      : `has ${lost} ${lost === 1 ? "assertion" : "assertions"} fewer`;
  return {level: isOfLessCode(base.file, change) ? "note" : "flag", line: after.line, what};
}

/** Go: something that the test needs could not be prepared. */
const SET_UP = /^if err!=nil/;

/** Most of the lost assertions are in other tests of the change: the test was divided. */
function isInOtherTests(lost: TestFacts["assertions"], change: InspectedChange): boolean {
  const added = new Set(compareTests(change).added.flatMap(({test}) => test.assertions.map(({text}) => text)));
  return lost.filter((one) => added.has(one.text)).length * 2 >= lost.length;
}

function findFewerRows({base, head}: KeptTest, change: InspectedChange): FoundWeakening | null {
  const lost = base.test.rows - head.test.rows;
  const calls = [...base.test.calls].filter((name) => !NO_SUBJECT.test(name));
  const isElsewhere =
    head.test.assertions.length > base.test.assertions.length ||
    compareTests(change).added.some(({test}) => calls.length === 0 || calls.some((name) => test.calls.has(name)));
  if (lost <= 0 || isElsewhere || hasRemovedSubject(base, change) || callsNewHelper(base, head)) return null;
  return {level: "flag", line: head.test.line, what: `runs over ${lost} ${lost === 1 ? "value" : "values"} fewer`};
}

/** Calls that tests of anything make. */
const NO_SUBJECT =
  /^(?:expect|assert\w*|to[A-Z]\w*|Is|As|\w*Equals?|Errorf?|Fatalf?|Run|len|str|is|ok|raises|throws?|range)$/;

/** Another expected value is normal if the product's code changes too; without that, the test was bent to the code. */
function findChangedValue({base, head}: KeptTest, {files}: InspectedChange): FoundWeakening | null {
  const pair = pairAssertions(base.test.assertions, head.test.assertions).find(
    ({before, after}) =>
      before.subject === after.subject &&
      !/throw|raise|reject/i.test(before.form) &&
      isOther(valuesOf(before), valuesOf(after)),
  );
  if (pair === undefined) return null;
  const changedSources = files.some(({path, basePath}) => isSourceOnly(path) || isSourceOnly(basePath));
  const isSameForm = pair.before.form === pair.after.form;
  const what = isSameForm ? "expects a different value than before" : "asserts something else than before";
  // Tests of a library's messages quote its calls (github.com/shouldly/shouldly, commit 3c566ad43).
  const isNote = changedSources || !isCodePath(head.file.path);
  return {level: isNote ? "note" : "flag", line: pair.after.line, what, isOtherValue: true};
}

/** Without the place of a value in a row: `row[2]` of a table that the assertion now goes through. */
const valuesOf = ({text, subject}: AssertionPair["before"]): string[] =>
  text
    .slice(text.lastIndexOf(subject) + subject.length)
    .match(/"[^"]*"|'[^']*'|`[^`]*`|(?<![\w)\]]\[)\d[\w.]*|\b(?:true|false|null|undefined|None|True|False|nil)\b/g) ??
  [];
const isOther = (before: readonly string[], after: readonly string[]): boolean =>
  before.length > 0 && after.length > 0 && before.join() !== after.join();
