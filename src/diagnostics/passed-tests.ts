/** Finds the lines of passed tests, which explain no failure and would fill an excerpt. */
import {bodyAt, type LogLines} from "./lines.ts";
import {FLAG} from "./prefilter.ts";
import {TEST_POINT} from "./test-lines.ts";

/** One line of a passed test: vitest, mocha and node's spec (✓ ✔ √), go, cargo and unittest (`... ok`), pytest -v. */
const LISTED =
  /^\s*(?:[✓✔√] |--- (?:PASS|SKIP): |test .{1,300} \.\.\. ok$|\S{1,300}(?:::| ).{0,300}(?: PASSED(?: +\[ *\d+%\])?| \.\.\. ok)$)/;
/**
 * `mix test --trace`, dotnet, GoogleTest, ctest, deno, Pester, bun, XCTest, Dart, `prove`, and the packages of `go
 * test`.
 */
const LISTED_TOO: readonly RegExp[] = [
  /^\s*(?:\* test .{1,300} \[L#\d+\]$|Passed \S.{0,300} \[[<\d].{0,20}\]$|\[ +(?:OK|RUN) +\] )/,
  /^\s*(?:\d+\/\d+ Test +#\d+: .{1,300} Passed |\d+\/\d+ \S.{0,200} (?:RUNNING|OK +[\d.]+s)\s*$)/,
  /^\s*(?:\[\+\] |\(pass\) |Test [Cc]ase '.{1,300}' (?:passed|started)|\d\d:\d\d \+\d+(?: ~\d+)?: )/,
  /^\s*(?:\S{1,300}\.t \.+ ok$|ok +\t\S+\t|\? +\t\S+\t.*\[no test files\]|\S.{0,300} \.\.\. ok(?: \([\d.]+m?s\))?$)/,
];
/**
 * `go test -v` prints this before a test, then what the test prints; a line of another test begins like one of these
 * too.
 */
const GO_STARTS = /^=== RUN /;
const GO_MARK = /^\s*(?:===|---) /;
/** A directive: the point passed or was skipped, even if it begins with `not ok`. */
const EXCUSED = /# *(?:skip|todo)\b/i;

/**
 * Returns 1 for each line of a passed test, including TAP's block of details below a test point. In other formats, only
 * the lines in `near` and those after them are read.
 */
export function passedTests(options: {lines: LogLines; flags: Int32Array; near: readonly number[]}): Uint8Array {
  const {lines, flags} = options;
  const passed = new Uint8Array(lines.count);
  const near = new Uint8Array(lines.count);
  for (const index of options.near) near.fill(1, index, index + 2);
  // The headings and plans by their depth, until the test point of that depth shows their result.
  const open = new Map<number, number[]>();
  for (let index = 0; index < lines.count; index++) {
    const mayBeTap = ((flags[index] ?? 0) & FLAG.testPoint) !== 0;
    if (!mayBeTap && near[index] === 0) continue;
    const body = bodyAt(lines, index);
    const point = mayBeTap ? TEST_POINT.exec(body) : null;
    if (point === null) {
      if (near[index] === 1 && (LISTED.test(body) || LISTED_TOO.some((pattern) => pattern.test(body))))
        passed.fill(1, startOfPassedTest(lines, index), index + 1);
      continue;
    }
    const [, indent = "", not, heading] = point;
    if (heading !== undefined) {
      open.set(indent.length, [...(open.get(indent.length) ?? []), index]);
      continue;
    }
    const hasPassed = not === undefined || EXCUSED.test(body);
    const end = detailsEnd(lines, {index, indent});
    if (hasPassed) passed.fill(1, index, end + 1);
    // The plan of the tests inside is one level deeper than the point.
    for (const depth of [indent.length, indent.length + 4]) {
      if (hasPassed) for (const line of open.get(depth) ?? []) passed[line] = 1;
      open.delete(depth);
    }
    index = end;
  }
  return passed;
}

/** The first line of a passed test: its result, or its start if no output of another test is in between. */
function startOfPassedTest(lines: LogLines, index: number): number {
  if (!GO_MARK.test(bodyAt(lines, index))) return index;
  let from = index - 1;
  while (from > 0 && !GO_MARK.test(bodyAt(lines, from))) from--;
  return GO_STARTS.test(bodyAt(lines, from)) ? from : index;
}

/** The last line of the details of a test point; the test point itself if it has none. */
function detailsEnd(lines: LogLines, {index, indent}: {index: number; indent: string}): number {
  if (bodyAt(lines, index + 1) !== `${indent}  ---`) return index;
  for (let end = index + 2; end < lines.count; end++) {
    const body = bodyAt(lines, end);
    if (body === `${indent}  ...`) return end;
    if (body.trim() !== "" && !body.startsWith(indent)) return index;
  }
  return index;
}
