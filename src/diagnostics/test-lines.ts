/** Counts tests of runners that print one line per test and no summary: go and plain TAP. */
import type {TestCounts} from "../record/evidence.ts";

const LISTED = /^\s*--- (PASS|FAIL|SKIP): /gm;
const EVENTS = /^\{[^\n]*"Action":"(pass|fail|skip)"[^\n]*"Test":"/gm;
const PACKAGES =
  /^(ok|FAIL) {0,2}\t\S+\t(?:\(cached\)|[\d.]+s|\[build failed\]|\[setup failed\])(?![^\n]*\[no tests to run\])/gm;
const NO_TESTS = /^(?:\?|ok) {2,3}\t\S+[^\n]*\[no (?:test files|tests to run)\]|^(?:go: )?no packages to test/m;
const PLAN = /^1\.\.(\d+)/m;
const POINTS = /^(not )?ok\b([^\n]*)/gm;

/**
 * A test point of TAP (testanything.org) at any depth, or as the third group the comment that node puts before one, or
 * a plan.
 */
export const TEST_POINT = /^( *)(?:(not )?ok \d+\b|(# Subtest: |1\.\.\d+$))/;

/** All patterns of this file, for the prefilter. */
export const TEST_LINES: readonly RegExp[] = [LISTED, EVENTS, PACKAGES, NO_TESTS, PLAN, POINTS];

/** go test: `--- PASS` lines, `-json` events, or else one per package that ran. Null if the output is not from go. */
export function goTests(text: string): TestCounts | null {
  const listedTests = tally(text, LISTED);
  const events = tally(text, EVENTS);
  if (listedTests !== null || events !== null) return listedTests ?? events;
  const packages = tally(text, PACKAGES);
  if (packages !== null) return packages;
  return NO_TESTS.test(text) ? {passed: 0, failed: 0, skipped: 0} : null;
}

/** TAP (testanything.org, versions 12 to 14): top-level test points; `1..0` says that none ran. */
export function tapTests(text: string): TestCounts | null {
  if (!PLAN.test(text)) return null;
  const counts = {passed: 0, failed: 0, skipped: 0};
  for (const [, not, rest = ""] of text.matchAll(POINTS)) {
    if (/# *(?:skip|todo)/i.test(rest)) counts.skipped++;
    else if (not === undefined) counts.passed++;
    else counts.failed++;
  }
  return counts;
}

function tally(text: string, pattern: RegExp): TestCounts | null {
  const counts = {passed: 0, failed: 0, skipped: 0};
  let isAny = false;
  for (const [, word] of text.matchAll(pattern)) {
    isAny = true;
    if (/^(?:pass|ok)$/i.test(word ?? "")) counts.passed++;
    else if (/^skip$/i.test(word ?? "")) counts.skipped++;
    else counts.failed++;
  }
  return isAny ? counts : null;
}
