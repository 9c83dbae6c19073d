/** What is booked for a run in place of its reservation. */
import {expect, test} from "vitest";
import type {RunRecord} from "../../../src/record/record.ts";
import {costOfRun} from "../../../src/run/reserve-spending.ts";
import {attempt, turn} from "../report/records.ts";

const cost = (over: Partial<RunRecord> = {}) => costOfRun({attempts: [attempt()], failures: [], ...over});
const heldOut = {commit: null, tests: [], problem: "", durationMs: 1, usage: turn().usage};

test("the known cost of a turn is not the whole cost of a run that lost a later one", () => {
  expect(cost()).toBe(0.0834);
  expect(cost({failures: [{kind: "interrupted", message: "killed in the second turn"}]})).toBeNull();
  expect(cost({failures: [{kind: "job-without-result", job: "work"}]})).toBeNull();
  expect(cost({failures: [{kind: "handover-refused", problems: ["another record"]}]})).toBeNull();
  expect(cost({failures: [{kind: "job-without-result", job: "verify"}]})).toBe(0.0834);
});

test("the session that wrote tests counts, also if it left nothing for the agent", () => {
  expect(cost({heldOut})).toBeCloseTo(0.1668);
  expect(cost({heldOut, attempts: []})).toBe(0.0834);
  expect(cost({attempts: []})).toBe(0);
});
