/** How `assay replay` compares a check of a record with the same check here. */
import {describe, expect, it} from "vitest";
import {compareChecks, type ToldCheck, toldCheck} from "../../../src/proof/replay/compare-checks.ts";
import type {ReplayReason} from "../../../src/record/replay.ts";
import {stage} from "../report/records.ts";

const check = (fields: Partial<ToldCheck> = {}): ToldCheck => ({
  ...{name: "test", outcome: "passed", exitCode: 0, tests: {passed: 2, failed: 0, skipped: 0}},
  ...{isPart: false, listed: new Map([["a", ["passed"] as const]]), digests: ["1"]},
  ...fields,
});
const reasonOf = (recorded: Partial<ToldCheck> | null, here: Partial<ToldCheck> | null): ReplayReason | null => {
  const list = (fields: Partial<ToldCheck> | null) => (fields === null ? [] : [check(fields)]);
  return compareChecks(list(recorded), list(here))[0]?.reason ?? null;
};

describe("compareChecks", () => {
  it("reproduces a check with the same end and the same tests", () => {
    expect(compareChecks([check()], [check()])).toEqual([
      expect.objectContaining({agreement: "reproduced", reason: null, tests: {reproduced: 1, differing: []}}),
    ]);
  });

  const UNLIKE: Record<string, [Partial<ToldCheck> | null, Partial<ToldCheck> | null, string, ReplayReason]> = {
    "another outcome": [{}, {outcome: "failed", exitCode: 1}, "differs", "outcome"],
    "another exit code": [{outcome: "failed", exitCode: 1}, {outcome: "failed", exitCode: 2}, "differs", "outcome"],
    "another test": [{}, {listed: new Map([["b", ["passed"]]])}, "differs", "tests"],
    "a skipped test": [{}, {listed: new Map([["a", ["skipped"]]])}, "differs", "tests"],
    "another number": [{listed: null}, {tests: {passed: 1, failed: 0, skipped: 0}}, "differs", "tests"],
    "another report": [{listed: null}, {digests: ["2"]}, "differs", "tests"],
    "a check that the record lacks": [null, {}, "differs", "only-here"],
    "a check that the plan lacks": [{}, null, "not-replayed", "only-recorded"],
    "a part of the tests": [{isPart: true}, {}, "not-replayed", "part-only"],
    "a flaky check": [{outcome: "flaky"}, {}, "not-replayed", "chance"],
    "a missing tool": [{}, {outcome: "unavailable", exitCode: null}, "not-replayed", "not-run-here"],
  };
  it.each(Object.entries(UNLIKE))("names %s", (_, [recorded, here, agreement, reason]) => {
    expect(reasonOf(recorded, here)).toBe(reason);
    const list = (fields: Partial<ToldCheck> | null) => (fields === null ? [] : [check(fields)]);
    expect(compareChecks(list(recorded), list(here))[0]?.agreement).toBe(agreement);
  });

  it("names each test that is not the same, and counts the others", () => {
    const listed = (b: "passed" | "failed") =>
      check({
        listed: new Map([
          ["a", ["passed"]],
          ["b", [b]],
        ]),
      });
    expect(compareChecks([listed("passed")], [listed("failed")])[0]?.tests).toEqual({
      reproduced: 1,
      differing: [{name: "b", recorded: "passed", here: "failed"}],
    });
  });

  it("knows the tests of a report only if it names each of them", () => {
    const counts = {passed: 1, failed: 1, skipped: 0};
    const reported = {
      ...{tool: "vitest", counts, failed: [{file: "a.ts", name: "two", title: "two", message: "no"}]},
      others: [{file: "a.ts", title: "one", outcome: "passed" as const}],
    };
    expect([...(toldCheck(stage({reported})).listed ?? [])]).toEqual([
      ["a.ts: one", ["passed"]],
      ["a.ts: two", ["failed"]],
    ]);
    expect(toldCheck(stage({reported: {...reported, counts: {...counts, failed: 2}}})).listed).toBeNull();
  });
});
