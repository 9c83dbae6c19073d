/** Finds new tests that pass whatever the code gives: their assertions run for each item of a result, which may be empty. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {compareTests} from "../tests/compare-tests.ts";
import {headsAround} from "../tests/heads-around.ts";
import type {Assertion, InspectedTest} from "../tests/test-case.ts";

/** A loop over a value that has a name: `for (const one of bus.errors)`, `for one in found:`, `bus.errors.forEach(`. */
const LOOP = /\bfor\b[^{:\n]*\b(?:of|in|range)\s+([A-Za-z_][\w.]*)\s*[){:]|([A-Za-z_][\w.]*)\.(?:forEach|every)\(/;
/** Python's `assert all(… for one in found)`. */
const ALL = /\bassert\s+all\(.*\bin\s+([A-Za-z_][\w.]*)\s*\)/;
/** What also looks at the number of items. */
const COUNTS = /length|\blen\(|\.size|count|empty|has_?next|\bnext\(|\bassert\s+\w+\s*$|truthy|\.ok\(/im;

export function vacuousTests(change: InspectedChange): IntegrityFinding[] {
  if (!change.files.some(({path}) => isProductCode(path))) return [];
  const vacuous = compareTests(change).added.find(({test}) => isVacuous(test));
  if (vacuous === undefined) return [];
  const {file, test} = vacuous;
  const message = `New test \`${test.id}\` passes for an empty result, because it asserts only for each item`;
  const fix = "Assert the whole result, or the number of its items.";
  return [{check: "weakened-tests", level: "flag", path: file.path, line: test.line, message, fix, tests: []}];
}

function isVacuous(test: InspectedTest): boolean {
  const {assertions, source} = test;
  if (assertions.length === 0 || COUNTS.test(source.code)) return false;
  const isForItem = assertions.map((one) => isForEachItem(one, test));
  return isForItem.includes(true) && assertions.every((one, index) => isForItem[index] || comparesItself(one));
}

/** An equality is weak only if both sides are the same result. */
const comparesItself = ({text, strength}: Assertion): boolean => strength <= 1 && /==|[eE]qual|toBe\(/.test(text);

function isForEachItem(assertion: Assertion, {source, line}: InspectedTest): boolean {
  const lines = source.code.split("\n");
  const at = assertion.line - line;
  const text = lines[at] ?? "";
  const before = text.slice(0, Math.max(0, text.search(/\b(?:expect|assert)/)));
  const name =
    ALL.exec(text)?.[1] ??
    loopName(before) ??
    headsAround(lines, at)
      .map(loopName)
      .find((one) => one !== undefined);
  // A list that the test writes itself is not empty.
  const first = name?.split(".")[0] ?? "";
  const isWritten = new RegExp(String.raw`\b${first}\s*(?::[^=\n]+)?:?=\s*(?:[({]|\[(?![^\n]*\bfor\b)|vec!)`);
  return first !== "" && !isWritten.test(source.code);
}

const loopName = (text: string): string | undefined => LOOP.exec(text)?.slice(1).find(Boolean);
