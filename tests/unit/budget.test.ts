/** What a run may spend: the limits of time and money, at, below and above each of them. */
import {expect, test} from "vitest";
import {type Limits, timeSpent, turnsSpent, turnTime} from "../../src/budget.ts";
import {attempt, turn} from "./report/records.ts";

const NONE: Limits = {minutes: null, usd: null};
const costing = (...costs: number[]) =>
  costs.map((costUsd) => attempt({turn: turn({usage: {...turn().usage, costUsd}})}));

test.each<[number | null, number, string | null]>([
  [null, 1e12, null],
  [2, 119_999, null],
  [2, 120_000, "the budget of 2 minutes is used up"],
  [1, 60_000, "the budget of 1 minute is used up"],
  [0.5, 30_000, "the budget of 0.5 minutes is used up"],
])("%s minutes, %i ms after the start", (minutes, elapsedMs, why) => {
  expect(timeSpent({...NONE, minutes}, elapsedMs)).toBe(why);
});

test.each<[number | null, number[], string | null]>([
  [null, [1e6], null],
  [1, [], null],
  [1, [0.5, 0.49], null],
  [1, [0.5, 0.5], "the budget of $1.00 is used up: the agent's turns cost $1.00"],
  [1, [2, 1], "the budget of $1.00 is used up: the agent's turns cost $3.00"],
])("%s dollars after turns for %j", (usd, costs, why) => {
  expect(turnsSpent({...NONE, usd}, {elapsedMs: 0, attempts: costing(...costs)})).toBe(why);
});

test("an attempt without a turn costs nothing, and the time counts as well", () => {
  const attempts = [attempt({turn: null}), ...costing(1)];
  expect(turnsSpent({minutes: 1, usd: 2}, {elapsedMs: 59_999, attempts})).toBeNull();
  expect(turnsSpent({minutes: 1, usd: 2}, {elapsedMs: 60_000, attempts})).toContain("1 minute");
});

test.each<[number | null, number, number]>([
  [null, 1e12, 5_000],
  [1, 0, 5_000],
  [1, 57_000, 3_000],
  [1, 60_000, 1],
  [1, 90_000, 1],
])("with %s minutes, %i ms after the start, a turn of at most 5 s may take %i ms", (minutes, elapsedMs, ms) => {
  expect(turnTime({...NONE, minutes}, {elapsedMs, mostMs: 5_000})).toBe(ms);
});
