/** Which requests ask to repair a check that fails, and which only mention it. */
import {describe, expect, it} from "vitest";
import {asksToRepair, type FailingCheck} from "../../../src/verify/requested-repair.ts";
import {cpuClock} from "../report/cpu-time.ts";

const TEST: FailingCheck = {kind: "test", names: ["test", "vitest"], tests: ["sums add up"], isPartlyFixed: false};
const asks = (request: string, check: Partial<FailingCheck> = {}) =>
  asksToRepair({title: "", body: "", request}, {...TEST, ...check});

describe("a request asks to repair", () => {
  it.each<[string, Partial<FailingCheck>]>([
    ["fix the failing tests", {}],
    ["Fix CI, please.", {}],
    ["The build is red since Friday. Can you have a look?", {}],
    ["make the tests pass again", {}],
    ["get CI green", {}],
    ["vitest fails on main", {}],
    ["please repair the broken test", {}],
    ["the test suite does not pass", {}],
    ["`sums add up` fails: expected 4 to be 3", {isPartlyFixed: true}],
    ["fix the type errors", {kind: "typecheck", names: ["typecheck", "tsc"], tests: []}],
    ["tsc is broken after the upgrade", {kind: "typecheck", names: ["typecheck", "tsc"], tests: []}],
    ["fix all lint warnings", {kind: "lint", names: ["lint"], tests: []}],
    ["the compilation fails", {kind: "build", names: ["build"], tests: []}],
  ])("%s", (text, check) => expect(asks(text, check)).toBe(true));

  it("also in the title or the body of the issue", () => {
    const texts = {title: "Nightly run", body: "Hello,\n\nthe tests fail.\n", request: "have a look"};
    expect(asksToRepair(texts, TEST)).toBe(true);
    expect(asksToRepair({...texts, body: "", title: "Tests are failing"}, TEST)).toBe(true);
  });
});

describe("a request is about something else", () => {
  it.each<[string, Partial<FailingCheck>]>([
    ["halve prices", {}],
    ["fix the rounding of prices and add tests", {}],
    ["fix the parser; the tests already fail, ignore them", {}],
    ["Tests fail without network access on main, which is known. Add a cache.", {}],
    ["fix the test command in the README", {}],
    ["write a failing test first", {}],
    ["add a test for sums, they add up wrong", {}],
    ["fix the lint errors", {}],
    ["fix the failing tests", {kind: "lint", names: ["lint"], tests: []}],
    ["fix the broken test", {isPartlyFixed: true}],
    ["the product works wrong, fix it", {tests: ["works"]}],
    ["```\nnpm test fails\n```\nRename the function.", {}],
  ])("%s", (text, check) => expect(asks(text, check)).toBe(false));
});

it("takes a text of any size in no time", () => {
  const start = cpuClock();
  for (const text of ["fix the ".repeat(20_000), "fix ".repeat(40_000), "a ".repeat(80_000), "tests\n".repeat(30_000)])
    asksToRepair({title: text, body: text, request: text}, TEST);
  expect(cpuClock() - start).toBeLessThan(3000);
});
