/** The loop with a judge: its turns have their own limit, and an objection never changes a verdict. */
import {expect, test} from "vitest";
import type {Opinion} from "../../../src/record/opinion.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import type {Verdict, Verification} from "../../../src/record/verification.ts";
import {type Ask, type Look, solve} from "../../../src/run/fix-loop.ts";
import {stage} from "../report/records.ts";

const id = (char: string) => char.repeat(40);
const usage = {...NO_USAGE, costUsd: 1};
const opinionOf = (outcome: "met" | "not-met" | "unclear" | "split"): Opinion => ({
  ...{kind: "judged", outcome, points: [], objections: [], model: "m", isSameFamily: null, cut: []},
  ...{usage, durationMs: 1},
});
const NOT_JUDGED: Opinion = {kind: "not-judged", why: "malformed", detail: "", usage, durationMs: 1};

interface Turn {
  readonly tree: string;
  readonly fails?: string;
  readonly opinion?: Opinion;
  readonly end?: "timed-out" | "cancelled";
  /** nothing changed: only an answer */
  readonly isAnswer?: boolean;
}

async function loop(turns: readonly Turn[], options: {fixes?: number; objections?: number; spentAfter?: number} = {}) {
  const asks: Ask[] = [];
  const judged: number[] = [];
  const turn = () => turns[asks.length - 1] ?? {tree: "f", fails: "no script"};
  const {attempts, stopped} = await solve(
    {
      ask: async (ask) => {
        asks.push(ask);
        const ends = {
          answered: {kind: "answered"},
          "timed-out": {kind: "timed-out", afterMs: 1},
          cancelled: {kind: "cancelled"},
        } as const;
        return {end: ends[turn().end ?? "answered"], answer: "", usage, model: "m", durationMs: 1};
      },
      look: async (): Promise<Look> => {
        const candidate = {commit: id("c"), tree: id(turn().tree), base: id("b")};
        const nothing: Verdict = {kind: "nothing-to-verify", why: "no-change", detail: ""};
        return turn().isAnswer
          ? {candidate, changes: [], settled: nothing}
          : {candidate, changes: [{path: "a.js", status: "modified"}], settled: null};
      },
      verify: async ({candidate}): Promise<Verification> => {
        const {fails} = turn();
        const red = stage({outcome: "failed", failureKind: "code", reason: "exit code 1", excerpt: fails ?? ""});
        const verdict: Verdict = fails === undefined ? {kind: "verified"} : {kind: "failed", stages: ["test"]};
        const stages = [fails === undefined ? stage() : red];
        return {candidate, where: "checkout", isolation: "degraded", setup: [], stages, verdict, durationMs: 1};
      },
      autofix: async () => null,
      fixPrompt: () => "fix",
      freshPrompt: () => "fresh",
      spent: (all) => (options.spentAfter !== undefined && all.length >= options.spentAfter ? "it is spent" : null),
      onAttempt: async () => undefined,
      judge: {
        judge: async ({number, verdict}) => {
          if (verdict.kind === "failed") return null;
          judged.push(number);
          return turn().opinion ?? null;
        },
        prompt: () => "objection",
        maxPrompts: options.objections ?? 2,
      },
    },
    {prompt: "task", maxFixAttempts: options.fixes ?? 2},
  );
  return {asks: asks.map(({prompt}) => prompt), attempts, stopped, judged};
}

const objects = opinionOf("not-met");

test("an objection is one more turn, and the opinion on its work counts", async () => {
  const {asks, attempts} = await loop([
    {tree: "1", opinion: objects},
    {tree: "2", opinion: opinionOf("met")},
  ]);
  expect(asks).toEqual(["task", "objection"]);
  expect(attempts.map(({opinion}) => opinion?.kind === "judged" && opinion.outcome)).toEqual(["not-met", "met"]);
});

test("objections and fixes have separate limits", async () => {
  const turns = [
    {tree: "1", opinion: objects},
    {tree: "2", fails: "a"},
    {tree: "3", opinion: objects},
    {tree: "4", opinion: objects},
  ];
  const {asks, attempts} = await loop(turns, {fixes: 1});
  expect(asks).toEqual(["task", "objection", "fix", "objection"]);
  expect(attempts.at(-1)?.verdict.kind).toBe("verified");
});

test("if the work after an objection does not pass, the verified work before it counts, with its opinion", async () => {
  const broken = [
    {tree: "1", opinion: objects},
    {tree: "2", fails: "a"},
    {tree: "3", fails: "b"},
  ];
  const {asks, attempts, stopped} = await loop(broken, {fixes: 1});
  expect(asks).toEqual(["task", "objection", "fix"]);
  expect([stopped, attempts.map(({number}) => number)]).toEqual([null, [2, 3, 1]]);
  expect(attempts.at(-1)).toMatchObject({verdict: {kind: "verified"}, opinion: objects});
  const outOfTime = await loop(broken, {spentAfter: 2});
  expect([outOfTime.stopped, outOfTime.attempts.map(({number}) => number)]).toEqual([null, [2, 1]]);
});

test("work that the agent takes back after an objection, and a cancelled run, end as they are", async () => {
  const takenBack = [
    {tree: "1", opinion: objects},
    {tree: "b", isAnswer: true},
  ];
  expect((await loop(takenBack)).attempts.at(-1)?.verdict.kind).toBe("nothing-to-verify");
  const cancelled = [
    {tree: "1", opinion: objects},
    {tree: "2", fails: "a", end: "cancelled" as const},
  ];
  expect((await loop(cancelled)).attempts.map(({number}) => number)).toEqual([1, 2]);
});

test.each([opinionOf("met"), opinionOf("unclear"), opinionOf("split"), NOT_JUDGED])(
  "no other opinion starts a turn",
  async (opinion) => {
    expect((await loop([{tree: "1", opinion}])).asks).toEqual(["task"]);
  },
);

test("a failed attempt is fixed whatever the judge would say, and never judged", async () => {
  const {judged, attempts} = await loop([{tree: "1", fails: "a", opinion: opinionOf("met")}], {fixes: 0});
  expect(judged).toEqual([]);
  expect(attempts.at(-1)).toMatchObject({verdict: {kind: "failed"}});
});

test("without further objections allowed, the objection is only kept", async () => {
  const {asks, attempts} = await loop([{tree: "1", opinion: objects}], {objections: 0});
  expect(asks).toEqual(["task"]);
  expect(attempts[0]?.opinion).toEqual(objects);
});

test("a spent budget ends the objections, and leaves the verdict", async () => {
  const {asks, stopped} = await loop([{tree: "1", opinion: objects}], {spentAfter: 1});
  expect([asks, stopped]).toEqual([["task"], null]);
});

test("the same tree keeps its opinion, which is not paid twice", async () => {
  const {judged, attempts, asks} = await loop([{tree: "1", opinion: objects}, {tree: "1"}]);
  expect([asks, judged]).toEqual([["task", "objection"], [1]]);
  expect(attempts[1]?.opinion).toEqual({...objects, usage: NO_USAGE, durationMs: 0});
});

test("a second answer without a change is judged for itself", async () => {
  const {judged, attempts} = await loop([
    {tree: "b", isAnswer: true, opinion: objects},
    {tree: "b", isAnswer: true, opinion: opinionOf("met")},
  ]);
  expect(judged).toEqual([1, 2]);
  expect(attempts[1]?.opinion).toMatchObject({outcome: "met"});
});

test("a turn for an objection that breaks off ends it", async () => {
  const {asks} = await loop([
    {tree: "1", opinion: objects},
    {tree: "2", end: "timed-out", opinion: objects},
  ]);
  expect(asks).toEqual(["task", "objection"]);
});
