/** Check: existing tests that assert less than before. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {
  type AssertionPair,
  findLooserAssertion,
  missing,
  pairAssertions,
  type Weakening,
} from "../tests/assertion-pairs.ts";
import {compareTests, type LocatedTest, namesOfTests} from "../tests/compare-tests.ts";
import {functionOf, isEqualAssertion} from "../tests/equal-assertions.ts";
import {callsNewHelper} from "../tests/new-helper-calls.ts";
import {withOtherInput} from "../tests/other-inputs.ts";
import {readHelpers} from "../tests/read-tests.ts";
import {withoutSetUpErrors} from "../tests/set-up-errors.ts";
import {conversionsIn, isSupport} from "../tests/support-code.ts";
import type {Assertion, InspectedTest} from "../tests/test-case.ts";
import {hasRemovedSubject} from "../tests/test-subject.ts";
import {findFewerValues, type TestPair} from "./fewer-values.ts";
import {findSmallerTables, LITERALS} from "./smaller-tables.ts";

const FIX = "Restore the assertion, or assert the new behavior as precisely as before.";

export const weakenedTests: IntegrityCheck = {
  name: "weakened-tests",
  find(change) {
    const {kept} = compareTests(change);
    const changedSources = change.files.some(({path, basePath}) => isProductCode(path) || isProductCode(basePath));
    const smallerTables = change.files.flatMap((file) => findSmallerTables(file, change));
    const weakened = kept.flatMap(({base, head}) => {
      if (shownText(base) === shownText(head)) return [];
      const weakening = findWeakening({base, head, change, changedSources});
      if (weakening === null) return [];
      const {level, line, what, isOtherValue = false} = weakening;
      return [
        {
          ...{check: "weakened-tests", level, path: head.file.path, line, fix: FIX},
          message: `Test \`${head.test.id}\` ${what}`,
          tests: isOtherValue ? [] : namesOfTests([base]),
        } satisfies IntegrityFinding,
      ];
    });
    const helpers = change.files.flatMap((file) => weakenedHelpers(file, change));
    return [...weakened, ...helpers, ...smallerTables];
  },
};

/** Stand-ins in generated code panic for a call that nobody expected. */
const isOfTest = ({text}: Assertion): boolean => !text.startsWith("panic(");

/** What a helper asserts less, all tests that call it assert less. */
function weakenedHelpers(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  const isInline = path.endsWith(".rs") && before?.includes("#[cfg(test)]") === true;
  if (before === null || after === null || before === after || !(isSupport(file) || isInline)) return [];
  const from = isSupport(file) ? 0 : before.slice(0, before.indexOf("#[cfg(test)]")).split("\n").length;
  const [bases, heads] = [readHelpers(basePath, before).filter(({line}) => line >= from), readHelpers(path, after)];
  return bases.flatMap((helper) => {
    const head = sameHelper(helper, bases, heads);
    if (!helper.assertions.some(isOfTest) || head === undefined || head.source.text === helper.source.text) return [];
    const pair = {base: {file, test: helper}, head: {file, test: head}, change, changedSources: true};
    const found = findWeakening(pair);
    const weakening =
      found === null || found.level === "note"
        ? (comparesLess(helper, head) ?? comparesConverted(helper, head))
        : found;
    if (weakening === null) return [];
    const message = `\`${helper.name}\`, which asserts for tests, ${weakening.what}`;
    return [
      {
        check: "weakened-tests",
        level: weakening.level,
        path,
        line: weakening.line,
        message,
        fix: FIX,
      } satisfies IntegrityFinding,
    ];
  });
}

/**
 * With as many assertions, which accept more, also about another part of the value; or with a weaker one in front of
 * the others, after which it returns.
 */
function comparesLess(before: InspectedTest, after: InspectedTest): Weakening | null {
  const weights = ({assertions}: InspectedTest): number[] => assertions.map(({strength}) => strength);
  const sum = (test: InspectedTest) => weights(test).reduce((total, strength) => total + strength, 0);
  const isLess = sum(after) < sum(before) && after.assertions.length === before.assertions.length;
  const isShort = after.bailOuts > before.bailOuts && Math.min(...weights(after)) < Math.min(...weights(before));
  return isLess || isShort
    ? {level: "flag", line: after.line, what: "has an assertion that accepts more values than before"}
    : null;
}

function comparesConverted(before: InspectedTest, after: InspectedTest): Weakening | null {
  const count = ({source}: InspectedTest) => conversionsIn(source.code);
  if (count(after) <= count(before) || after.assertions.length > before.assertions.length) return null;
  return {
    level: "flag",
    line: after.line,
    what: "compares converted values now, which can be equal without being the same",
  };
}

/** Several types may have a method of the same name. If one more is defined, the last one may hide the others. */
function sameHelper(
  helper: InspectedTest,
  bases: readonly InspectedTest[],
  heads: readonly InspectedTest[],
): InspectedTest | undefined {
  const [before, after] = [bases, heads].map((all) => all.filter(({name}) => name === helper.name));
  return before?.length === after?.length ? after?.[before?.indexOf(helper) ?? 0] : after?.at(-1);
}

const shownText = ({test}: LocatedTest): string => `${test.markText}\0${test.rows}\0${test.source.text}`;

function findWeakening(pair: TestPair): Weakening | null {
  const {base, head} = pair;
  const [before, after] = [base.test, head.test];
  const {line} = after;
  const couldFail = before.assertions.some(({strength}) => strength > 0);
  if (after.isEmpty && !before.isEmpty) return {level: "block", line, what: "has an empty body"};
  if (after.endsEarly && !before.endsEarly) return {level: "block", line, what: "returns before its assertions"};
  const swallows = swallowedErrors(after) > swallowedErrors(before);
  if (swallows) return {level: "flag", line, what: "catches the error of its own assertion"};
  if (onlyIfThrown(after) && !onlyIfThrown(before))
    return {level: "flag", line, what: "has assertions that run only if something is thrown"};
  const stillFails = after.assertions.some(({strength}) => strength > 0);
  if (couldFail && !stillFails && after.assertions.length > 0)
    return {level: "block", line, what: "has only assertions that cannot fail"};
  const asserted = withoutSetUpErrors(base, head);
  const pairs = pairAssertions(asserted, after.assertions);
  const tautology = pairs.find((one) => one.before.strength > 0 && one.after.strength === 0);
  if (tautology !== undefined)
    return {level: "flag", line: tautology.after.line, what: "has an assertion that cannot fail"};
  return (
    findLostAssertion(pair, asserted, pairs) ??
    findLooserAssertion(pairs) ??
    findFewerValues(pair) ??
    findOtherInput(pairs, pair) ??
    findShorterWait(pair) ??
    findChangedValue(pair, pairs) ??
    findOtherEdit(pair)
  );
}

/** Values in the set-up, rows of tables and calls decide what the assertions see. */
function findOtherEdit({base, head}: TestPair): Weakening | null {
  const literals = (test: InspectedTest) => literalsOf(test).toSorted().join();
  if (literals(base.test) === literals(head.test)) return null;
  const gone = literalsOf(base.test).filter((value) => !head.test.source.text.includes(value));
  return gone.length === 0 ? null : {level: "note", line: head.test.line, what: "uses other values than before"};
}

function findLostAssertion(
  {base, head, change}: TestPair,
  asserted: readonly Assertion[],
  pairs: readonly AssertionPair[],
): Weakening | null {
  const [before, after] = [base.test, head.test];
  const lost = missing(asserted, after.assertions).length - pairs.length;
  if (lost <= 0 || hasRemovedSubject(base, change)) return null;
  const isMoved = callsNewHelper(base, head) || becameLoop(before, after) || isInOtherTests(before, after, change);
  if (isMoved) return null;
  const what =
    after.assertions.length === 0
      ? "has no assertion any more"
      : `has ${lost} ${lost === 1 ? "assertion" : "assertions"} fewer`;
  return {level: "flag", line: after.line, what};
}

/** Repeated assertions became a loop over their values, or a table of them. */
function becameLoop(before: InspectedTest, after: InspectedTest): boolean {
  const isLoop = (test: InspectedTest) => /\b(?:for|forEach|each)\b/.test(test.source.code);
  const isTable = after.rows > before.rows && /\bparametrize\b/.test(after.headText);
  if (isLoop(before) || !(isLoop(after) || isTable) || after.rows < 2) return false;
  const text = `${after.headText}${after.source.text}`;
  const share = (literals: readonly string[]) =>
    literals.filter((value) => text.includes(value)).length / literals.length;
  // With at least as many rows, the expected value may be another one.
  const isLonger = after.rows >= before.assertions.length;
  return !(share(literalsOf(before)) < 0.7) || (isLonger && share([...new Set(literalsOf(before))]) >= 0.6);
}

const literalsOf = ({source}: InspectedTest): string[] => source.text.match(LITERALS) ?? [];

/** Another expected value is normal if the product's code changes too; without that, the test was bent to the code. */
function findChangedValue({base, head, changedSources}: TestPair, pairs: readonly AssertionPair[]): Weakening | null {
  const pair = pairs.find(
    ({before, after}) =>
      (valuesOf(before) !== valuesOf(after) || isReordered(before, after)) &&
      before.subject === after.subject &&
      !isEqualAssertion(before, after),
  );
  if (pair === undefined) return null;
  // An error or a warning has to say something too: `throws(f, {name: "SyntaxError", message: …})` after `throws(f, SyntaxError)`.
  const words = (pair.before.text.match(/[\w$]+/g) ?? []).filter((word) => !CHAIN.test(word));
  const isStricter =
    pair.after.text.length > pair.before.text.length && words.every((one) => pair.after.text.includes(one));
  if (/(?:raises|warns|throws?)\w*\(/i.test(pair.before.text) && isStricter) return null;
  const values = pair.before.text.match(LITERALS) ?? [];
  if (pair.after.strength > pair.before.strength && values.every((value) => pair.after.text.includes(value)))
    return null;
  // The values are rows of a table now.
  if (head.test.rows > base.test.rows && values.every((value) => shownText(head).includes(value))) return null;
  const isSameFunction = functionOf(pair.before) === functionOf(pair.after);
  const what = isSameFunction ? "expects a different value than before" : "asserts something else than before";
  return {level: changedSources ? "note" : "flag", line: pair.after.line, what, isOtherValue: true};
}

/** The same assertion with the same values in another order. */
function isReordered(before: Assertion, after: Assertion): boolean {
  const shape = ({text}: Assertion) => text.replace(LITERALS, "");
  const values = ({text}: Assertion) => (text.match(LITERALS) ?? []).join();
  return shape(before) === shape(after) && values(before) !== values(after);
}

function findOtherInput(pairs: readonly AssertionPair[], {base, head, change}: TestPair): Weakening | null {
  const pair = head.test.rows > base.test.rows ? undefined : withOtherInput(pairs, change);
  if (pair === undefined) return null;
  return {level: "flag", line: pair.after.line, what: "does not examine an earlier input any more", isOtherValue: true};
}

/** With less time, a fault of the code can no longer show. Without a change of the code, the test is only faster. */
function findShorterWait({base, head, changedSources}: TestPair): Weakening | null {
  const [old, now] = [waitsIn(base.test), waitsIn(head.test)];
  const isShorter = (from: string, to: string) =>
    to !== from && (/^\s*[/*]/.test(to.startsWith(from) ? to.slice(from.length) : "") || Number(to) < Number(from));
  if (!changedSources || old.length !== now.length || !old.some((from, at) => isShorter(from, now[at] ?? "")))
    return null;
  return {level: "flag", line: head.test.line, what: "waits for a shorter time than before"};
}

const waitsIn = ({source}: InspectedTest): string[] =>
  [...source.code.matchAll(/\b(?:sleep|setTimeout|delay|Sleep)\(([^()]*)\)/g)].map(([, time = ""]) => time.trim());

/** The words of the assertion itself, which another library writes in another way. */
const CHAIN = /^(?:expect|assert|to|be|an?|throws?|rejects?|toThrow\w*|rejectedWith|thrown?)$/;

/** Only the values: `assert.equal(a, 1)` and `expect(a).toBe(1)` expect the same. */
function valuesOf({text}: Assertion): string {
  return (text.match(LITERALS) ?? []).toSorted().join();
}

const SWALLOWS =
  /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\bexcept\b[^:\n]*:\s*(?:pass|return|\.\.\.)|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:(?:\{\s*\}|undefined|null)\s*\)|\{?\s*(?:expect|assert)\b)|\bexcept\s*(?:AssertionError|BaseException)?\s*:|\bcontextlib\.suppress\([^()]*\b(?:Exception|AssertionError|BaseException)\b|\bcatch_unwind\b|\brunCatching\s*\{|\b(?:raises|assertRaises)\(AssertionError\b|\bassertThrows\(Assertion\w*\.class|\bdefer\s+func\(\)\s*\{\s*(?:_\s*=\s*)?recover\(\)/g;

const IN_HANDLER =
  /\bcatch\s*(?:\([^)]*\))?\s*\{[^{}]*?\b(?:assert\w*|expect)\b|\bexcept\b[^:\n]*:\s*(?:self\.)?assert/;
/** What fails where nothing is thrown. */
const FAILS = /\b(?:fail\w*|throw|raise|unreachable|assertions|hasAssertions)\b|\belse:/;

/** Where nothing is thrown, the test passes without its assertions. */
const onlyIfThrown = ({source}: InspectedTest): boolean => IN_HANDLER.test(source.code) && !FAILS.test(source.code);

function swallowedErrors({source}: InspectedTest): number {
  return source.code.match(SWALLOWS)?.length ?? 0;
}

/** Most of the lost assertions are in other tests of the change: the test was divided. */
function isInOtherTests(before: InspectedTest, after: InspectedTest, change: InspectedChange): boolean {
  const lost = missing(before.assertions, after.assertions);
  const addedAssertions = new Set(
    compareTests(change).added.flatMap(({test}) => test.assertions.map(({text}) => text)),
  );
  return lost.filter((one) => addedAssertions.has(one.text)).length * 2 >= lost.length;
}
