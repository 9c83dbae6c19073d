/** What is booked for a run in place of its reservation. */
import {expect, test} from "vitest";
import type {RunRecord} from "../../../src/record/record.ts";
import {costToBook} from "../../../src/run/reserve-spending.ts";
import {attempt, turn} from "../report/records.ts";

const cost = (over: Partial<RunRecord> = {}) => costToBook({attempts: [attempt()], failures: [], ...over}, 2);
const heldOut = {commit: null, tests: [], problem: "", durationMs: 1, usage: turn().usage};

test("the known cost of a turn is not the whole cost of a run that lost a later one", () => {
  expect(cost()).toBe(0.0834);
  expect(cost({failures: [{kind: "interrupted", message: "killed in the second turn"}]})).toBe(2);
  expect(cost({failures: [{kind: "job-without-result", job: "work"}]})).toBe(2);
  expect(cost({failures: [{kind: "handover-refused", problems: ["another record"]}]})).toBe(2);
  expect(cost({failures: [{kind: "job-without-result", job: "verify"}]})).toBe(0.0834);
});

test("the session that wrote tests counts, also if it left nothing for the agent", () => {
  expect(cost({heldOut})).toBeCloseTo(0.1668);
  expect(cost({heldOut, attempts: []})).toBe(0.0834);
  expect(cost({attempts: []})).toBe(0);
});

test("a known part of more than the reservation counts, although the rest is not known", () => {
  const attempts = [attempt({turn: turn({usage: {...turn().usage, costUsd: 3, hasUnknownCost: true}})})];
  expect(cost({attempts})).toBe(3);
});

test("the report of an agent uses up neither the limits of all other runs, nor the form of what is counted", () => {
  for (const costUsd of [1e6, 1e308])
    expect(cost({attempts: [1, 2].map(() => attempt({turn: turn({usage: {...turn().usage, costUsd}})}))})).toBe(20);
});
