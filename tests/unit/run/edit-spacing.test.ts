/** The schedule of the edits of a comment in progress, over whole runs. */
import {expect, test} from "vitest";
import type {RateLimit} from "../../../src/github/transport.ts";
import {editSpacing} from "../../../src/run/edit-spacing.ts";

const MINUTE_MS = 60_000;

/** The times of the edits of a run, if each takes `latencyMs`. */
function editsOf(options: {minutes: number; latencyMs?: number; rate?: RateLimit | null}): number[] {
  const {minutes, latencyMs = 400, rate = null} = options;
  const times: number[] = [];
  for (let at = editSpacing({elapsedMs: 0, rate}); at < minutes * MINUTE_MS; ) {
    times.push(at);
    at += Math.max(latencyMs, editSpacing({elapsedMs: at + latencyMs, rate}));
  }
  return times;
}

const gaps = (times: number[]): number[] => times.slice(1).map((time, at) => time - (times[at] ?? 0));

test("the first two minutes have an edit each 10 to 15 s, later there are fewer", () => {
  const times = editsOf({minutes: 60});
  const early = gaps([0, ...times.filter((time) => time <= 2 * MINUTE_MS)]);
  expect(early.length).toBeGreaterThanOrEqual(8);
  expect(early.every((gap) => gap >= 10_000 && gap <= 15_000)).toBe(true);
  const late = gaps(times.filter((time) => time > 20 * MINUTE_MS));
  expect(new Set(late)).toEqual(new Set([60_000]));
});

test("three runs of an hour together have fewer than 500 edits, and one has enough to be watched", () => {
  const {length} = editsOf({minutes: 60});
  expect(length * 3).toBeLessThan(500);
  expect(length).toBeGreaterThan(60);
});

test("edits are rarer when the rate limit is low", () => {
  const spacing = (remaining: number) => editSpacing({elapsedMs: 0, rate: {limit: 1_000, remaining}});
  expect([900, 299, 99, 0].map(spacing)).toEqual([10_000, 60_000, 300_000, 1_200_000]);
  expect(editSpacing({elapsedMs: 0, rate: {limit: 0, remaining: 0}})).toBe(10_000);
  expect(editsOf({minutes: 60, rate: {limit: 1_000, remaining: 50}}).length).toBeLessThan(13);
});
