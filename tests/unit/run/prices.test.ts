/** The cost of calls to models that report none: by a price, or unknown, and never zero without saying so. */
import {expect, test} from "vitest";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {priceOf, withPrice} from "../../../src/run/prices.ts";

const PRICE = {input: 2, output: 10};
const TOKENS = {...NO_USAGE, input: 500_000, output: 100_000, cacheRead: 250_000, cacheWrite: 250_000};

test.each([
  ["nothing was called", NO_USAGE, PRICE, NO_USAGE],
  ["the agent knows the cost", {...TOKENS, costUsd: 4}, PRICE, {...TOKENS, costUsd: 4}],
  ["the agent says 0, with a price", TOKENS, PRICE, {...TOKENS, costUsd: 3}],
  ["the agent says 0, without a price", TOKENS, null, {...TOKENS, hasUnknownCost: true}],
  ["a price of 0 is a price", TOKENS, {input: 0, output: 0}, TOKENS],
  ["a part is known", {...TOKENS, costUsd: 4, hasUnknownCost: true}, PRICE, {...TOKENS, costUsd: 4}],
  ["no tokens are known", {...NO_USAGE, hasUnknownCost: true}, PRICE, {...NO_USAGE, hasUnknownCost: true}],
])("%s", (_, usage, price, expected) => {
  expect(withPrice(usage, price)).toEqual(expected);
});

test("a price is found by the name of the input, of the answer, and without the provider", () => {
  const prices = {mine: PRICE};
  expect(priceOf(prices, "mine")).toBe(PRICE);
  expect(priceOf(prices, "", "openai/mine")).toBe(PRICE);
  expect(priceOf(prices, "other", "toString")).toBeNull();
});
