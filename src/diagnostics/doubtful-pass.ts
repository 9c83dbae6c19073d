/** Detects why a passing test stage shows less than the same stage on the base: its tests may not have run (P6). */
import type {StageResult} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";
import {bodiesOf, readLines} from "./lines.ts";
import {tapTests} from "./test-lines.ts";

/** True for a pass that its own output does not prove, and that should be compared with the base. */
export function isDoubtful({kind, outcome, optional, narrowed, tests, reported, isUnanswered}: StageResult): boolean {
  const decides = kind === "test" && outcome === "passed" && !optional && narrowed === undefined;
  return decides && (tests === null || isUnanswered === true || (reported?.endedEarly ?? []).length > 0);
}

/**
 * Takes a doubtful pass, the base's result, and the changed paths. Empty if the base's run shows no more: then its only
 * evidence is the exit code, too. A file that the change adds or edits may have no tests.
 */
export function whyLessThanBase(options: {
  candidate: StageResult;
  base: StageResult;
  changed: readonly string[];
}): string {
  const {candidate, base, changed} = options;
  const baseCount = (base.tests?.passed ?? 0) + (base.tests?.failed ?? 0);
  if (candidate.tests === null && baseCount > 0) return `no test was counted; on the base, ${baseCount} ran`;
  if (candidate.isUnanswered === true && base.reported !== undefined) {
    return `${base.reported.tool} ended without its report, which it writes on the base`;
  }
  const baseEarlyFiles = base.reported?.endedEarly ?? [];
  const earlyFile = (candidate.reported?.endedEarly ?? []).find(
    (file) => !baseEarlyFiles.includes(file) && !changed.some((path) => file === path || file.endsWith(`/${path}`)),
  );
  if (earlyFile === undefined || base.reported === undefined) return "";
  return `${earlyFile} ended before its tests had run; on the base they run`;
}

/** Takes a complete output. Empty if no run started without an end. */
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

/**
 * TAP with a plan at its start: fewer test points than planned are a failure (testanything.org). Test points of other
 * runs may follow.
 */
function whyShortOfPlan(bodies: readonly string[]): string {
  const firstPoint = bodies.findIndex((body) => /^1\.\.\d+/.test(body) || /^(?:not )?ok\b/.test(body));
  const plannedCount = Number(/^1\.\.(\d+)/.exec(bodies[firstPoint] ?? "")?.[1] ?? 0);
  const points = tapTests(bodies.join("\n"));
  const pointCount = points === null ? 0 : points.passed + points.failed + points.skipped;
  return pointCount < plannedCount ? `the plan says ${plannedCount} tests, and ${pointCount} ran` : "";
}
