/** Changes a value of an assertion, so that a test that asserts it must fail. */
import type {SourceFacts, TestFacts} from "./facts.ts";

/** Replaces the characters from `from` to `to` of a file. */
export interface FalseValue {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
  readonly line: number;
  /** equal for an assertion of the same value in another version of the test, which may call other functions */
  readonly key: string;
  /** true if the assertion accepts one value only, so that code alone does not make it accept both */
  readonly isExact: boolean;
}

const VALUE = /(?<![\w.])\d{1,9}(?![\w.])|\b(?:true|false|True|False)\b/g;
const STRING = /"[^"]*"|'[^']*'/g;
const OPPOSITE: Readonly<Record<string, string>> = {true: "false", false: "true", True: "False", False: "True"};

/** The larger numbers of all assertions come first: a wrapper that lets them pass may still stop the smaller ones. */
export function falseValues({test, source, text}: {test: TestFacts; source: SourceFacts; text: string}): FalseValue[] {
  const counts = new Map<string, number>();
  const found = test.assertions.flatMap(({place: {from, to}, line, strength, isNegated, guards, isDetached}) => {
    const code = source.code.slice(from, to);
    const last = outermost(code, VALUE) ?? outermost(code, STRING);
    if (last === undefined) return [];
    const at = from + last.index;
    const old = text.slice(at, at + last[0].length);
    if (old.length > 2 && old[0] === old[1]) return [];
    // One that may not run is no other version of one that does.
    const key = `${strength} ${isNegated} ${guards > 0 || isDetached} ${old}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return replacementsOf(old).map((replacement, rank) => ({
      ...{from: at, to: at + old.length, replacement, line, rank, isExact: strength === 3 && !isNegated},
      key: `${key} ${counts.get(key)} ${rank}`,
    }));
  });
  return found.toSorted((one, other) => one.rank - other.rank);
}

/** The last one of those in the fewest brackets: `400` of `equal(400, code(3))`, whose other number is an input. */
function outermost(code: string, form: RegExp): RegExpExecArray | undefined {
  const depthOf = ({index}: RegExpExecArray) =>
    [...code.slice(0, index)].reduce(
      (depth, sign) => depth + Number("([{".includes(sign)) - Number(")]}".includes(sign)),
      0,
    );
  return [...code.matchAll(form)].toSorted((one, other) => depthOf(other) - depthOf(one)).at(-1);
}

function replacementsOf(old: string): string[] {
  const number = Number(old);
  if (!Number.isNaN(number)) return [`${number + 1}`, `${number - 1}`];
  return [OPPOSITE[old] ?? `${old[0]}x${old.slice(1)}`];
}
