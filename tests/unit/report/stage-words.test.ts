/** One row of the table of stages: the icon and the words for what a stage came to. */
import {expect, test} from "vitest";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {unreadPaths} from "../../../src/report/claims.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {failingStages, stageResultWords} from "../../../src/report/stages.ts";
import {attempt, record, stage} from "./records.ts";

const reason = "exit code 0, but no test was run";

test.each([
  [{outcome: "unavailable", failureKind: "environment", reason: "no npm"}, "⚠️", "could not run: no npm"],
  [{outcome: "unavailable", failureKind: "no-check", reason}, "⚠️", `checked nothing: ${reason}`],
  [{outcome: "failed", failureKind: "no-check", reason}, "❌", `failed: ${reason}`],
  [{outcome: "passed", kind: "test", tests: null}, "✅", "passed, no test was counted"],
  [{outcome: "passed", kind: "test", tests: {passed: 2, failed: 0, skipped: 0}}, "✅", "passed, 2 tests"],
  [{outcome: "passed", kind: "lint", tests: null}, "✅", "passed"],
] as const)("%j is %s %s", (over, icon, result) => {
  expect(stageResultWords(stage(over))).toEqual({icon, result});
});

test("a failure that cannot be compared decides nothing, and says which side tells too little", () => {
  const why = "on the base, it crashed";
  const red = stage({
    ...{outcome: "failed", failureKind: "code", reason: "exit code 1"},
    baseline: {outcome: "not-comparable", new: [], preexisting: [], fixed: 0, why},
  });
  expect(stageResultWords(red)).toEqual({
    icon: "⚠️",
    result: "failed: exit code 1 (not comparable with the base: on the base, it crashed)",
  });
  const same = stage({
    ...{outcome: "timed-out", failureKind: "timeout", reason: "too slow"},
    baseline: {outcome: "not-comparable", new: [], preexisting: [], fixed: 0, why: "on the base, too slow"},
  });
  expect(stageResultWords(same).result).toMatch(/: too slow \(not comparable: the same happens on the base\)$/);
});

test("no file is called unread if no check ran, because the set-up failed", () => {
  const coverage = {strict: false, paths: [{path: "notes.txt", stages: [], takenIn: [], project: null}]};
  const unread = (over: Partial<StageResult>) => {
    const one = attempt({stages: [stage(over)]});
    const verification = one.verification && {...one.verification, coverage};
    return unreadPaths(record({attempts: [{...one, verification}]}));
  };
  expect(unread({outcome: "failed", exit: {kind: "exited", code: 1}})).toEqual(["notes.txt"]);
  expect(unread({outcome: "skipped", exit: null, reason: "the set-up failed"})).toEqual([]);
});

test("a clone that refuses the work is not called a server, and has no branch rules", () => {
  const failure = {kind: "push-refused", ref: "refs/heads/assay/run-1", message: "cannot lock ref"} as const;
  const text = renderReport(record({failures: [failure], isInClone: true}));
  expect(text).toContain("**The push was refused**");
  expect(text).toContain("Fix the problem that git reports");
  expect(text).not.toMatch(/server|branch rules|workflow/);
});

test("only verified work in a clone is offered for a merge", () => {
  const parked = {
    kind: "parked",
    ref: "refs/heads/assay/parked/run-1",
    commit: "a".repeat(40),
    tree: "b".repeat(40),
  } as const;
  const text = renderReport(record({publication: parked, isInClone: true}));
  expect(text).toContain("To read it:\n\n```sh\ngit log -p HEAD..assay/parked/run-1\n```");
});

test("a runner whose tests have no names is answered with their number", () => {
  const failing = stage({
    name: "test",
    kind: "test",
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    tests: {passed: 13, failed: 19, skipped: 0},
    diagnostics: [],
  });
  const verdict: Verdict = {kind: "failed", stages: ["test"]};
  const text = renderReport(record({verdict, attempts: [attempt({stages: [failing]})]}));
  expect(text).toMatch(/\n19 of 32 tests failed\n/);
});

test("checks that could not run for the same reason share one folded block", () => {
  const limits = {answer: 0, earlier: 0, excerpt: 2000, diagnostics: 10, rows: 50, list: 20, line: 200};
  const missing = {outcome: "unavailable", failureKind: "environment", optional: true} as const;
  const stages = ["typecheck", "lint"].map((name) => stage({...missing, name, reason: `no ${name}`}));
  const failing = stage({outcome: "failed", failureKind: "code", name: "test", reason: "exit code 1", excerpt: "Oops"});
  const blocks = failingStages({
    setup: [],
    stages: [...stages, failing],
    limits,
  });
  expect(blocks).toHaveLength(2);
  expect(blocks[0]).toContain("<summary>typecheck, lint: could not run</summary>");
  expect(blocks[1]).toContain("Oops");
});
