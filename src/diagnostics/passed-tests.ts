/** Finds the lines of passed tests, which explain no failure and would fill an excerpt. */
import {bodyAt, type LogLines} from "./lines.ts";

/** One line of a passed test: vitest, mocha and node's spec (✓ ✔ √), go, cargo and unittest (`... ok`), pytest -v. */
const LISTED =
  /^\s*(?:[✓✔√] |--- PASS: |test .{1,300} \.\.\. ok$|\S{1,300}(?:::| ).{0,300}(?: PASSED(?: +\[ *\d+%\])?| \.\.\. ok)$)/;
/** `mix test --trace`, dotnet, GoogleTest, ctest, deno, Pester, bun, XCTest, Dart, `prove`, and the packages of `go test`. */
const LISTED_TOO =
  /^\s*(?:\* test .{1,300} \[L#\d+\]$|Passed \S.{0,300} \[[<\d].{0,20}\]$|\[ +(?:OK|RUN) +\] |\d+\/\d+ Test +#\d+: .{1,300} Passed |\[\+\] |\(pass\) |Test [Cc]ase '.{1,300}' (?:passed|started)|\d\d:\d\d \+\d+(?: ~\d+)?: |\S{1,300}\.t \.+ ok$|ok +\t\S+\t|\? +\t\S+\t.*\[no test files\]|\S.{0,300} \.\.\. ok(?: \([\d.]+m?s\))?$)/;
/** `go test -v` prints this before a test, then what the test prints; a line of another test begins like one of these too. */
const GO_STARTS = /^=== RUN /;
const GO_MARK = /^\s*(?:===|---) /;
/** A test point of TAP (testanything.org) and the comment that node puts before one. */
const POINT = /^( *)(not )?ok \d+\b/;
const SUBTEST = /^( *)# Subtest: /;
const PLAN = /^( *)1\.\.\d+$/;
/** A directive: the point passed or was skipped, even if it begins with `not ok`. */
const EXCUSED = /# *(?:skip|todo)\b/i;

/** Returns 1 for each relevant line of a passed test, including TAP's block of details below a test point. */
export function passedTests(lines: LogLines, isOfInterest: (index: number) => boolean = () => true): Uint8Array {
  const passed = new Uint8Array(lines.count);
  // The headings and plans by their depth, until the test point of that depth shows their result.
  const open = new Map<number, number[]>();
  for (let index = 0; index < lines.count; index++) {
    const isTap = mayBeTap(lines, index);
    if (!isTap && !isOfInterest(index) && !isOfInterest(index - 1)) continue;
    const body = bodyAt(lines, index);
    const point = isTap ? POINT.exec(body) : null;
    if (point === null) {
      const heading = isTap ? (SUBTEST.exec(body) ?? PLAN.exec(body)) : null;
      const depth = heading?.[1]?.length;
      if (depth !== undefined) open.set(depth, [...(open.get(depth) ?? []), index]);
      else if ((isOfInterest(index) || isOfInterest(index - 1)) && (LISTED.test(body) || LISTED_TOO.test(body))) {
        passed.fill(1, passedFrom(lines, index), index + 1);
      }
      continue;
    }
    const [, indent = "", not] = point;
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

/** True if the line begins like a test point, a heading or a plan: with `n`, `o`, `#` or `1`. Most lines do not. */
function mayBeTap({text, bodies}: LogLines, index: number): boolean {
  let at = bodies[index] ?? 0;
  while (text.charCodeAt(at) === 32) at++;
  const code = text.charCodeAt(at);
  return code === 110 || code === 111 || code === 35 || code === 49;
}

/** The first line of a passed test: its result, or its start if no output of another test is in between. */
function passedFrom(lines: LogLines, index: number): number {
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
