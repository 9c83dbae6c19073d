/** After a fix the stages that failed run first, and nothing runs before what it stands on. */
import {expect, test} from "vitest";
import {orderStages, prerequisitesOf} from "../../../src/engine/schedule/order.ts";
import type {Stage} from "../../../src/record/plan.ts";
import type {Verification} from "../../../src/record/verification.ts";
import {stage as result} from "../report/records.ts";

const stage = (name: string, kind: Stage["kind"], needs: string[] = []): Stage => ({
  ...{name, kind, needs, command: name, cwd: ".", timeout: 1, optional: false, env: {}, when: [], path: [], tools: []},
  origin: {file: "verify.json", key: "stages", why: ""},
});
const plan = {
  stages: [
    stage("lint", "lint"),
    stage("build", "build"),
    stage("types", "typecheck"),
    stage("test", "test", ["types"]),
  ],
};
const after = (outcomes: Record<string, "passed" | "failed" | "skipped">): Verification => ({
  candidate: null,
  where: "checkout",
  isolation: "degraded",
  setup: [],
  stages: Object.entries(outcomes).map(([name, outcome]) => result({name, outcome})),
  verdict: {kind: "failed", stages: []},
  durationMs: 1,
});
const names = (before: Verification | null) => orderStages(plan, before).map(({name}) => name);

test("a first verification keeps the plan's order", () => {
  expect(names(null)).toEqual(["lint", "build", "types", "test"]);
});

test("what failed goes first, behind what it needs and the builds before it", () => {
  expect(names(after({lint: "passed", test: "failed"}))).toEqual(["build", "types", "test", "lint"]);
  expect(names(after({test: "skipped"}))).toEqual(["lint", "build", "types", "test"]);
  expect(names(after({types: "failed"}))).toEqual(["build", "types", "lint", "test"]);
});

test("a stage stands on what it needs, and on what that needs", () => {
  const far = {stages: [stage("a", "lint"), stage("b", "lint", ["a"]), stage("c", "test", ["b"]), stage("d", "build")]};
  expect(prerequisitesOf({name: "c", needs: ["b"]}, far).map(({name}) => name)).toEqual(["a", "b"]);
});

test("a build counts only where it comes before the stage", () => {
  expect(prerequisitesOf({name: "lint", needs: []}, plan)).toEqual([]);
  expect(prerequisitesOf({name: "lint", needs: ["test"]}, plan)).toEqual([]);
});
