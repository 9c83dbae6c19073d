/** Says that a test program ended before it was done, although its exit code is 0: it began its tests, and never summed them up. */
import {TOOLS} from "../tools/all.ts";
import {bodiesOf, readLines} from "./lines.ts";
import {tapTests} from "./test-lines.ts";

/** Takes a whole output. Empty where no run began without an end. */
export function whyUnfinished(output: string): string {
  const bodies = bodiesOf(readLines(output));
  for (const {name, testRun} of TOOLS) {
    let open = 0;
    for (const body of testRun === undefined ? [] : bodies)
      open += Number(testRun?.begins.test(body)) - Number(testRun?.ends.test(body));
    if (open > 0) return `${testRun?.name ?? name} began its tests and did not sum them up`;
  }
  return whyShortOfPlan(bodies);
}

/** TAP that gives its plan first: fewer test points than that are a failure (testanything.org). Other runs' points may follow. */
function whyShortOfPlan(bodies: readonly string[]): string {
  const firstPoint = bodies.findIndex((body) => /^1\.\.\d+/.test(body) || /^(?:not )?ok\b/.test(body));
  const planned = Number(/^1\.\.(\d+)/.exec(bodies[firstPoint] ?? "")?.[1] ?? 0);
  const points = tapTests(bodies.join("\n"));
  const counted = points === null ? 0 : points.passed + points.failed + points.skipped;
  return counted < planned ? `the plan says ${planned} tests, and ${counted} ran` : "";
}
