/** A test that moved runs at its new place, or it is lost. */
import {expect, it} from "vitest";
import {notRun} from "../../../src/engine/stage/stage.ts";
import type {InspectedChange, InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {lostTests} from "../../../src/proof/gate-runs/lost-tests.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {plannedStage} from "../../rig/plans.ts";
import "../integrity/all-grammars.ts";

const stage = plannedStage({name: "test", kind: "test", command: "npm test"});
const testsOf = (...names: string[]) =>
  names.map((name) => `it("${name}", () => { expect(f("${name}")).toBe(1); });\n`).join("\n");

function passed(...tests: readonly (readonly [file: string, title: string])[]): StageResult {
  const others = tests.map(([file, title]) => ({file, title, outcome: "passed" as const}));
  const counts = {passed: tests.length, failed: 0, skipped: 0};
  return {
    ...notRun(stage, {outcome: "unavailable", reason: ""}),
    ...{outcome: "passed", reported: {tool: "vitest", counts, failed: [], others}, tests: counts},
  };
}

it("reports a moved test that does not run at its new place", () => {
  const files: InspectedFile[] = [
    {path: "tests/a.test.ts", before: testsOf("a", "b"), after: testsOf("a"), status: "modified" as const},
    {path: "src/b.ts", before: null, after: testsOf("b"), status: "added" as const},
  ].map((file) => ({...file, basePath: file.path, isExecutable: false}));
  const change: InspectedChange = {files, relatedTests: [], plan: null};
  const reference = passed(["tests/a.test.ts", "a"], ["tests/a.test.ts", "b"]);
  const lost = (candidate: StageResult) =>
    lostTests({reference, candidate, change, isWhole: true, path: "."}).map(({level, message}) => [level, message]);
  const left = passed(["tests/a.test.ts", "a"]);
  expect(lost(left)).toEqual([["flag", "1 test of the default branch is not run any more: `b`"]]);
  expect(lost(passed(["tests/a.test.ts", "a"], ["src/b.ts", "b"]))).toEqual([]);
  // Another stage may run it there.
  expect(lost({...left, cwd: "tests"})).toEqual([]);
});

it("leaves out a test that is equal to another one of its group, and no test of another group", () => {
  const test = (name: string) => `  it("${name}", () => { expect(f(1)).toBe(1); });\n`;
  const fast = `describe("fast", () => {\n${test("a")}`;
  const slow = `describe("slow", () => {\n${test("c")}`;
  const lost = (before: string, after: string, gone: string) => {
    const file = {path: "tests/a.test.ts", basePath: "tests/a.test.ts", status: "modified" as const};
    const change = {files: [{...file, before, after, isExecutable: false}], relatedTests: [], plan: null};
    const candidate = passed(["tests/a.test.ts", "fast > a"]);
    const reference = passed(["tests/a.test.ts", "fast > a"], ["tests/a.test.ts", gone]);
    const unnamed = {...candidate, reported: undefined};
    return [candidate, unnamed].map(
      (one) => lostTests({reference, candidate: one, change, isWhole: true, path: "."}).length,
    );
  };
  const end = "});\n";
  expect(lost(`${fast}${test("b")}${end}`, `${fast}${end}`, "fast > b")).toEqual([0, 0]);
  expect(lost(`${fast}${end}${slow}${end}`, `${fast}${end}`, "slow > c")).toEqual([1, 1]);
});
