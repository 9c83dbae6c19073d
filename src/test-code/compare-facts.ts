/** Compares the facts about a test before and after a change: does it assert less? */
import type {Assertion, TestFacts} from "./facts.ts";

/** How a test asserts less than before. */
export interface Weakening {
  readonly level: "block" | "flag";
  readonly line: number;
  readonly what: string;
}

export interface AssertionPair {
  readonly before: Assertion;
  readonly after: Assertion;
}

/** Those of a list without a counterpart in the other one. The code around an assertion counts. */
export function missing(list: readonly Assertion[], other: readonly Assertion[]): Assertion[] {
  const counts = new Map<string, number>();
  const keyOf = ({text, guards, isDetached}: Assertion) => `${text} ${guards} ${isDetached}`;
  for (const one of other) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = counts.get(keyOf(one)) ?? 0;
    if (count > 0) counts.set(keyOf(one), count - 1);
    return count === 0;
  });
}

/** The assertions of each side that the other side lacks, paired by text, by subject, then in order. */
export function pairAssertions(before: readonly Assertion[], after: readonly Assertion[]): AssertionPair[] {
  let gone = missing(before, after);
  let fresh = missing(after, before);
  const pairs: AssertionPair[] = [];
  for (const matches of [
    (one: Assertion, other: Assertion) => one.text === other.text,
    (one: Assertion, other: Assertion) => one.subject === other.subject,
    () => true,
  ])
    for (const one of gone) {
      // One assertion may have become several of its subject, of which the strictest replaces it.
      const strictness = ({subject, strength, isNegated}: Assertion) =>
        subject === one.subject ? strength + (isNegated === one.isNegated ? 0.5 : 0) : 0;
      const candidates = fresh.filter((candidate) => matches(one, candidate));
      const other = candidates.toSorted((a, b) => strictness(b) - strictness(a))[0];
      if (other === undefined) continue;
      pairs.push({before: one, after: other});
      gone = gone.filter((candidate) => candidate !== one);
      fresh = fresh.filter((candidate) => candidate !== other);
    }
  return pairs;
}

/** What is certain from the two tests alone; null if nothing is. Whether lost assertions are elsewhere is decided outside. */
export function findWeakening(before: TestFacts, after: TestFacts): Weakening | null {
  const {line} = after;
  const couldFail = ({assertions}: TestFacts) => assertions.some(({strength}) => strength > 0);
  if (after.isEmpty && !before.isEmpty) return {level: "block", line, what: "has an empty body"};
  if (after.endsEarly && !before.endsEarly) return {level: "block", line, what: "returns before its assertions"};
  if (after.swallows > before.swallows) return {level: "flag", line, what: "catches the error of its own assertion"};
  if (couldFail(before) && after.assertions.length > 0 && !couldFail(after))
    return {level: "block", line, what: "has only assertions that cannot fail"};
  return findLooserAssertion(pairAssertions(before.assertions, after.assertions)) ?? findFewerValues(before, after);
}

function findLooserAssertion(pairs: readonly AssertionPair[]): Weakening | null {
  for (const pair of pairs) {
    const what = looserThan(pair);
    if (what !== null) return {level: "flag", line: pair.after.line, what};
  }
  return null;
}

function looserThan({before, after}: AssertionPair): string | null {
  const isSame = before.subject === after.subject;
  if (before.strength > 0 && after.strength === 0) return "has an assertion that cannot fail";
  if (after.isDetached && !before.isDetached) return "does not wait for an assertion any more";
  if (isSame && before.text.startsWith("await") && !after.text.startsWith("await"))
    return "does not wait for an assertion any more";
  if (isPart(before.subject, after.subject)) return "examines less of a value than before";
  if (isSame && before.isNegated !== after.isNegated && before.strength >= after.strength)
    return "asserts the opposite of what it asserted before";
  if (after.strength < before.strength && (isRelated(before, after) || after.strength <= 1))
    return "has an assertion that accepts more values than before";
  if (acceptsMore(before, after)) return "has an assertion that accepts more values than before";
  if (before.tolerance !== null && after.tolerance !== null && after.tolerance > before.tolerance)
    return "accepts a larger difference than before";
  if (before.tolerance === null && after.tolerance !== null && isRelated(before, after))
    return "accepts a larger difference than before";
  if (after.guards > before.guards && expectationOf(before) === expectationOf(after))
    return "reaches an assertion only under a condition";
  return before.text.startsWith("if ") && conjuncts(after) > conjuncts(before)
    ? "fails only under a further condition"
    : null;
}

/** What an assertion expects of its subject, also where the subject has a name now. */
const expectationOf = ({text, subject}: Assertion): string => text.replace(subject, "");

/** The same subject, one inside the other, or the same expected value. */
function isRelated(before: Assertion, after: Assertion): boolean {
  const [one, other] = [before.subject, after.subject];
  const isInside = Math.min(one.length, other.length) > 3 && (one.includes(other) || after.text.includes(one));
  const isWord = new RegExp(String.raw`(?<![\w.])${one.replace(/[^\w]/g, "\\$&")}(?![\w(])`).test(other);
  const expected = before.text.slice(before.text.indexOf(one) + one.length).match(/["'`].{2,}["'`]|\d{2,}/)?.[0];
  return (
    one === other ||
    isInside ||
    (/^\w+$/.test(one) && isWord) ||
    (expected !== undefined && after.text.includes(expected))
  );
}

/** The same kind of comparison with a part of what was expected, or a limit further out; no strict one any more. */
function acceptsMore(before: Assertion, after: Assertion): boolean {
  if (/strict/i.test(before.form) && before.form.replace(/strict/i, "").toLowerCase() === after.form.toLowerCase())
    return true;
  if (before.form !== after.form) return false;
  const [text, newText] = [textIn(before.text), textIn(after.text)];
  const isShorter = newText.length < text.length && (text.includes(newText) || !/\w/.test(newText));
  if (before.strength === 2 && isShorter && before.text.replace(text, "") === after.text.replace(newText, ""))
    return true;
  if (before.subject !== after.subject) return false;
  const [old, now] = [expectationOf(before), expectationOf(after)];
  const [values, newValues] = [numbersIn(old), numbersIn(now)];
  const isLimit = /[<>]|greater|less|atLeast|atMost|plan$|assertions$/i.test(before.form);
  if (isLimit && values.length === 1 && newValues.length === 1) {
    const isUpper = /<|less|atMost/i.test(before.form) !== before.text.startsWith("if ");
    const [from = 0, to = 0] = [...values, ...newValues];
    return isUpper ? to > from : to < from;
  }
  return false;
}

/** The contents of the last string or pattern. */
const textIn = (text: string): string => [...text.matchAll(/(["'`/])(.*?)\1/g)].at(-1)?.[2] ?? "";

const numbersIn = (text: string): number[] =>
  (text.match(/-?\d[\d_.]*/g) ?? []).map((one) => Number(one.replaceAll("_", "")));

/** Words that keep a part of a value: its length, its kind, or whether there is one. */
const KEEPS_PART = new Set(
  "len length size count bool boolean type typeof keys set frozenset sorted sort abs round floor trunc ceil int parseInt lower toLowerCase upper toUpperCase trim strip slice substring charAt at first any all isArray is_ok is_some is_err is_none next hash str String Number equalsIgnoreCase EqualFold ToLower TypeOf".split(
    " ",
  ),
);

/** `calls.length` or `len(calls)` after `calls`. */
function isPart(before: string, after: string): boolean {
  if (before.length < 2 || after.length <= before.length || !after.includes(before)) return false;
  const rest = after.replace(before, " ");
  return (rest.match(/\w+/g) ?? []).some((word) => KEEPS_PART.has(word)) || /^ \[[^\]]*\]$/.test(rest);
}

/** Go tests fail inside a condition: each further conjunct lets more values pass. */
const conjuncts = ({text}: Assertion): number => (text.startsWith("if ") ? text.split("&&").length : 0);

function findFewerValues(before: TestFacts, after: TestFacts): Weakening | null {
  const weakening = (what: string): Weakening => ({level: "flag", line: after.line, what});
  if (EXPECTED.test(before.markText) && after.marks.has("expected-failure") && !EXPECTED.test(after.markText))
    return weakening("accepts every failure, not only the expected one");
  if (after.loops.some((loop, at) => isSelection(before.loops[at] ?? "", loop)))
    return weakening("runs over a part of its values only");
  const isLonger = after.assertions.length > before.assertions.length || after.rows > before.rows;
  if (after.bailOuts > before.bailOuts && !isLonger) return weakening("leaves out its assertions for some values");
  if (hasSmallerLoop(before.loops, after.loops)) return weakening("runs its loop over fewer values");
  return null;
}

/** The failure that a mark expects. */
const EXPECTED = /\bexpected\s*=\s*(?:"|(?!Exception\b|Throwable\b)\w+\.class)|\braises\s*=/;

/** `rows.filter(…)`, `rows[:2]` after `rows`. */
function isSelection(before: string, after: string): boolean {
  if (before === "" || before === after) return false;
  // A table of values may be longer than a pattern can be (github.com/pillarjs/path-to-regexp, commit e796ace0d).
  const isName = after.split(before).some((part, at, all) => {
    const next = all[at + 1];
    return next !== undefined && !/[\w"'`/.]$/.test(part) && !/^[\w"'`/]/.test(next);
  });
  if (!isName) return false;
  return /\b(?:filter|slice|islice|take|skip|step_by|splice|if)\b|\[[^\]]*(?::|\.\.)/.test(after.replace(before, ""));
}

/** The same loop with smaller numbers. */
function hasSmallerLoop(before: readonly string[], after: readonly string[]): boolean {
  const shape = (loop: string) => loop.replace(/\d[\d_]*/g, "0");
  return before.some((loop, at) => {
    const now = after[at] ?? "";
    const [old, fresh] = [numbersIn(loop), numbersIn(now)];
    const isCount = /range\(|\.\.|[<>]/.test(loop) && before.length === after.length && shape(loop) === shape(now);
    return isCount && fresh.every((one, index) => one <= (old[index] ?? 0)) && loop !== now;
  });
}
