/** Finds tests that assert the same for fewer values. A part of the check `weakened-tests`. */
import type {InspectedChange} from "../source/inspected-change.ts";
import {iteratesSelection, plannedAssertions} from "../tests/accepted-values.ts";
import type {Weakening} from "../tests/assertion-pairs.ts";
import {compareTests, type LocatedTest} from "../tests/compare-tests.ts";
import {callsNewHelper} from "../tests/new-helper-calls.ts";
import type {InspectedTest} from "../tests/test-case.ts";
import {hasRemovedSubject} from "../tests/test-subject.ts";

export interface TestPair {
  readonly base: LocatedTest;
  readonly head: LocatedTest;
  readonly change: InspectedChange;
  readonly changedSources: boolean;
}

/** The test asserts the same for fewer values, or for a wider expected failure. */
export function findFewerValues({base, head, change}: TestPair): Weakening | null {
  const [before, after] = [base.test, head.test];
  const weakening = (what: string): Weakening => ({level: "flag", line: after.line, what});
  if (after.narrowedLoops > before.narrowedLoops) return weakening("runs over a part of its values only");
  if (plannedAssertions(after.source.code) < plannedAssertions(before.source.code))
    return weakening("plans fewer assertions");
  if (iteratesSelection(before.source.code, after.source.code)) return weakening("runs over a part of its values only");
  const isLonger = after.assertions.length > before.assertions.length && after.rows > before.rows;
  if (after.bailOuts > before.bailOuts && !isLonger && !/\bswitch\b/.test(after.source.code))
    return weakening("leaves out its assertions for some values");
  if (EXPECTATION.test(before.markText) && after.marks.has("expected-failure") && !EXPECTATION.test(after.markText))
    return weakening("accepts every failure, not only the expected one");
  if (hasSmallerLoop(before.loopHeads, after.loopHeads)) return weakening("runs its loop over fewer values");
  if (skippedRows(after) > skippedRows(before)) return weakening("leaves out rows of its data");
  const lost = before.rows - after.rows;
  if (lost <= 0 || hasRemovedSubject(base, change) || callsNewHelper(base, head)) return null;
  const fresh = compareTests(change)
    .added.filter(({test}) => callsSame(before, test))
    .reduce((sum, {test}) => sum + Math.max(1, test.rows), 0);
  return fresh >= lost ? null : weakening(`runs over ${lost} ${lost === 1 ? "value" : "values"} fewer`);
}

/** A test of another function does not examine the lost values. */
function callsSame({name, source: base}: InspectedTest, {source}: InspectedTest): boolean {
  const names = [...base.code.matchAll(/([A-Za-z_$][\w$]*)!?\(/g)].map((match) => match[1] ?? "");
  const called = names.filter((one) => one !== name && !ASSERTION_CALL.test(one));
  return called.length === 0 || called.some((name) => source.code.includes(`${name}(`));
}

const ASSERTION_CALL =
  /^(?:expect|assert\w*|to[A-Z]\w*|Is|As|(?:Not)?(?:Deep)?Equal|Errorf?|Fatalf?|Run|len|str|String|is|ok|(?:strict|deep)?[eE]qual\w*|raises|throws?|range|match)$/;

const skippedRows = ({headText}: InspectedTest): number =>
  Number(/\bnumLinesToSkip\s*=\s*(\d+)/.exec(headText)?.[1] ?? 0);

/** The same loop with smaller numbers. */
function hasSmallerLoop(before: readonly string[], after: readonly string[]): boolean {
  if (before.length !== after.length) return false;
  const shape = (head: string) => head.replace(/\d[\d_]*/g, "0");
  const numbers = (head: string) => (head.match(/\d[\d_]*/g) ?? []).map((text) => Number(text.replaceAll("_", "")));
  return before.some((head, index) => {
    const newHead = after[index] ?? "";
    const [old, now] = [numbers(head), numbers(newHead)];
    return (
      shape(head) === shape(newHead) &&
      now.every((one, at) => one <= (old[at] ?? 0)) &&
      now.some((one, at) => one < (old[at] ?? 0))
    );
  });
}

const EXPECTATION = /\bexpected\s*=\s*(?:"|(?!(?:Exception|Throwable|RuntimeException)\b)\w+\.class)|\braises\s*=/;
