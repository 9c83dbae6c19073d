/** What a run may spend: the limits of time and money, at, below and above each of them. */
import {expect, test} from "vitest";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {
  type BudgetLimits,
  budgetAfter,
  budgetNotes,
  budgetOf,
  jobTime,
  timeSpent,
  turnsSpent,
  turnTime,
} from "../../../src/run/budget.ts";
import {attempt, turn} from "../report/records.ts";

const NONE: BudgetLimits = {minutes: null, usd: null};
const FREE = {job: null, stagesMs: 0};
const costing = (...costs: number[]) =>
  costs.map((costUsd) => attempt({turn: turn({usage: {...turn().usage, costUsd}})}));

test.each<[number | null, number, string | null]>([
  [null, 1e12, null],
  [2, 119_999, null],
  [2, 120_000, "the budget of 2 minutes is used up"],
  [1, 60_000, "the budget of 1 minute is used up"],
  [0.5, 30_000, "the budget of 0.5 minutes is used up"],
])("%s minutes, %i ms after the start", (minutes, elapsedMs, why) => {
  expect(timeSpent({...NONE, minutes}, {elapsedMs, job: null})).toBe(why);
});

test.each<[number | null, number[], string | null]>([
  [null, [1e6], null],
  [1, [], null],
  [1, [0.5, 0.49], null],
  [1, [0.5, 0.5], "the budget of $1.00 is used up: the run has cost $1.00"],
  [1, [2, 1], "the budget of $1.00 is used up: the run has cost $3.00"],
])("%s dollars after turns for %j", (usd, costs, why) => {
  expect(turnsSpent({...NONE, usd}, {...FREE, elapsedMs: 0, attempts: costing(...costs)})).toBe(why);
});

test("what earlier runs have used up is not called this run's cost", () => {
  const left = budgetAfter({minutes: 30, usd: 10}, {minutes: 0.6 + 0.1, usd: 12});
  expect(left).toEqual({minutes: 29.3, usd: 0});
  const options = {...FREE, elapsedMs: 0, attempts: []};
  const used = "nothing is left of the `budget` for the agent";
  expect(turnsSpent(left, options)).toBe(used);
});

test("a limit in dollars that cannot be kept has a note", () => {
  const unknown = {...NO_USAGE, hasUnknownCost: true};
  const judged = attempt({opinion: {kind: "not-judged", why: "malformed", detail: "", usage: unknown, durationMs: 1}});
  const agent = attempt({turn: turn({usage: unknown})});
  const textOf = (usd: number | null, attempts: ReturnType<typeof attempt>[]) =>
    budgetNotes({...NONE, usd}, attempts).map(({text}) => text);
  expect(textOf(null, [judged, agent])).toEqual([]);
  expect(textOf(1, costing(2))).toEqual([]);
  expect(textOf(1, [agent])).toEqual([expect.stringMatching(/\$1\.00 could not be enforced[^.]* no cost is known/)]);
  expect(textOf(1, [...costing(0.25), {...judged, turn: null}])).toEqual([
    expect.stringContaining("only $0.25 is known"),
  ]);
});

test("a run that has reserved its limit has no further turn after one whose cost is not known", () => {
  const unknown = attempt({turn: turn({usage: {...NO_USAGE, hasUnknownCost: true}})});
  const options = {...FREE, elapsedMs: 0, attempts: [unknown]};
  expect(turnsSpent(NONE, options)).toBeNull();
  expect(turnsSpent(NONE, {...options, isReserved: true})).toContain("the cost of a turn is not known");
  expect(turnsSpent(NONE, {...options, isReserved: true, attempts: costing(1)})).toBeNull();
  const [one] = costing(0);
  const ended = one?.turn && {...one.turn, end: {kind: "timed-out" as const, afterMs: 1}};
  const lost = {...options, isReserved: true, attempts: one && ended ? [{...one, turn: ended}] : []};
  expect(turnsSpent(NONE, lost)).toContain("the cost of a turn is not known");
});

test("an attempt without a turn costs nothing, and the time counts as well", () => {
  const attempts = [attempt({turn: null}), ...costing(1)];
  expect(turnsSpent({minutes: 1, usd: 2}, {...FREE, elapsedMs: 59_999, attempts})).toBeNull();
  expect(turnsSpent({minutes: 1, usd: 2}, {...FREE, elapsedMs: 60_000, attempts})).toContain("1 minute");
});

test.each<[number | null, number, number]>([
  [null, 1e12, 5_000],
  [1, 0, 5_000],
  [1, 57_000, 3_000],
  [1, 60_000, 1],
  [1, 90_000, 1],
  [1, 57_000.4, 3_000],
  [1, 59_999.7, 1],
])("with %s minutes, %d ms after the start, a turn of at most 5 s may take %i ms", (minutes, elapsedMs, ms) => {
  expect(turnTime({...NONE, minutes}, {...FREE, elapsedMs, mostMs: 5_000})).toBe(ms);
});

const MINUTE = 60_000;

test.each([
  [60, 0, 55],
  [60, 10, 45],
  [360, 0, 355],
  [10, 0, 7.5],
  [60, -3, 55],
  [60, 90, -5],
])("a job of %i minutes that has run for %i: the run ends itself after %f more", (minutes, age, endsAfter) => {
  expect(jobTime({minutes, ageMs: age * MINUTE}).endsAtMs).toBe(endsAfter * MINUTE);
});

test("the default limits fit into a job of 60 minutes: the stages get their time after the longest turns", () => {
  const job = jobTime({minutes: 60, ageMs: 2 * MINUTE});
  // setup, type check, lint, tests and build with their default timeouts
  const stagesMs = (600 + 120 + 60 + 300 + 300) * 1_000;
  const limits = {job, stagesMs};
  const first = turnTime(NONE, {...limits, elapsedMs: 0, mostMs: 30 * MINUTE});
  expect(first).toBe(30 * MINUTE);
  const verified = first + stagesMs;
  expect(verified).toBeLessThanOrEqual(job.endsAtMs);
  expect(turnsSpent(NONE, {...limits, elapsedMs: verified, attempts: []})).toContain("limit of 60 minutes");
  // where the stages may take more than half of what is left, the turn gets the other half
  expect(turnTime(NONE, {...limits, elapsedMs: 15 * MINUTE, mostMs: 30 * MINUTE})).toBe(19 * MINUTE);
});

test("no stage starts after the run's own end", () => {
  const job = jobTime({minutes: 60, ageMs: 0});
  expect(timeSpent(NONE, {elapsedMs: 55 * MINUTE - 1, job})).toBeNull();
  expect(timeSpent(NONE, {elapsedMs: 55 * MINUTE, job})).toContain("`timeout-minutes` in the workflow");
});

test("a run that starts by itself has 30 minutes, unless verify.json sets a limit", () => {
  expect(budgetOf(NONE, {isAutomatic: false})).toEqual({minutes: null, usd: 10});
  expect(budgetOf({minutes: 5, usd: 50}, {isAutomatic: false})).toEqual({minutes: 5, usd: 50});
  expect(budgetOf({minutes: null, usd: 2}, {isAutomatic: true})).toEqual({minutes: 30, usd: 2});
  expect(budgetOf({minutes: 90, usd: null}, {isAutomatic: true})).toEqual({minutes: 90, usd: 10});
});
