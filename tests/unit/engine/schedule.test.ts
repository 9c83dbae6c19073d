/** Which stages share the machine, and when: time is simulated, so that each case is exact. */
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {longestFirst, runScheduled} from "../../../src/engine/schedule/schedule.ts";
import type {Stage} from "../../../src/record/plan.ts";

const GIB = 1024 ** 3;
const LEAST_FREE = 256 * 1024 ** 2;

beforeEach(() => void vi.useFakeTimers({now: 0}));
afterEach(() => void vi.useRealTimers());

const stage = (name: string, kind: Stage["kind"], cwd: string, needs: string[] = []): Stage => ({
  ...{name, kind, cwd, needs, command: name, timeout: 1, optional: false, env: {}, when: [], path: [], tools: []},
  origin: {file: "verify.json", key: "stages", why: ""},
});
const lint = (name: string): Stage => stage(name, "lint", name);

interface Simulation {
  readonly cores?: number;
  readonly isolated?: readonly Stage[];
  /** free memory at a simulated time */
  readonly bytes?: (ms: number) => number;
  /** how long a stage takes; 10 ms without it */
  readonly takes?: Readonly<Record<string, number>>;
  /** stages whose first run asks for another one */
  readonly again?: readonly string[];
}

/** Runs `stages` in simulated time. Gives one line for each start and end, such as `a 0-10`. */
async function simulate(stages: readonly Stage[], options: Simulation = {}) {
  const {cores = 4, isolated = [], bytes = () => 64 * GIB, takes = {}, again = []} = options;
  const start = performance.now();
  const time = () => Math.round(performance.now() - start);
  const lines: string[] = [];
  const crowded: Record<string, boolean> = {};
  const starts = new Map<string, number>();
  const all = runScheduled({
    stages,
    machine: {cores, availableBytes: () => bytes(time())},
    isolated: new Set(isolated),
    run: async ({name}, slot) => {
      const began = time();
      starts.set(name, (starts.get(name) ?? 0) + 1);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, takes[name] ?? 10);
        slot.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      });
      lines.push(`${name} ${began}-${time()}${slot.signal.aborted ? " stopped" : ""}`);
      crowded[name] ??= slot.hadCompany();
      const isFirst = starts.get(name) === 1;
      return slot.signal.aborted || (isFirst && again.includes(name)) ? "again" : "done";
    },
  });
  await vi.runAllTimersAsync();
  await all;
  return {lines, crowded, timers: vi.getTimerCount()};
}

test("type checks, linters and one test of different projects run in parallel", async () => {
  const types = [stage("x", "typecheck", "a"), stage("y", "typecheck", "b")];
  expect((await simulate(types)).lines).toEqual(["x 0-10", "y 0-10"]);
  expect((await simulate([stage("x", "test", "a"), lint("y")])).lines).toEqual(["x 0-10", "y 0-10"]);
});

test.each<[string, Stage, Stage]>([
  ["one project", stage("x", "typecheck", "a"), stage("y", "lint", "a")],
  ["a project inside the other", stage("x", "typecheck", "."), stage("y", "lint", "b")],
  ["a project around the other", stage("x", "typecheck", "a/b"), stage("y", "lint", "a")],
  ["two tests, because of their ports", stage("x", "test", "a"), stage("y", "test", "b")],
  ["a build that the other may read", stage("x", "build", "a"), stage("y", "test", "b")],
  ["a check that may build", stage("x", "lint", "a"), stage("y", "check", "b")],
  ["a stage that needs the other", stage("x", "lint", "a"), stage("y", "lint", "b", ["x"])],
])("%s: one after the other, in order", async (_, one, other) => {
  expect((await simulate([one, other])).lines).toEqual(["x 0-10", "y 10-20"]);
});

test("a waiting stage lets others pass, except those that would have to wait for it", async () => {
  const stages = [stage("1", "test", "a"), stage("2", "test", "b"), stage("3", "lint", "b"), stage("4", "lint", "c")];
  expect((await simulate(stages)).lines).toEqual(["1 0-10", "4 0-10", "2 10-20", "3 20-30"]);
});

test("no more stages at a time than there are cores", async () => {
  const stages = ["a", "b", "c"].map(lint);
  expect((await simulate(stages, {cores: 1})).lines).toEqual(["a 0-10", "b 10-20", "c 20-30"]);
  expect((await simulate(stages, {cores: 2})).lines).toEqual(["a 0-10", "b 0-10", "c 10-20"]);
});

test("a checkout of its own lets a stage run in parallel with all others, but not before what it needs", async () => {
  const [types, tests, build] = [
    stage("types", "typecheck", "."),
    stage("tests", "test", "."),
    stage("build", "build", "."),
  ];
  const together = await simulate([types, tests, build], {isolated: [types, build]});
  expect(together.lines).toEqual(["types 0-10", "tests 0-10", "build 0-10"]);
  const late = stage("late", "lint", ".", ["tests"]);
  expect((await simulate([tests, late], {isolated: [late]})).lines).toEqual(["tests 0-10", "late 10-20"]);
});

test("a stage and its narrowed run never share the machine", async () => {
  const [narrowed, whole] = [lint("a"), stage("a", "lint", "elsewhere")];
  expect((await simulate([narrowed, whole], {isolated: [narrowed, whole]})).lines).toEqual(["a 0-10", "a 10-20"]);
});

test("another stage starts only with 1 GiB for it and for each stage that is still growing", async () => {
  const stages = ["a", "b"].map(lint);
  expect((await simulate(stages, {bytes: () => 2 * GIB})).lines).toEqual(["a 0-10", "b 0-10"]);
  expect((await simulate(stages, {bytes: () => 2 * GIB - 1})).lines).toEqual(["a 0-10", "b 10-20"]);
  expect((await simulate(stages, {bytes: () => 0})).lines).toEqual(["a 0-10", "b 10-20"]);
});

test("after 5 seconds a stage has taken the memory that it takes", async () => {
  const stages = ["long", "short", "next"].map(lint);
  const bytes = (ms: number) => (ms < 4_000 ? 2 * GIB : GIB);
  const long = 60_000;
  const grown = await simulate(stages, {cores: 3, bytes, takes: {long, short: 5_000}});
  expect(grown.lines).toEqual(["short 0-5000", "next 5000-5010", "long 0-60000"]);
  const growing = await simulate(stages, {cores: 3, bytes, takes: {long, short: 4_999}});
  expect(growing.lines).toEqual(["short 0-4999", "long 0-60000", "next 60000-60010"]);
});

test("when memory runs out the youngest stage is stopped, and runs again alone", async () => {
  const stages = ["old", "young", "next"].map(lint);
  const takes = {old: 2_000, young: 2_000, next: 2_000};
  const bytes = (free: number) => (ms: number) => (ms > 900 && ms < 1_100 ? free : 64 * GIB);
  const low = await simulate(stages, {cores: 2, takes, bytes: bytes(LEAST_FREE - 1)});
  expect(low.lines).toEqual(["young 0-1000 stopped", "old 0-2000", "young 2000-4000", "next 4000-6000"]);
  expect(low.crowded).toMatchObject({young: true, old: true});
  const enough = await simulate(stages, {cores: 2, takes, bytes: bytes(LEAST_FREE)});
  expect(enough.lines).toEqual(["old 0-2000", "young 0-2000", "next 2000-4000"]);
  const alone = await simulate([lint("old")], {takes, bytes: () => 0});
  expect(alone.lines).toEqual(["old 0-2000"]);
  expect(low.timers + enough.timers + alone.timers).toBe(0);
});

test("a stage that may have failed for lack of the machine runs once more, alone", async () => {
  const stages = ["a", "b", "c"].map(lint);
  const {lines} = await simulate(stages, {cores: 2, takes: {b: 30}, again: ["a"]});
  expect(lines).toEqual(["a 0-10", "b 0-30", "a 30-40", "c 40-50"]);
});

test("a stage that asks for another run each time gets one", async () => {
  let runs = 0;
  await runScheduled({
    stages: [lint("a")],
    machine: {cores: 2, availableBytes: () => 64 * GIB},
    isolated: new Set(),
    run: async () => {
      runs += 1;
      if (runs > 5) throw new Error("it never ends");
      return "again";
    },
  });
  expect(runs).toBe(2);
});

test("a stage had company if another ran for more than a quarter of its time", async () => {
  const stages = ["a", "b"].map(lint);
  expect((await simulate(stages, {takes: {a: 100, b: 25}})).crowded).toEqual({a: false, b: true});
  expect((await simulate(stages, {takes: {a: 100, b: 26}})).crowded).toEqual({a: true, b: true});
  expect((await simulate([lint("a")], {takes: {a: 100}})).crowded).toEqual({a: false});
});

test("a run that fails still ends the watch over memory", async () => {
  const failing = runScheduled({
    stages: [lint("a")],
    machine: {cores: 2, availableBytes: () => 64 * GIB},
    isolated: new Set(),
    run: () => Promise.reject(new Error("a bug")),
  });
  await expect(failing).rejects.toThrow("a bug");
  expect(vi.getTimerCount()).toBe(0);
});

/** The names in the order in which they would start. */
const order = (stages: readonly Stage[], durations: Readonly<Record<string, number>>, first: readonly Stage[] = []) =>
  longestFirst({
    stages,
    first: new Set(first),
    isolated: new Set(),
    durationMs: ({name}) => durations[name] ?? null,
  }).map(({name}) => name);

test("the longest chain goes first, previously failing stages even earlier, and none before a stage it waits for", () => {
  const [quick, long] = [stage("quick", "lint", "a"), stage("long", "test", "b")];
  const [first, second] = [stage("first", "lint", "c"), stage("second", "lint", "c")];
  const durations = {quick: 1_000, long: 9_000, first: 500, second: 9_000};
  expect(order([quick, long, first, second], durations)).toEqual(["first", "long", "second", "quick"]);
  expect(order([quick, long, first, second], durations, [quick])).toEqual(["quick", "first", "long", "second"]);
  expect(order([quick, second, long], durations, [quick, second])).toEqual(["second", "quick", "long"]);
});

test("the chain counts every later stage that has to wait, not only the last one", () => {
  const [a, b, c] = [stage("a", "lint", "x"), stage("b", "lint", "x"), stage("c", "lint", "x/y")];
  const alone = stage("alone", "lint", "z");
  expect(order([a, b, alone, c], {a: 1, b: 10, alone: 10, c: 1})).toEqual(["a", "b", "alone", "c"]);
  expect(order([a, alone, b], {a: 1, b: 10, alone: 10.5})).toEqual(["a", "alone", "b"]);
});

test("a stage that was never measured counts with a tenth of its time limit", () => {
  const unknown = {...lint("unknown"), timeout: 60};
  expect(order([lint("known"), unknown], {known: 5_999})).toEqual(["unknown", "known"]);
  expect(order([lint("known"), unknown], {known: 6_001})).toEqual(["known", "unknown"]);
});
