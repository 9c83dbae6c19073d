/** Which of several tries is the best does not depend on their order, and a value that one lacks decides nothing. */
import {expect, test} from "vitest";
import type {Try} from "../../../src/record/tries.ts";
import {chooseTry, undecidedTries} from "../../../src/run/choose-try.ts";

const candidate = {commit: "c".repeat(40), tree: "d".repeat(40), base: "e".repeat(40)};
const usage = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0, costUsd: 0.01};
const row = (number: number, rest: Partial<Try> = {}): Try => ({
  ...{number, candidate, findings: 0, lines: 10, usage, durationMs: 1, verdict: {kind: "verified"}},
  ...rest,
});
const foreign = (part: number) => ({foreignFailed: {part, all: 2}});
const heldOut = (part: number) => ({heldOut: {part, all: 2}});
const fails = (...numbers: number[]) => ({...foreign(numbers.length), failsTestsOf: numbers});
const noticed = (part: number, all: number) => ({noticed: {part, all}});
const executed = (part: number) => ({executed: {part, all: 10}});

test.each([
  [[row(1, {lines: 30, ...executed(9)}), row(2, {lines: 20}), row(3, {lines: 10, ...executed(5)})], 3],
  [[row(1, {lines: 30, ...executed(9)}), row(2, {lines: 10, ...executed(5)})], 1],
  [[row(1, {lines: 1, ...foreign(1)}), row(2, {lines: 9, ...foreign(0)}), row(3, {lines: 1, ...foreign(2)})], 2],
  [[row(1, {lines: 1, ...heldOut(1)}), row(2, {findings: 1, ...heldOut(2)}), row(3, {lines: 1, ...heldOut(0)})], 2],
  [[row(1, {verdict: {kind: "failed", stages: ["test"]}, lines: 1}), row(2, {findings: 3}), row(3, {findings: 4})], 2],
  // tests that reject a wrong try count for the one that wrote them
  [[row(1, {lines: 1, ...fails()}), row(2, {lines: 9, ...fails()}), row(3, {lines: 1, ...fails(2)})], 2],
  // one fault decides nothing, two do; then more noticed faults count
  [[row(1, {lines: 1, ...noticed(3, 3)}), row(2, {lines: 9, ...noticed(11, 12)}), row(3, noticed(1, 1))], 2],
  [[row(1, {lines: 9, ...noticed(3, 3)}), row(2, {lines: 1, ...noticed(10, 12)})], 1],
])("of %j, the best is %i in each order", (rows, best) => {
  const orders = rows.map((_, at) => [...rows.slice(at), ...rows.slice(0, at)]);
  for (const order of [...orders, ...orders.map((one) => one.toReversed())])
    expect(chooseTry(order)).toEqual({chosen: best, ties: []});
});

test("equal evidence is a tie, and the first one wins", () => {
  expect(chooseTry([row(1, {findings: 1}), row(2), row(3)])).toEqual({chosen: 2, ties: [3]});
});

test("further runs of tests are for verified tries that the evidence so far does not tell apart", () => {
  const numbers = (...rows: Try[]) => undecidedTries(rows).map(({number}) => number);
  expect(numbers(row(1, {lines: 9, ...executed(1)}), row(2, executed(9)), row(3, {findings: 1}))).toEqual([1, 2]);
  expect(numbers(row(1, fails(2)), row(2, fails()))).toEqual([]);
  const failed: Partial<Try> = {verdict: {kind: "failed", stages: ["test"]}};
  expect(numbers(row(1, failed), row(2, failed))).toEqual([]);
});
