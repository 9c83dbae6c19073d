/** Says that a test program ended before it was done, although its exit code is 0: it began its tests, and never summed them up. */
import {bodiesOf, readLines} from "./lines.ts";
import {tapTests} from "./test-lines.ts";

interface Pair {
  readonly tool: string;
  readonly begins: RegExp;
  readonly ends: RegExp;
}

/** Lines that a runner prints once before its tests and once behind them, in each program that it starts. */
const PAIRS: readonly Pair[] = [
  {tool: "cargo test", begins: /^running \d+ tests?$/, ends: /^test result: (?:ok|FAILED)\. /},
  {tool: "GoogleTest", begins: /^\[=+\] Running \d+ tests? from /, ends: /^\[=+\] \d+ tests? from .* ran\b/},
  {tool: "pytest", begins: /^=+ test session starts =+$/, ends: /^=+ .*\bin \d[\d.]*s\b.* =+$/},
  {tool: "XCTest", begins: /^Test Suite '.*' started at /, ends: /^Test Suite '.*' (?:passed|failed) at /},
];

/** Takes a whole output. Empty where no run began without an end. */
export function whyUnfinished(output: string): string {
  const bodies = bodiesOf(readLines(output));
  for (const {tool, begins, ends} of PAIRS) {
    let open = 0;
    for (const body of bodies) open += Number(begins.test(body)) - Number(ends.test(body));
    if (open > 0) return `${tool} began its tests and did not sum them up`;
  }
  return whyShortOfPlan(bodies);
}

/** TAP that gives its plan first: fewer test points than that are a failure (testanything.org). Other runs' points may follow. */
function whyShortOfPlan(bodies: readonly string[]): string {
  const first = bodies.findIndex((body) => /^1\.\.\d+/.test(body) || /^(?:not )?ok\b/.test(body));
  const planned = Number(/^1\.\.(\d+)/.exec(bodies[first] ?? "")?.[1] ?? 0);
  const points = tapTests(bodies.join("\n"));
  const seen = points === null ? 0 : points.passed + points.failed + points.skipped;
  return seen < planned ? `the plan says ${planned} tests, and ${seen} ran` : "";
}
