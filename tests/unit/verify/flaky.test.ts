/** The second look at a failed test stage: what chance does to a suite, and what each course of it is called. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Plan} from "../../../src/record/plan.ts";
import {afterSecondLook, deservesSecondLook, MOST_FAILURES} from "../../../src/verify/flaky.ts";
import {runStages} from "../../../src/verify/stages.ts";
import {judge} from "../../../src/verify/verdict.ts";
import {stage} from "../report/records.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-flaky-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function verifyOnce(command: string, flaky: readonly string[] = []) {
  const origin = {file: "verify.json", key: "stages", why: "test"};
  const common = {cwd: ".", timeout: 60, optional: false, env: {}, when: [], needs: [], path: [], tools: [], origin};
  const plan: Plan = {
    schema: "assay.plan/1",
    stages: [{name: "test", kind: "test", command, ...common}],
    setup: [],
    notes: [],
  };
  const options = {plan, changes: [], only: [], failFast: false, before: null, spent: () => null, flaky};
  const {stages, irrelevant} = await runStages({
    options: {...options, onEvent: () => undefined},
    surroundings: {
      folder,
      isolation: "degraded",
      signal: new AbortController().signal,
      sandbox: () => null,
      environment: () => ({PATH: process.env["PATH"] ?? ""}),
    },
    blockedBy: "",
    baseline: null,
    findRewritten: async () => [],
  });
  const verdict = judge({setup: [], setupFailedOnBase: false, stages, irrelevant, cancelled: false, outOfTime: ""});
  return {outcome: stages[0]?.outcome, verdict};
}

/** A suite of one test that fails with this chance, and writes down how it went. */
const suite = (percent: number) =>
  [
    `if [ $((RANDOM % 100)) -lt ${percent} ]; then echo f >> log; printf '✖ flips (1ms)\\nℹ pass 0\\nℹ fail 1\\n'; exit 1; fi`,
    "echo p >> log; printf '✔ flips (1ms)\\nℹ pass 1\\nℹ fail 0\\n'",
  ].join("\n");

const COURSES: Readonly<Record<string, {outcome: string; verdict: string}>> = {
  p: {outcome: "passed", verdict: "verified"},
  fp: {outcome: "flaky", verdict: "unverified"},
  ff: {outcome: "failed", verdict: "failed"},
};

test.each([50, 1])(
  "a suite that fails with p = 0.01 × %i: each course has its own outcome, and no flaky one is green",
  async (percent) => {
    for (let round = 0; round < 20; round++) {
      writeFileSync(join(folder, "log"), "");
      const {outcome, verdict} = await verifyOnce(suite(percent));
      const course = readFileSync(join(folder, "log"), "utf8").replaceAll("\n", "");
      expect({outcome, verdict: verdict.kind}).toEqual(COURSES[course]);
    }
  },
  120_000,
);

test("first red, then green", async () => {
  const once =
    "if [ -e tried ]; then printf 'ℹ pass 1\\nℹ fail 0\\n'; else touch tried; printf 'ℹ pass 0\\nℹ fail 1\\n'; exit 1; fi";
  const {verdict} = await verifyOnce(once);
  expect(verdict).toMatchObject({kind: "unverified", why: "flaky", detail: expect.stringContaining("second run")});
});

const item = {tool: "node:test", message: "flips", severity: "error", testId: "flips"} as const;
const red = (more: Partial<StageResult> = {}): StageResult =>
  stage({
    kind: "test",
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    exit: {kind: "exited", code: 1},
    tests: {passed: 4, failed: 1, skipped: 0},
    diagnostics: [item],
    ...more,
  });
const green = (passed: number) => stage({kind: "test", outcome: "passed", tests: {passed, failed: 0, skipped: 0}});

test("a listed test is excused, and is still no pass", () => {
  const result = afterSecondLook({first: red(), second: green(5), known: ["flips"]});
  expect(result).toMatchObject({outcome: "flaky", baseline: {outcome: "pre-existing", preexisting: [item]}});
  const judged = {setup: [], setupFailedOnBase: false, irrelevant: new Set<string>(), cancelled: false, outOfTime: ""};
  expect(judge({...judged, stages: [result]}).kind).toBe("verified-with-preexisting");
});

test("a list that misses one of the failed tests excuses nothing", () => {
  const other = {...item, testId: "other"};
  const two = {diagnostics: [item, other], tests: {passed: 3, failed: 2, skipped: 0}};
  const unnamed = {tests: {passed: 3, failed: 2, skipped: 0}};
  for (const more of [two, unnamed]) {
    expect(afterSecondLook({first: red(more), second: green(5), known: ["flips"]}).baseline).toBeNull();
  }
});

test("a second run that left the test out proves nothing", () => {
  expect(afterSecondLook({first: red(), second: green(4), known: []}).outcome).toBe("failed");
});

test.each([
  ["a linter", red({kind: "lint"})],
  ["a timeout", red({outcome: "timed-out", failureKind: "timeout", exit: {kind: "timed-out", afterMs: 1}})],
  ["the environment", red({failureKind: "environment"})],
  ["a crash", red({exit: {kind: "signaled", signal: "SIGSEGV"}})],
  ["too many failures", red({tests: {passed: 0, failed: MOST_FAILURES + 1, skipped: 0}})],
])("no second look after %s", (_, result) => {
  expect(deservesSecondLook(result)).toBe(false);
  expect(deservesSecondLook(red())).toBe(true);
});
