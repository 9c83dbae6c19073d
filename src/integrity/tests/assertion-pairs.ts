/** Pairs the assertions of a test before and after a change, and compares what each pair accepts. */
import type {FindingLevel} from "../../record/words.ts";
import {acceptsMore, comparesPart} from "./accepted-values.ts";
import {isEqualAssertion} from "./equal-assertions.ts";
import type {Assertion} from "./test-case.ts";
import {toleranceOf} from "./tolerances.ts";

/** How a test asserts less than before. */
export interface Weakening {
  readonly level: FindingLevel;
  readonly line: number;
  readonly what: string;
  /** true if the test is as strict as before, and only has other values (github.com/lukeed/flattie, commit 30a57eadd) */
  readonly isOtherValue?: true;
}

export interface AssertionPair {
  readonly before: Assertion;
  readonly after: Assertion;
}

/** The assertions of each side that the other side lacks, paired by subject, then in order. Guards count as a difference. */
export function pairAssertions(before: readonly Assertion[], after: readonly Assertion[]): AssertionPair[] {
  const gone = missing(before, after);
  let fresh = missing(after, before);
  const pairs: AssertionPair[] = [];
  for (const matches of [
    (one: Assertion, other: Assertion) => one.text === other.text,
    (one: Assertion, other: Assertion) => one.subject === other.subject,
    () => true,
  ])
    for (const one of gone) {
      if (pairs.some((pair) => pair.before === one)) continue;
      const other = fresh.find((candidate) => matches(one, candidate));
      if (other === undefined) continue;
      pairs.push({before: one, after: other});
      fresh = fresh.filter((candidate) => candidate !== other);
    }
  return pairs;
}

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

/** The first pair whose assertion accepts more than before; null if there is none. */
export function findLooserAssertion(pairs: readonly AssertionPair[]): Weakening | null {
  for (const {before, after} of pairs) {
    const isSameSubject = before.subject === after.subject;
    const isEqual = isEqualAssertion(before, after);
    if (after.isDetached && !before.isDetached)
      return {level: "flag", line: after.line, what: "does not wait for an assertion any more"};
    if (
      examinesPart(before.subject, after.subject) ||
      (after.text !== before.text && withoutParts(after) === before.text) ||
      comparesPart(before.text, after.text)
    )
      return {level: "flag", line: after.line, what: "examines less of a value than before"};
    if (fallsBack(after) && !fallsBack(before))
      return {level: "flag", line: after.line, what: "takes the expected value where there is none"};
    if (isSameSubject && before.isNegated !== after.isNegated && !isEqual)
      return {level: "flag", line: after.line, what: "asserts the opposite of what it asserted before"};
    if (
      after.strength < before.strength &&
      !isEqual &&
      (isRelated(before.subject, after.subject) ||
        isInside(before.subject, after.text) ||
        expectsTheSame(before, after) ||
        after.strength <= 1)
    )
      return {level: "flag", line: after.line, what: "has an assertion that accepts more values than before"};
    if (
      isSameSubject ||
      isRelated(before.subject, after.subject) ||
      isSameCall(before.text, after.text) ||
      expectsTheSame(before, after)
    )
      if (acceptsMore(before, after))
        return {level: "flag", line: after.line, what: "has an assertion that accepts more values than before"};
    const [tolerance, newTolerance] = [toleranceOf(before.text), toleranceOf(after.text)];
    if (tolerance !== null && newTolerance !== null && newTolerance > tolerance)
      return {level: "flag", line: after.line, what: "accepts a larger difference than before"};
    if (after.guards > before.guards && (isEqual || expectationOf(before) === expectationOf(after)))
      return {level: "flag", line: after.line, what: "reaches an assertion only under a condition"};
    if (before.text.startsWith("if") && conjuncts(after) > conjuncts(before))
      return {level: "flag", line: after.line, what: "fails only under a further condition"};
    if (isSameSubject && before.text.startsWith("await") && !after.text.startsWith("await"))
      return {level: "flag", line: after.line, what: "does not wait for an assertion any more"};
  }
  return null;
}

/** A default: an operator for a missing value, or the last argument of a call that reads one. */
const FALLBACK =
  /(?:(?:\b(?:get|getattr|getOrDefault|pop|next|setdefault|fetch|dig|unwrap_or|orElse|valueOr)\([^()]*,|\b(?:unwrap_or|orElse|valueOr)\()|\?\?|\|\||\)or)([\w.]+)\)*$/;

/** `assertEqual(row.get(key, value), value)`, `expect(read() ?? value).toBe(value)`. */
function fallsBack({text, subject}: Assertion): boolean {
  const [, fallback] = FALLBACK.exec(subject) ?? [];
  const rest = text.slice(text.indexOf(subject) + subject.length);
  return (
    fallback !== undefined &&
    new RegExp(String.raw`(?<![\w.])${fallback.replaceAll(".", "\\.")}\)*;?$`).test(rest) &&
    /[,=(]/.test(rest)
  );
}

/** What an assertion expects of its subject, also where the subject has a name now. */
const expectationOf = ({text, subject}: Assertion): string => text.replace(subject, "");

/** The value that was expected of another name for the same result: `matches!(result, Ok(_) | Err(Overflow))`. */
function expectsTheSame({text, subject}: Assertion, after: Assertion): boolean {
  const [, expected = ""] = /^,(.+)\)$/.exec(text.slice(text.indexOf(subject) + subject.length)) ?? [];
  return expected.length > 3 && /[\w"']/.test(expected) && after.text.includes(expected);
}

/** The same function with the same first argument or error, or a condition about the same value. */
function isSameCall(one: string, other: string): boolean {
  const head = one.split("(", 1)[0] ?? "";
  if (one.startsWith("if") && other.startsWith("if")) return firstArgument(one) === firstArgument(other);
  if (!other.startsWith(`${head}(`)) return false;
  const shared = [...one].findIndex((char, index) => char !== other[index]);
  return /(?:raises|throws?|rejects)\w*$/i.test(head) || shared > head.length + 6;
}

const firstArgument = (text: string): string => /\(!?\(?([\w.]+)/.exec(text)?.[1] ?? "";

/** `["a", "b"].includes(read(x))` after `read(x)`. */
const isInside = (subject: string, text: string): boolean => subject.length > 5 && text.includes(subject);

/** `len(x) != len(y)` after `x != y`. The text of what is expected leaves nothing of the subject out. */
const withoutParts = ({text, subject}: Assertion): string =>
  text.replace(/\b(set|len|bool|str|type|int|round|Boolean|String|typeof)\(([\w.]+)\)/g, (call, name, value, at) =>
    /^(?:str|String)$/.test(name) && at > text.indexOf(subject) && !subject.includes(call) ? call : value,
  );

/** `calls.length` after `calls`. */
const isRelated = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) > 3 && (one.includes(other) || other.includes(one)));

const PART =
  /^(?:newSet|Math\.\w+|Number\.?\w*|parseInt|parseFloat|list|tuple|next|hash|set|len|sorted|bool|str|type|any|all|round|int|abs|frozenset|Boolean|String|Object\.keys|Array\.isArray|typeof|reflect\.TypeOf)\(|\.(?:length|size|keys\(\)|lower\(\)|toLowerCase\(\)|len\(\)|length\(\)|trim\(\)|strip\(\)|sort\(\)|toUpperCase\(\)|is_(?:ok|some|err|none)\(\)|(?:slice|substring|substr|charAt|split|at|get|subList|equalsIgnoreCase)\([^()]*\))$|\[[^\]]*\]$/;

/** The subject is wrapped in something that loses a part of the value: `len(x)` after `x`. */
const examinesPart = (before: string, after: string): boolean =>
  before.length > 1 && after.length > before.length && after.includes(before) && PART.test(after) && !PART.test(before);

/** Go tests fail inside a condition: each further conjunct lets more values pass. */
const conjuncts = ({text}: Assertion): number => (text.startsWith("if") ? text.split("&&").length : 0);
