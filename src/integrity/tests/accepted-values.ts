/** Compares what two assertions about the same value accept: matchers, errors, texts and parts of values. */
import type {Assertion} from "./test-case.ts";

/** A matcher, and those that accept more than it does. */
const RANKS: readonly (readonly [strict: RegExp, loose: RegExp])[] = [
  [/\bcontainsExactly\(/, /\b(?:contains(?!Exactly\()\w*|hasSize\w*|isNot(?:Empty|Null))\(/],
  [/\b(?:isEqualTo|containsExactly|assertIterableEquals)\(/, /\b(?:containsExactlyInAnyOrder|hasSameElementsAs)/],
  [/\bassert(?:List|Sequence|Tuple)?Equal\(/, /\bassert(?:CountEqual|ItemsEqual)\(/],
  [/\.(?:deep\.equal|eql)\(|\.ordered\.members\(/, /(?<!\.ordered)\.members\(/],
  [/\bstrictEqual\(/, /\bassert\.equal\(/],
  [/\bdeepStrictEqual\(/, /\b(?:deepEqual|partialDeepStrictEqual)\(/],
  [/\.toStrictEqual\(/, /\.to(?:Equal|MatchObject)\(/],
  [/\.toHaveBeenCalledTimes\(/, /\.toHaveBeenCalled\(/],
  [/\.toHaveBeenCalledWith\(/, /\.toHaveBeenCalled(?:Times)?\(/],
  [/\.toEqualTypeOf/, /\.(?:to(?:Extend|MatchTypeOf|MatchObjectType|BeObject|BeUnknown)|not\.toBe\w+)\b/],
  [/\bequals\(/, /\bequalsIgnoreCase\(/],
  [/\b(?:reflect\.DeepEqual|cmp\.(?:Diff|Equal)|slices\.Equal|bytes\.Equal)\(/, /\blen\(|(?<=\w)\[\d+\]/],
  [/\.resolves\./, /\.resolves\.not\.toThrow\(/],
];

const RAISES =
  /(?:\braises|[aA]ssertRaises(?:Regex)?|\.toThrow(?:Error)?|\bassertThrows(?:Exactly)?|\bthrows(?:Async)?|\brejects|\bexpectThrows)\((.*)$/s;
/** Errors that most others are. */
const BROAD = /^(?:BaseException|Exception|StandardError|Throwable|RuntimeException|Error)$/;
const ERROR_NAME =
  /(?<![\w."'`])(?:[A-Za-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Exit|Interrupt|Throwable|Failure)|Error|Exception|Throwable)\b/g;

/** The matcher accepts more values, or the expected error is a wider one. */
export const acceptsMore = (before: Assertion, after: Assertion): boolean =>
  RANKS.some(([strict, loose]) => strict.test(before.text) && !strict.test(after.text) && loose.test(after.text)) ||
  expectsWiderError(before.text, after.text) ||
  matchesShorterText(before.text, after.text) ||
  matchesMorePatterns(before.text, after.text);

function expectsWiderError(before: string, after: string): boolean {
  const [old, now] = [RAISES.exec(before)?.[1], RAISES.exec(after)?.[1]];
  if (old === undefined || now === undefined) return false;
  const names = (text: string) => new Set([...text.matchAll(ERROR_NAME)].map((match) => match[1] ?? ""));
  const [wanted, accepted] = [names(old), names(now)];
  const isBroader = [...accepted].some((name) => BROAD.test(name) && !wanted.has(name));
  const isLonger = accepted.size > wanted.size && wanted.size > 0 && [...wanted].every((name) => accepted.has(name));
  const hasCondition = (text: string) =>
    /["'`]|,\/|^\/|\bmatch=|[A-Z]\w*Error|\{/.test(text.replace(/^(?:async)?\(?\w*\)?=>[^,]*|,\(\)->.*$/s, ""));
  return isBroader || isLonger || (hasCondition(old) && !hasCondition(now) && wanted.size >= accepted.size);
}

const TEXT_CALL =
  /\b(?:contains|includes|has|toContain|toMatch|startsWith|endsWith|starts_with|ends_with|match|include|expected=|match=)\(?["'/]([^"'/]*)["'/]/g;

/** The same call with a part of the text. */
function matchesShorterText(before: string, after: string): boolean {
  const texts = (text: string) => [...text.matchAll(TEXT_CALL)].map((match) => match[1] ?? "");
  const [old, now] = [texts(before), texts(after)];
  return now.some((text, index) => {
    const earlier = old[index];
    return earlier !== undefined && text !== earlier && (earlier.includes(text) || text === ".*" || text === ".");
  });
}

/** Rust's `matches!(x, Ok(3))`: alternatives, ranges and `_` accept more. */
function matchesMorePatterns(before: string, after: string): boolean {
  if (!before.includes("matches!(") || !after.includes("matches!(")) return false;
  const count = (text: string) => text.match(/\||\.\.=?|(?<![\w])_(?![\w])/g)?.length ?? 0;
  return count(after) > count(before);
}

const INDEX = /\[(?:\d+|:?-?\d*:?-?\d*)\]|\.(?:slice|substring|substr|subList|charAt|at|get|first|head)\([^()]*\)/g;

/** The same assertion about an item or a piece of the value. */
export function comparesPart(before: string, after: string): boolean {
  const whole = after.replace(INDEX, "");
  return whole !== after && before.replace(INDEX, "") === before && whole === before;
}

const PLANNED_ASSERTIONS = /\bexpect\.(?:assertions|hasAssertions)\((\d*)\)|\b(?:t|assert|ctx|context)\.plan\((\d+)\)/g;

/** How many assertions a test says that it makes; `hasAssertions` says one. */
export const plannedAssertions = (code: string): number =>
  [...code.matchAll(PLANNED_ASSERTIONS)].reduce((sum, match) => sum + Number(match[1] || match[2] || 1), 0);

const ITERATED = /\b(?:range|of|in)\s+&?([A-Za-z_][\w.]*)(?=\s*[{):])/g;
const WRAPPED =
  /\b(?:range|of|in)\s+&?(?!sorted|enumerate|list|reversed|zip|Object\.|entries|iter|slices\.Sorted|maps\.)[A-Za-z_][\w.]*\(([A-Za-z_][\w.]*)(?:,[^(){};]*)?\)/g;

/** A loop over all values became one over what a function selects from them. */
export function iteratesSelection(before: string, after: string): boolean {
  const names = new Set([...before.matchAll(ITERATED)].map((match) => match[1]));
  const wrapped = [...after.matchAll(WRAPPED)].filter((match) => names.has(match[1]) && !before.includes(match[0]));
  return wrapped.length > 0;
}
