/** Stages of projects that share no folder run side by side; what could disturb each other keeps its order. */
import {setTimeout as wait} from "node:timers/promises";
import {expect, test} from "vitest";
import type {Stage} from "../../../src/record/plan.ts";
import {isIn, runScheduled, slotsOf} from "../../../src/verify/schedule.ts";

const stage = (name: string, kind: Stage["kind"], cwd: string, needs: string[] = []): Stage => ({
  ...{name, kind, cwd, needs, command: name, timeout: 1, optional: false, env: {}, when: [], path: [], tools: []},
  origin: {file: "verify.json", key: "stages", why: ""},
});

/** What was going on whenever something started or ended, and in which order things ended. */
async function watch(stages: readonly Stage[], slots: number) {
  const now = new Set<string>();
  const pairs = new Set<string>();
  const ended: string[] = [];
  await runScheduled({
    stages,
    slots,
    run: async ({name}) => {
      for (const other of now) pairs.add(`${other}+${name}`);
      now.add(name);
      await wait(10);
      now.delete(name);
      ended.push(name);
    },
  });
  return {pairs: [...pairs], ended};
}
const two = (one: Stage, other: Stage) => watch([one, other], 4);

test("type checks, linters and one test of different projects run side by side", async () => {
  expect((await two(stage("x", "typecheck", "a"), stage("y", "typecheck", "b"))).pairs).toEqual(["x+y"]);
  expect((await two(stage("x", "test", "a"), stage("y", "lint", "b"))).pairs).toEqual(["x+y"]);
});

test.each<[string, Stage, Stage]>([
  ["one project", stage("x", "typecheck", "a"), stage("y", "lint", "a")],
  ["a project in the other", stage("x", "typecheck", "."), stage("y", "lint", "b")],
  ["two tests, for their ports", stage("x", "test", "a"), stage("y", "test", "b")],
  ["a build that the other may read", stage("x", "build", "a"), stage("y", "test", "b")],
  ["a check that may build", stage("x", "lint", "a"), stage("y", "check", "b")],
  ["a stage that needs the other", stage("x", "lint", "a"), stage("y", "lint", "b", ["x"])],
])("%s: one after the other, in order", async (_, one, other) => {
  expect(await two(one, other)).toEqual({pairs: [], ended: ["x", "y"]});
});

test("one that waits lets others pass, but none that would have to wait for it", async () => {
  const stages = [stage("1", "test", "a"), stage("2", "test", "b"), stage("3", "lint", "b"), stage("4", "lint", "c")];
  const {pairs, ended} = await watch(stages, 4);
  expect(pairs).toContain("1+4");
  expect(ended.indexOf("3")).toBeGreaterThan(ended.indexOf("2"));
});

test("no more at a time than there are slots", async () => {
  const stages = ["a", "b", "c"].map((cwd) => stage(cwd, "lint", cwd));
  expect((await watch(stages, 1)).pairs).toEqual([]);
  expect((await watch(stages, 2)).pairs).not.toContain("a+c");
});

test("slots are bounded by cores and by memory, and never none", () => {
  expect(slotsOf({cores: 8, freeBytes: 4 * 1024 ** 3})).toBe(2);
  expect(slotsOf({cores: 2, freeBytes: 64 * 1024 ** 3})).toBe(2);
  expect(slotsOf({cores: 4, freeBytes: 1000})).toBe(1);
});

test("a folder holds what is in it, and no namesake", () => {
  expect([isIn("a/b", "a"), isIn("a", "."), isIn("./a/", "a")]).toEqual([true, true, true]);
  expect([isIn("ab", "a"), isIn("a", "a/b")]).toEqual([false, false]);
});
