/** What several runs may cost together: reservations, their settlement, and the limits of a day and a month. */
import {expect, test} from "vitest";
import {parseSpending, reserve, type Spending, settle} from "../../../src/run/spending.ts";

const EMPTY: Spending = {schema: "assay.spending/1", spent: {}, reserved: {}};
const spent = (days: Spending["spent"]): Spending => ({...EMPTY, spent: days});

function tryReserve(
  spending: Spending,
  {
    key = "a",
    usd = 5,
    day = 20,
    month = 20,
    now = "2026-11-30T23:59:59Z",
  }: Partial<Record<"key" | "now", string>> & {
    usd?: number;
    day?: number | null;
    month?: number | null;
  } = {},
) {
  const limits = {usdPerDay: day, usdPerMonth: month};
  return reserve(spending, {key, usd, now: new Date(now), limits, scope: "repository"});
}
const reservedOf = (spending: Spending, options?: Parameters<typeof tryReserve>[1]) => {
  const result = tryReserve(spending, options);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

test("reservations count until they are settled, and then the cost", () => {
  const three = ["a", "b", "c", "d"].reduce((sum, key) => reservedOf(sum, {key}), EMPTY);
  expect(tryReserve(three, {key: "e"})).toEqual({
    ok: false,
    failure: {
      ...{kind: "spending-limit", scope: "repository", period: "day", limit: 20, spent: 0, reserved: 20, wanted: 5},
      renews: "2026-12-01",
    },
  });
  const settled = settle(three, {key: "a", usd: 0.2});
  expect(settled).toMatchObject({spent: {"2026-11-30": 0.2}, reserved: {b: {usd: 5}}});
  expect(tryReserve(settled ?? EMPTY, {key: "e", usd: 4.8}).ok).toBe(true);
  expect(tryReserve(settled ?? EMPTY, {key: "e", usd: 4.81}).ok).toBe(false);
});

test("what is settled twice, or was never reserved, changes nothing", () => {
  const settled = settle(reservedOf(EMPTY), {key: "a", usd: 1});
  expect(settle(settled ?? EMPTY, {key: "a", usd: 1})).toBeNull();
  expect(settle(EMPTY, {key: "a", usd: 1})).toBeNull();
});

test("the same run reserves once, also when its first answer was lost", () => {
  const twice = reservedOf(reservedOf(EMPTY, {usd: 15}), {usd: 15});
  expect(twice.reserved).toEqual({a: {day: "2026-11-30", usd: 15}});
});

test.each([
  ["2026-11-30T12:00:00Z", {day: null}, "month", "2026-12-01"],
  ["2026-12-31T12:00:00Z", {day: null}, "month", "2027-01-01"],
  ["2026-02-28T12:00:00Z", {month: null}, "day", "2026-03-01"],
])("at %s the limit %j of a %s renews on %s", (now, limits, period, renews) => {
  const result = tryReserve(spent({[now.slice(0, 10)]: 19}), {now, ...limits});
  expect(result).toMatchObject({ok: false, failure: {period, renews}});
});

test("yesterday counts for the month only", () => {
  const all = spent({"2026-11-29": 14});
  expect(tryReserve(all, {usd: 6.01})).toMatchObject({failure: {period: "month", spent: 14}});
  expect(tryReserve(all, {usd: 6}).ok).toBe(true);
});

test("a run that began yesterday is booked on its day", () => {
  const reserved = reservedOf(EMPTY, {now: "2026-11-29T23:59:59Z"});
  expect(settle(reserved, {key: "a", usd: 0.1})?.spent).toEqual({"2026-11-29": 0.1});
});

test("sums of cents are exact", () => {
  const many = Array.from({length: 10}, (_, at) => `run ${at}`).reduce(
    (sum, key) => reservedOf(sum, {key, usd: 0.1, day: 1}),
    EMPTY,
  );
  expect(tryReserve(many, {usd: 0.01, day: 1}).ok).toBe(false);
});

test("a missing document is an empty one, and one with another form is none", () => {
  expect(parseSpending(null)).toEqual(EMPTY);
  for (const text of ["", "{}", '{"schema": "assay.spending/1", "spent": {"2026-11-30": -5}, "reserved": {}}'])
    expect(parseSpending(text)).toBeNull();
});
