/** Stages of projects that share no folder run side by side; what could disturb each other keeps its order. */
import {setTimeout as wait} from "node:timers/promises";
import {expect, test} from "vitest";
import type {Stage} from "../../../src/record/plan.ts";
import {longestFirst, runScheduled} from "../../../src/verify/schedule/schedule.ts";

const stage = (name: string, kind: Stage["kind"], cwd: string, needs: string[] = []): Stage => ({
  ...{name, kind, cwd, needs, command: name, timeout: 1, optional: false, env: {}, when: [], path: [], tools: []},
  origin: {file: "verify.json", key: "stages", why: ""},
});

/** What was going on whenever something started or ended, and in which order things ended. */
async function watch(stages: readonly Stage[], cores: number, more: {apart?: Stage[]; bytes?: number} = {}) {
  const now = new Set<string>();
  const pairs = new Set<string>();
  const ended: string[] = [];
  await runScheduled({
    stages,
    machine: {cores, availableBytes: () => more.bytes ?? 64 * 1024 ** 3},
    apart: new Set(more.apart),
    run: async ({name}) => {
      for (const other of now) pairs.add(`${other}+${name}`);
      now.add(name);
      await wait(10);
      now.delete(name);
      ended.push(name);
      return "done";
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

test("no more at a time than there are cores", async () => {
  const stages = ["a", "b", "c"].map((cwd) => stage(cwd, "lint", cwd));
  expect((await watch(stages, 1)).pairs).toEqual([]);
  expect((await watch(stages, 2)).pairs).not.toContain("a+c");
});

test("a checkout of its own lets a stage run beside all others, but not before what it needs", async () => {
  const [types, tests, build] = [
    stage("types", "typecheck", "."),
    stage("tests", "test", "."),
    stage("build", "build", "."),
  ];
  const {pairs} = await watch([types, tests, build], 4, {apart: [types, build]});
  expect(pairs.sort()).toEqual(["tests+build", "types+build", "types+tests"]);
  const late = stage("late", "lint", ".", ["tests"]);
  expect((await watch([tests, late], 4, {apart: [late]})).pairs).toEqual([]);
});

test("little memory keeps stages one after the other, and never keeps one from running", async () => {
  const stages = ["a", "b"].map((cwd) => stage(cwd, "lint", cwd));
  expect(await watch(stages, 4, {bytes: 1.5 * 1024 ** 3})).toEqual({pairs: [], ended: ["a", "b"]});
  expect((await watch(stages, 4, {bytes: 2.5 * 1024 ** 3})).pairs).toEqual(["a+b"]);
});

test("when memory runs out the youngest has to go, and runs again alone", async () => {
  let free = 64 * 1024 ** 3;
  const runs: string[] = [];
  await runScheduled({
    stages: ["old", "young"].map((cwd) => stage(cwd, "lint", cwd)),
    machine: {cores: 2, availableBytes: () => free},
    apart: new Set(),
    run: async ({name}, turn) => {
      runs.push(`${name} begins`);
      await wait(name === "young" && free > 0 ? 10 : 0);
      if (name === "young" && runs.length === 2) free = 0;
      // the old one ends once the young one is gone, and that ends at once where it may run alone
      for (let ms = 0; ms < 20_000 && !turn.signal.aborted && runs.length < (name === "old" ? 3 : 4); ms += 10)
        await wait(10);
      runs.push(`${name} ${turn.signal.aborted ? "stopped" : "ends"}, ${turn.hadCompany() ? "in company" : "alone"}`);
      return turn.signal.aborted ? "again" : "done";
    },
  });
  expect(runs).toEqual([
    ...["old begins", "young begins", "young stopped, in company", "old ends, in company"],
    ...["young begins", "young ends, alone"],
  ]);
});

test("the longest chain first, what failed before even sooner, and no one before whom it waits for", () => {
  const [quick, long] = [stage("quick", "lint", "a"), stage("long", "test", "b")];
  const [first, second] = [stage("first", "lint", "c"), stage("second", "lint", "c")];
  const took = new Map([
    [quick, 1_000],
    [long, 9_000],
    [first, 500],
    [second, 9_000],
  ]);
  const tookMs = (one: Stage) => took.get(one) ?? null;
  const names = (red: Stage[]) =>
    longestFirst({
      stages: [...red, ...[quick, long, first, second].filter((one) => !red.includes(one))],
      first: new Set(red),
      apart: new Set(),
      tookMs,
    }).map(({name}) => name);
  expect(names([])).toEqual(["first", "long", "second", "quick"]);
  expect(names([quick])).toEqual(["quick", "first", "long", "second"]);
});
