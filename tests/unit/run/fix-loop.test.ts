/** The loop's decisions, with ports that answer by a script: when it goes on, when it starts afresh, when it stops. */
import {expect, test} from "vitest";
import type {Verdict, Verification} from "../../../src/record/verification.ts";
import {type Ask, type Look, solve} from "../../../src/run/fix-loop.ts";
import {stage} from "../report/records.ts";

const id = (char: string) => char.repeat(40);
const FAULT = {path: "a.ts", line: 1, from: "<", to: "<="};
const usage = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 1};

/** One letter a turn: its tree, or `none` if all changes are taken back; the failure that its verification leaves, or null for none. */
async function loop(options: {
  turns: readonly [tree: string, failure: string | null][];
  max: number;
  spentAfter?: number;
  /** whether the tests notice the injected faults; absent: none are injected */
  isNoticed?: boolean;
  /** the trees that lack behavior; absent: no held-out tests */
  lacking?: string;
}) {
  const asks: Ask[] = [];
  const turnOf = (at: number) => options.turns[at] ?? ["f", "no script"];
  const {attempts, stopped} = await solve(
    {
      ask: async (ask) => {
        asks.push(ask);
        return {end: {kind: "answered"}, answer: "", usage, model: "m", durationMs: 1};
      },
      look: async (): Promise<Look> => {
        const [tree] = turnOf(asks.length - 1);
        if (tree === "none")
          return {candidate: null, changes: [], settled: {kind: "nothing-to-verify", why: "no-change", detail: ""}};
        return {candidate: {commit: id("c"), tree: id(tree), base: id("b")}, changes: [], settled: null};
      },
      verify: async ({candidate}): Promise<Verification> => {
        const [, failure] = turnOf(asks.length - 1);
        const red = stage({outcome: "failed", failureKind: "code", reason: "exit code 1", excerpt: failure ?? ""});
        const verdict: Verdict = failure === null ? {kind: "verified"} : {kind: "failed", stages: ["test"]};
        const stages = [failure === null ? stage() : red];
        return {candidate, where: "checkout", isolation: "degraded", setup: [], stages, verdict, durationMs: 1};
      },
      autofix: async () => null,
      fixPrompt: () => "fix",
      freshPrompt: (all) => `fresh after ${all.length}`,
      spent: (all) => (options.spentAfter !== undefined && all.length >= options.spentAfter ? "it is spent" : null),
      onAttempt: async () => undefined,
      ...(options.lacking !== undefined && {
        heldOut: {
          prompt: async ({candidate}) => (options.lacking?.includes(candidate?.tree[0] ?? "") ? "behavior" : null),
        },
      }),
      ...(options.isNoticed !== undefined && {
        faults: {
          measure: async () => ({noticed: 1, notNoticed: options.isNoticed ? [] : [FAULT], left: 0, durationMs: 1}),
          prompt: () => "tests",
        },
      }),
    },
    {prompt: "task", maxFixAttempts: options.max},
  );
  return {asks: asks.map(({prompt, isFresh}) => `${prompt}${isFresh ? "!" : ""}`), attempts, stopped};
}

test("each fix with another failure goes on in the same session", async () => {
  const turns = [
    ["1", "a"],
    ["2", "b"],
    ["3", "c"],
    ["4", null],
  ] as [string, string | null][];
  const {asks, attempts} = await loop({turns, max: 5});
  expect(asks).toEqual(["task", "fix", "fix", "fix"]);
  expect(attempts.at(-1)?.verdict.kind).toBe("verified");
});

test("the same failure after a fix: one more, in a fresh session, and no further", async () => {
  const {asks, attempts} = await loop({
    turns: [
      ["1", "a"],
      ["2", "a"],
      ["3", "b"],
      ["4", null],
    ],
    max: 5,
  });
  expect(asks).toEqual(["task", "fix", "fresh after 2!"]);
  expect(attempts.map(({number}) => number)).toEqual([1, 2, 3]);
});

test("the fresh session is an attempt like the others: the limit holds", async () => {
  expect(
    (
      await loop({
        turns: [
          ["1", "a"],
          ["2", "a"],
        ],
        max: 1,
      })
    ).asks,
  ).toEqual(["task", "fix"]);
});

test("a tree that was there before ends it, with what was said of it", async () => {
  const {asks, attempts} = await loop({
    turns: [
      ["1", "a"],
      ["2", "b"],
      ["1", null],
    ],
    max: 5,
  });
  expect(asks).toEqual(["task", "fix", "fix"]);
  expect(attempts.at(-1)).toMatchObject({number: 3, verdict: {kind: "failed"}});
});

test("what is spent stops the next turn, not what is verified", async () => {
  const {asks, stopped} = await loop({turns: [["1", "a"]], max: 5, spentAfter: 1});
  expect(asks).toEqual(["task"]);
  expect(stopped).toEqual({
    kind: "unverified",
    why: "out-of-time",
    detail: "it is spent; attempt 1 left failing: test",
  });
  expect((await loop({turns: [["1", null]], max: 5, spentAfter: 1})).stopped).toBeNull();
  expect(await loop({turns: [], max: 5, spentAfter: 0})).toMatchObject({asks: [], attempts: []});
});

test("faults that no test notices are one more turn, once, also without a fix left", async () => {
  const twice = await loop({
    turns: [
      ["1", null],
      ["2", null],
    ],
    max: 0,
    isNoticed: false,
  });
  expect(twice.asks).toEqual(["task", "tests"]);
  const fixed = await loop({
    turns: [
      ["1", "a"],
      ["2", null],
      ["3", null],
    ],
    max: 1,
    isNoticed: false,
  });
  expect(fixed.asks).toEqual(["task", "fix", "tests"]);
  expect(fixed.attempts.at(-1)?.candidate?.tree).toBe(id("3"));
  const failed = await loop({turns: [["1", "a"]], max: 0, isNoticed: false});
  expect(failed.asks).toEqual(["task"]);
  const noticed = await loop({turns: [["1", null]], max: 2, isNoticed: true});
  expect(noticed.asks).toEqual(["task"]);
});

test("if the tests that were asked for do not pass, or no time is left for them, the verified work counts", async () => {
  const {attempts, stopped} = await loop({
    turns: [
      ["1", null],
      ["2", "a"],
    ],
    max: 0,
    isNoticed: false,
  });
  expect([attempts.at(-1)?.number, attempts.at(-1)?.verdict.kind, stopped]).toEqual([1, "verified", null]);
  const spent = await loop({turns: [["1", null]], max: 2, spentAfter: 1, isNoticed: false});
  expect([spent.attempts.at(-1)?.verdict.kind, spent.stopped]).toEqual(["verified", null]);
});

test("an agent that takes its work back instead of adding tests does not lose the verified work", async () => {
  const turns = [
    ["1", null],
    ["none", null],
  ] as [string, string | null][];
  const {asks, attempts} = await loop({turns, max: 0, isNoticed: false});
  expect([asks, attempts.map(({number}) => number)]).toEqual([
    ["task", "tests"],
    [2, 1],
  ]);
  expect(attempts.at(-1)?.verdict.kind).toBe("verified");
});

test("missing behavior is one more turn, once, and failing work after it does not replace the verified work", async () => {
  const turns = [
    ["1", null],
    ["2", null],
  ] as [string, string | null][];
  expect((await loop({turns, max: 0, lacking: "12"})).asks).toEqual(["task", "behavior"]);
  expect((await loop({turns, max: 0, lacking: ""})).asks).toEqual(["task"]);
  expect((await loop({turns, max: 0, lacking: "1", isNoticed: false})).asks).toEqual(["task", "behavior", "tests"]);
  const broken = await loop({
    turns: [
      ["1", null],
      ["2", "a"],
    ],
    max: 0,
    lacking: "1",
  });
  expect(broken.asks).toEqual(["task", "behavior"]);
  expect(broken.attempts.at(-1)).toMatchObject({number: 1, verdict: {kind: "verified"}});
  expect(
    (
      await loop({
        turns: [
          ["1", null],
          ["2", "a"],
          ["3", null],
        ],
        max: 1,
        lacking: "1",
      })
    ).asks,
  ).toEqual([...["task", "behavior", "fix"]]);
  expect((await loop({turns, max: 0, lacking: "1", spentAfter: 1})).stopped).toBeNull();
});
