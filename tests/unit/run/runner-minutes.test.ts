/** The minutes that GitHub bills for the jobs of a run. */
import {expect, test} from "vitest";
import type {WorkflowJob} from "../../../src/github/workflow-runs.ts";
import {billedMinutes, hadAgent} from "../../../src/run/runner-minutes.ts";

const NOW = Date.parse("2026-11-30T12:10:00Z");
const job = (start: string | null, end: string | null, more: Partial<WorkflowJob> = {}): WorkflowJob => ({
  ...{name: "a", status: end === null ? "in_progress" : "completed"},
  started_at: start && `2026-11-30T12:${start}Z`,
  completed_at: end && `2026-11-30T12:${end}Z`,
  ...more,
});

test.each<[string, WorkflowJob[], number]>([
  ["each job is rounded up", [job("00:00", "00:01"), job("00:00", "01:00"), job("00:00", "01:01")], 4],
  ["this job counts until now", [job("07:30", null)], 3],
  ["a job that ends at once has a machine for a minute", [job("00:00", "00:00")], 1],
  [
    "a skipped job, one that waits, and one without a start have none",
    [job("00:00", "00:00", {conclusion: "skipped"}), job("00:00", null, {status: "queued"}), job(null, null)],
    0,
  ],
])("%s", (_, jobs, minutes) => {
  expect(billedMinutes(jobs, NOW)).toBe(minutes);
});

test.each<[string, WorkflowJob[], boolean]>([
  ["its job ran", [job("00:00", "01:00", {name: "Assay / Work", runner_id: 7})], true],
  ["its job waited until it was cancelled", [job("00:00", "01:00", {name: "Assay / Work", runner_id: null})], false],
  [
    "one of several tries ran",
    [job("00:00", "01:00", {name: "Work (1)", runner_id: 0}), job("00:00", "01:00", {name: "Work (2)"})],
    true,
  ],
  ["jobs have other names", [job("00:00", "01:00", {name: "Agent", runner_id: 0})], true],
])("%s: the agent may have worked, or not", (_, jobs, expected) => {
  expect(hadAgent(jobs)).toBe(expected);
});
