/** Chance in a test stage: what each course of it is called, with a real suite, and how often each comes about, with a generated one. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import type {Baseline} from "../../../src/engine/baseline/baseline.ts";
import {MAX_FAILURES, shouldRerun} from "../../../src/engine/flakes/flaky.ts";
import {rerunFailed} from "../../../src/engine/flakes/rerun-failed.ts";
import {runStages} from "../../../src/engine/run-plan.ts";
import {runStage, type StageEnvironment} from "../../../src/engine/stage/stage.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Change} from "../../../src/record/verification.ts";
import {decideVerdict} from "../../../src/verify/verdict.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {isSweep, someOf} from "../../sweep.ts";
import {stage} from "../../unit/report/records.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-flaky-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const planned = (command: string) => plannedStage({command, timeout: 60});
const surroundings = (): StageEnvironment => ({
  folder,
  isolation: "degraded",
  signal: new AbortController().signal,
  sandbox: () => null,
  variables: () => ({PATH: process.env["PATH"] ?? ""}),
});
const UNCHANGED: Change[] = [{path: "src/a.mjs", status: "modified"}];
const NEW_TEST: Change[] = [{path: "flips.test.mjs", status: "added"}];
const verdictOf = (result: StageResult) =>
  decideVerdict({
    ...{setup: [], setupFailedOnBase: false, stages: [result], skipped: new Set<string>(), leftOut: []},
    ...{cancelled: false, outOfTime: "", uncovered: [], isBase: false},
  });

/** A suite of two files, one of which fails where the course has an `f`, and writes down which of them ran. */
function writeSuite(course: string): void {
  writeFileSync(join(folder, "course"), course);
  writeFileSync(join(folder, "ran"), "");
  const head = 'import {appendFileSync, readFileSync} from "node:fs";\nimport {test} from "node:test";\n';
  const steady = `${head}test("is steady", () => appendFileSync("ran", "s"));\n`;
  const flips = `${head}test("flips", () => {
  const at = readFileSync("ran", "utf8").replaceAll("s", "").length;
  const outcome = readFileSync("course", "utf8")[at] ?? "f";
  appendFileSync("ran", outcome);
  if (outcome === "f") throw new Error("by chance");
});
`;
  writeFileSync(join(folder, "steady.test.mjs"), steady);
  writeFileSync(join(folder, "flips.test.mjs"), flips);
}

async function verifyOnce(given: {
  command: string;
  changes?: readonly Change[];
  flaky?: string[];
  baseline?: Baseline;
}) {
  const {command, changes = UNCHANGED, flaky = []} = given;
  const plan = planWith(planned(command));
  const options = {plan, changes, only: [], failFast: false, previous: null, spent: () => null, flaky};
  const {stages} = await runStages({
    options: {...options, onEvent: () => undefined},
    checkouts: {shared: surroundings(), openAnother: null, isolated: new Set()},
    blockedBy: "",
    baseline: given.baseline ?? null,
    affectedPlan: null,
    restoreRewritten: async () => [],
    scripts: async () => ({}),
  });
  const [result] = stages;
  if (result === undefined) throw new Error("no result");
  return {result, verdict: verdictOf(result).kind};
}

/** `s` for the steady test, which only a run of the whole suite has. */
const COURSES = [
  {course: "p", changes: UNCHANGED, ran: "sp", outcome: "passed", verdict: "verified"},
  {course: "fp", changes: UNCHANGED, ran: "sfp", outcome: "flaky", verdict: "unverified"},
  {course: "ff", changes: UNCHANGED, ran: "sff", outcome: "failed", verdict: "failed"},
  {course: "ppp", changes: NEW_TEST, ran: "sppp", outcome: "passed", verdict: "verified"},
  {course: "pfp", changes: NEW_TEST, ran: "spfp", outcome: "flaky", verdict: "unverified"},
  {course: "ppf", changes: NEW_TEST, ran: "sppf", outcome: "flaky", verdict: "unverified"},
  // Never passes alone: it needs another file, and chance has no part in it.
  {course: "pffff", changes: NEW_TEST, ran: "spffff", outcome: "passed", verdict: "verified"},
];

test.each(COURSES)("a course of $course is $outcome", async ({course, changes, ran, outcome, verdict}) => {
  writeSuite(course);
  const seen = await verifyOnce({command: "node --test", changes});
  // Files run side by side, so that the first two may come in either order.
  const whole = readFileSync(join(folder, "ran"), "utf8").replace(/^([pf])s/, "s$1");
  expect({ran: whole, outcome: seen.result.outcome, verdict: seen.verdict}).toEqual({ran, outcome, verdict});
  if (outcome === "flaky") expect(seen.result.reason).toMatch(/failed \(exit code 1\) \(flips\).*flips\.test\.mjs/);
});

test.each(someOf(["flips.test.mjs > flips", "flips"]))(
  "a test that is listed as %s is excused, and is no pass",
  async (id) => {
    writeSuite("fp");
    const {result, verdict} = await verifyOnce({command: "node --test", flaky: ["other", id]});
    expect(result).toMatchObject({
      outcome: "flaky",
      baseline: {outcome: "pre-existing", preexisting: [{testId: "flips"}]},
    });
    expect(verdict).toBe("verified-with-preexisting");
  },
);

/** A base whose suite goes on with the same course. */
function baseOf(passes: boolean): Baseline {
  return {
    begin: async () => undefined,
    pause: async () => undefined,
    compare: async (_, result) => ({
      ...result,
      baseline: {outcome: "new", new: [], preexisting: [], fixed: 0, why: "the base passes this check"},
    }),
    takes: () => false,
    durationMs: () => null,
    onBase: async () => null,
    rerun: async (one, command) => (passes ? runStage({...one, command}, surroundings()) : null),
  };
}

test.each([
  ["fppf", "sfppf", "verified-with-preexisting"],
  ["fpfp", "sfpfp", "verified-with-preexisting"],
  ["fppppp", "sfppppp", "unverified"],
  ["fpffff", "sfpffff", "unverified"],
])("what flakes on the base is excused, what does not is not: %s", async (course, ran, expected) => {
  writeSuite(course);
  const {result, verdict} = await verifyOnce({command: "node --test", baseline: baseOf(true)});
  expect({outcome: result.outcome, verdict}).toEqual({outcome: "flaky", verdict: expected});
  expect(readFileSync(join(folder, "ran"), "utf8").replace(/^([pf])s/, "s$1")).toBe(ran);
});

test("a base that cannot be asked, or does not have the test, excuses nothing", async () => {
  writeSuite("fp");
  expect((await verifyOnce({command: "node --test", baseline: baseOf(false)})).verdict).toBe("unverified");
  const without: Baseline = {
    ...baseOf(true),
    rerun: (one) => runStage({...one, command: "node --test steady.test.mjs"}, surroundings()),
  };
  writeSuite("fp");
  expect((await verifyOnce({command: "node --test", baseline: without})).verdict).toBe("unverified");
});

const item = {tool: "node:test", message: "flips", severity: "error", testId: "flips"} as const;
const red = (more: Partial<StageResult> = {}): StageResult =>
  stage({
    ...{kind: "test", outcome: "failed", failureKind: "code", reason: "exit code 1", diagnostics: [item]},
    ...{exit: {kind: "exited", code: 1}, tests: {passed: 4, failed: 1, skipped: 0}},
    ...more,
  });
const green = (passed: number) => stage({kind: "test", outcome: "passed", tests: {passed, failed: 0, skipped: 0}});
const look = (options: {first: StageResult; runs: StageResult[]; known?: string[]; changes?: Change[]}) =>
  rerunFailed({
    first: options.first,
    stage: planned("make test"),
    changes: options.changes ?? UNCHANGED,
    knownFlaky: options.known ?? [],
    scripts: async () => ({}),
    runOnCandidate: async () => options.runs.shift() ?? red(),
    runOnBase: null,
    isSpent: () => false,
  });

test("a list that misses one of the failed tests excuses nothing", async () => {
  const other = {...item, testId: "other"};
  const two = {diagnostics: [item, other], tests: {passed: 3, failed: 2, skipped: 0}};
  const unnamed = {tests: {passed: 3, failed: 2, skipped: 0}};
  for (const more of [two, unnamed]) {
    const result = await look({first: red(more), runs: [green(5)], known: ["flips"]});
    expect(result).toMatchObject({outcome: "flaky", baseline: null});
  }
});

test("a second run that left the test out proves nothing", async () => {
  expect((await look({first: red(), runs: [green(4)]})).outcome).toBe("failed");
});

test.each([
  ["a linter", red({kind: "lint"})],
  ["a timeout", red({outcome: "timed-out", failureKind: "timeout", exit: {kind: "timed-out", afterMs: 1}})],
  ["the environment", red({failureKind: "environment"})],
  ["a crash", red({exit: {kind: "signaled", signal: "SIGSEGV"}})],
  ["too many failures", red({tests: {passed: 0, failed: MAX_FAILURES + 1, skipped: 0}})],
])("no second look after %s", async (_, result) => {
  expect(shouldRerun(result)).toBe(false);
  expect(shouldRerun(red())).toBe(true);
  expect(await look({first: result, runs: [green(5)]})).toBe(result);
});

test("a long suite that cannot be narrowed to its new tests is not run three times", async () => {
  const runs = [red(), red()];
  const first = {...green(5), durationMs: 31_000};
  expect(await look({first, runs, changes: NEW_TEST})).toBe(first);
  expect(runs).toHaveLength(2);
  expect((await look({first: green(5), runs, changes: NEW_TEST})).outcome).toBe("flaky");
});

/** The same numbers each time (Park and Miller's generator), so that chance cannot fail this test. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const ROUNDS = isSweep ? 20_000 : 5_000;
test.each([
  {p: 0.5, isNew: false, expected: {passed: 0.5, flaky: 0.25, failed: 0.25}},
  {p: 0.5, isNew: true, expected: {passed: 0.125, flaky: 0.625, failed: 0.25}},
  {p: 0.01, isNew: false, expected: {passed: 0.99, flaky: 0.0099, failed: 0.0001}},
  {p: 0.01, isNew: true, expected: {passed: 0.970299, flaky: 0.029601, failed: 0.0001}},
])("the table for p = $p, new tests: $isNew", async ({p, isNew, expected}) => {
  const random = seeded(20_260_504);
  const seen = {passed: 0, flaky: 0, failed: 0};
  for (let round = 0; round < ROUNDS; round++) {
    const went: boolean[] = [];
    const run = () => {
      const passes = random() >= p;
      went.push(passes);
      return passes ? green(5) : red();
    };
    const first = run();
    const result = await rerunFailed({
      ...{first, stage: planned("make test"), changes: isNew ? NEW_TEST : UNCHANGED, knownFlaky: [], runOnBase: null},
      ...{scripts: async () => ({}), runOnCandidate: async () => run(), isSpent: () => false},
    });
    const verdict = verdictOf(result).kind;
    // Whatever the numbers: one failure anywhere, and it is no ✅.
    expect(verdict === "verified", JSON.stringify(went)).toBe(went.every(Boolean));
    if (result.outcome === "passed" || result.outcome === "flaky" || result.outcome === "failed")
      seen[result.outcome]++;
  }
  for (const outcome of ["passed", "flaky", "failed"] as const) {
    const share = expected[outcome];
    const deviation = Math.sqrt((share * (1 - share)) / ROUNDS);
    expect(Math.abs(seen[outcome] / ROUNDS - share), outcome).toBeLessThan(4 * deviation);
  }
});
