/** What past runs came to: only what the comments, pull requests and commits say. */
import {expect, test} from "vitest";
import {type Fate, findFates, type LaterText, type PastChange} from "../../../src/cli/stats/fates.ts";
import {statsPage} from "../../../src/cli/stats/page.ts";
import {statsRows} from "../../../src/cli/stats/rows.ts";
import {type PastRun, summarize} from "../../../src/cli/stats/summarize.ts";
import type {RunFacts} from "../../../src/record/run-facts.ts";

const NOW = "2026-03-01T00:00:00Z";
const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();
const GOOD: Fate = {isReverted: false, isHotFixed: false, isRed: null};
const merged = (name: string, days: number, fate: Partial<Fate> = {}): PastChange & Fate => ({
  ...{number: 12, mergedAt: daysAgo(days), closedAt: daysAgo(days), commits: [name], isVerified: true},
  ...GOOD,
  ...fate,
});
const facts = (some: Partial<RunFacts>): RunFacts => ({
  ...{attempts: 1, checks: [], flaky: [], findings: [], failures: []},
  ...some,
});
const run = (some: Partial<PastRun>): PastRun => ({verdict: "verified", usd: 0, minutes: 0, isRound: false, ...some});
const of = (changes: readonly (PastChange & Fate)[], runs = [run({usd: 1, minutes: 2})]) =>
  summarize({runs, changes, nowMs: Date.parse(NOW)});

test("runs, cost and minutes are added up, and each verdict is counted", () => {
  const runs = [
    run({usd: 0.5, minutes: 3}),
    run({verdict: "failed", usd: 0.25, minutes: 1.5, isRound: true}),
    run({minutes: 1}),
  ];
  expect(of([], runs)).toMatchObject({
    ...{runs: 3, verdicts: {verified: 2, failed: 1}, usd: 0.75, minutes: 5.5, medianMinutes: 1.5, rounds: 1},
    ...{pullRequests: {merged: 0, closed: 0, open: 0}, reverted: 0, hotFixed: 0, red: {of: 0, count: 0}},
    ...{usdPerMerged: null, held: null, detailed: 0, checks: []},
  });
});

test("a pull request is merged, closed or open", () => {
  const closed = {...merged("c", 1), mergedAt: null};
  const open = {...closed, closedAt: null};
  expect(of([merged("a", 1), merged("b", 20), closed, open])).toMatchObject({
    pullRequests: {merged: 2, closed: 1, open: 1},
    usdPerMerged: 0.5,
  });
});

const SHA = "0123456789".repeat(4);
const fateOf = (text: string, at = daysAgo(29), commits = [SHA]) => {
  const texts: LaterText[] = [{text, at}];
  return findFates({repository: "own/repo", texts, history: []})({...merged("", 30), commits});
};

test.each([
  [`Revert "x"\n\nThis reverts commit ${SHA}.`, {isReverted: true}],
  ["Reverts own/repo#12", {isReverted: true}],
  ["Reverts #12", {isReverted: true}],
  ["Reverts other/repo#12", {}],
  ["Reverts own/repo#123", {}],
  [`Correct x\n\nFixes: ${SHA.slice(0, 12)} ("Add x")`, {isHotFixed: true}],
  ["Fixes: 0123456", {isHotFixed: true}],
  ["Fixes: 9999999", {}],
  ["It fixes #12, too", {isHotFixed: true}],
  ["Closes #12", {}],
  ["See #12", {}],
  [`Reverts nothing, see ${SHA}`, {}],
])("a later text %j means %j", (text, fate) => {
  expect(fateOf(text)).toEqual({...GOOD, ...fate});
});

test.each([
  [29, true],
  [16, true],
  [15.9, false],
  [30, false],
  [31, false],
])("a revert %s days ago of a change merged 30 days ago counts: %s", (days, isReverted) => {
  expect(fateOf(`This reverts commit ${SHA}`, daysAgo(days)).isReverted).toBe(isReverted);
});

test("a merged commit is red by its own checks only, and unknown without one", () => {
  const history = [
    {commit: "a", at: NOW, message: "", isRed: true},
    {commit: "b", at: NOW, message: "", isRed: false},
    {commit: "c", at: NOW, message: "", isRed: null},
  ];
  const fate = findFates({repository: "own/repo", texts: [], history});
  expect(["a", "b", "c", "d"].map((commit) => fate(merged(commit, 30)).isRed)).toEqual([true, false, null, null]);
  expect(of([merged("a", 1, {isRed: true}), merged("b", 1, {isRed: false}), merged("c", 1)]).red).toEqual({
    ...{of: 2, count: 1},
  });
});

test("how often “verified” held is said from 20 pull requests on that were merged 14 days ago", () => {
  const changes = Array.from({length: 20}, (_, index) => merged(`${index}`, 14 + index));
  const [first, second, third, ...rest] = changes.map((change) => ({...change}));
  if (!first || !second || !third) throw new Error("too few");
  const bad = [{...first, isReverted: true}, {...second, isHotFixed: true}, {...third, isRed: true}, ...rest];
  expect(of(bad).held).toEqual({of: 20, count: 17});
  expect(of([...changes.slice(1), merged("new", 13)]).held).toBeNull();
  expect(of([...changes.slice(1), {...first, isVerified: false}]).held).toBeNull();
});

test("checks, flaky tests and findings are counted from what the comments say", () => {
  const runs = [
    run({
      facts: facts({
        attempts: 2,
        checks: [
          ["test", "passed", "", 60],
          ["lint", "passed", "", 3],
        ],
      }),
    }),
    run({
      verdict: "failed",
      facts: facts({checks: [["test", "failed", "code", 90]], flaky: ["adds"], failures: ["agent-broke"]}),
    }),
    run({verdict: "unverified", facts: facts({checks: [["test", "flaky", "", 61]], flaky: ["adds"], why: "flaky"})}),
    run({
      verdict: "tampered",
      facts: facts({
        findings: [
          ["removed-tests", "block", 2],
          ["removed-tests", "note", 1],
        ],
      }),
    }),
    run({
      facts: facts({
        findings: [
          ["removed-tests", "block", 2],
          ["scripts", "note", 1],
        ],
        approved: true,
      }),
    }),
  ];
  const stats = of([], runs);
  expect(stats).toMatchObject({
    detailed: 5,
    attempts: {all: 6, runsWithFix: 1},
    unverifiedBecause: {flaky: 1},
    failureKinds: {code: 1},
    otherFailures: {"agent-broke": 1},
    checks: [
      {name: "test", runs: 3, failed: 1, flaky: 1, medianSeconds: 61, maxSeconds: 90},
      {name: "lint", runs: 1, failed: 0, flaky: 0, medianSeconds: 3, maxSeconds: 3},
    ],
    flakyTests: {adds: 2},
    findings: {
      "removed-tests": {block: 1, flag: 0, note: 0, overruled: 1},
      scripts: {block: 0, flag: 0, note: 0, overruled: 0},
    },
  });
  const rows = new Map(statsRows(stats));
  expect(rows.get("slow checks")).toBe("test 1 min 1 s (at most 1 min 30 s), lint 3.0 s");
  expect(rows.get("flaky tests")).toBe("adds (2)");
  expect(rows.get("findings")).toContain("removed-tests 1 (1 blocking, 1 approved)");
});

test("names of checks and tests are inert in the page", () => {
  const name = `<img src=x onerror=alert(1)>"&'</table>`;
  const stats = of([], [run({facts: facts({checks: [[name, "passed", "", 1]], flaky: [name]})})]);
  const page = statsPage({title: "own/<script>", since: NOW, stats, repositories: [{repository: name, ...stats}]});
  expect(page).not.toMatch(/<img|<script/);
  expect(page.match(/<\/table>/g)).toHaveLength(4);
});

test("5,000 runs and as many changes take no time", () => {
  const runs = Array.from({length: 5_000}, () => run({usd: 0.1, minutes: 1}));
  const changes = Array.from({length: 5_000}, (_, at) => ({...merged(SHA, at / 100), number: at}));
  const texts = changes.map(({number}) => ({text: `Fixes #${number}`, at: daysAgo(number / 100 - 1)}));
  const fate = findFates({repository: "own/repo", texts, history: []});
  const stats = of(
    changes.map((change) => ({...change, ...fate(change)})),
    runs,
  );
  expect(stats.usd).toBeCloseTo(500);
  expect(stats.hotFixed).toBe(5_000);
});
