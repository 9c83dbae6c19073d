/** What past runs came to: only what the comments, pull requests and commits say. */
import {expect, test} from "vitest";
import {type PastChange, summarize} from "../../../src/cli/stats/summarize.ts";

const NOW = "2026-03-01T00:00:00Z";
const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();
const merged = (name: string, days: number): PastChange => ({
  mergedAt: daysAgo(days),
  closedAt: daysAgo(days),
  commits: [name],
});
const of = (changes: readonly PastChange[], reverts: {of: string; at: string}[] = []) =>
  summarize({runs: [{verdict: "verified", usd: 1, minutes: 2}], changes, reverts, nowMs: Date.parse(NOW)});

test("runs, cost and minutes are added up, and each verdict is counted", () => {
  const runs = [
    {verdict: "verified", usd: 0.5, minutes: 3},
    {verdict: "failed", usd: 0.25, minutes: 1.5},
    {verdict: "verified", usd: 0, minutes: 0},
  ];
  expect(summarize({runs, changes: [], reverts: [], nowMs: 0})).toEqual({
    runs: 3,
    verdicts: {verified: 2, failed: 1},
    usd: 0.75,
    minutes: 4.5,
    pullRequests: {merged: 0, closed: 0, open: 0},
    reverted: 0,
    usdPerMerged: null,
    held: null,
  });
});

test("a pull request is merged, closed or open", () => {
  const closed = {mergedAt: null, closedAt: daysAgo(1), commits: ["c"]};
  const open = {mergedAt: null, closedAt: null, commits: ["d"]};
  expect(of([merged("a", 1), merged("b", 20), closed, open])).toMatchObject({
    pullRequests: {merged: 2, closed: 1, open: 1},
    usdPerMerged: 0.5,
  });
});

test.each([
  ["a", daysAgo(29), 1],
  ["a", daysAgo(16), 1],
  ["a", daysAgo(15.9), 0],
  ["a", daysAgo(31), 0],
  ["other", daysAgo(29), 0],
])("a revert of %s at %s: %i reverted of a change merged 30 days ago", (reverted, at, count) => {
  expect(of([merged("a", 30)], [{of: reverted, at}]).reverted).toBe(count);
});

test("how often “verified” held is said from 20 pull requests on that were merged 14 days ago", () => {
  const changes = Array.from({length: 20}, (_, index) => merged(`${index}`, 14 + index));
  const reverts = [{of: "3", at: daysAgo(16)}];
  expect(of(changes, reverts).held).toEqual({of: 20, count: 19});
  expect(of([...changes.slice(1), merged("new", 13)], reverts).held).toBeNull();
});

test("5,000 runs take no time", () => {
  const runs = Array.from({length: 5_000}, () => ({verdict: "verified", usd: 0.1, minutes: 1}));
  expect(summarize({runs, changes: [], reverts: [], nowMs: 0}).usd).toBeCloseTo(500);
});
