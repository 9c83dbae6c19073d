/** Several machines share a plan: each stage is with exactly one of them, and together they never say more than one would have. */
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {packBundle, unpackVerdict} from "../../../src/handover/bundle.ts";
import {SHARDS} from "../../../src/handover/shard-counts.ts";
import {joinShards, shareOf} from "../../../src/handover/shards.ts";
import type {Plan} from "../../../src/record/plan.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {planWith} from "../../rig/plans.ts";
import {attempt, record, stage as result} from "../report/records.ts";

const PLAN = planWith(
  {name: "types", timeout: 100},
  {name: "lint", optional: true, timeout: 500},
  {name: "unit", timeout: 100, needs: ["build"]},
  {name: "slow", timeout: 900},
  {name: "build", timeout: 100},
);
const sharesOf = (plan: Plan, of: number) =>
  Array.from({length: of}, (_, at) => shareOf(plan, {number: at + 1, of}).stages.map(({name}) => name));

test.each(SHARDS)("on %i machines each stage is once, beside what it needs, and no optional one is alone", (of) => {
  const shares = sharesOf(PLAN, of);
  expect(shares.flat().sort()).toEqual(["build", "lint", "slow", "types", "unit"]);
  expect(shares.find((names) => names.includes("unit"))).toContain("build");
  expect(shares.filter((names) => names.length === 1)).not.toContainEqual(["lint"]);
});

test("the time is shared, and so is a plan of optional stages alone", () => {
  expect(sharesOf(PLAN, 2)).toEqual([["slow"], ["types", "lint", "unit", "build"]]);
  const optional = planWith({name: "a", optional: true}, {name: "b", optional: true});
  expect(sharesOf(optional, 2)).toEqual([["a"], ["b"]]);
});

const two = planWith({name: "one"}, {name: "two"});
const VERIFIED: Verdict = {kind: "verified"};
const FAILED: Verdict = {kind: "failed", stages: ["two"]};
const IDLE: Verdict = {kind: "unverified", why: "no-stages", detail: "no required check ran"};
const OUT_OF_TIME: Verdict = {kind: "unverified", why: "out-of-time", detail: "the budget is spent"};
const leg = (names: string[], verdict: Verdict = VERIFIED, over: Partial<RunRecord> = {}): RunRecord =>
  record({attempts: [attempt({verdict, stages: names.map((name) => result({name}))})], ...over});

test.each([
  ["both verified", [leg(["two"]), leg(["one"])], VERIFIED],
  ["one failed", [leg(["one"]), leg(["two"], FAILED)], FAILED],
  ["one had no time", [leg(["one"]), leg(["two"], OUT_OF_TIME)], OUT_OF_TIME],
  ["one failed, one had no time", [leg(["one"], OUT_OF_TIME), leg(["two"], FAILED)], FAILED],
  ["of one no stage concerns the change", [leg(["one"], IDLE), leg(["two"])], VERIFIED],
  ["of both no stage concerns the change", [leg(["one"], IDLE), leg(["two"], IDLE)], IDLE],
  [
    "one has failures that the base has too",
    [leg(["one"]), leg(["two"], {kind: "verified-with-preexisting", stages: ["two"]})],
    {kind: "verified-with-preexisting", stages: ["two"]},
  ],
])("%s", (_, legs, verdict) => {
  const joined = joinShards({legs, plan: two});
  expect(joined).toMatchObject({ok: true, value: {verdict, attempts: [{verdict, verification: {verdict}}]}});
  const names = joined.ok ? joined.value.attempts[0]?.verification?.stages.map(({name}) => name) : [];
  expect(names).toEqual(["one", "two"]);
});

const ONE_REQUESTED: Partial<RunRecord> = {request: {kind: "verify", only: ["one"]}};
test.each<[string, Verdict[], Verdict]>([
  ["it passed", [VERIFIED, IDLE], {kind: "partial", notRun: ["two"], preexisting: []}],
  [
    "it fails as on the base",
    [{kind: "verified-with-preexisting", stages: ["one"]}, IDLE],
    {kind: "partial", notRun: ["two"], preexisting: ["one"]},
  ],
  [
    "its machine left others out, too",
    [{kind: "partial", notRun: ["three"], preexisting: ["one"]}, IDLE],
    {kind: "partial", notRun: ["two"], preexisting: ["one"]},
  ],
  ["it failed", [{kind: "failed", stages: ["one"]}, IDLE], {kind: "failed", stages: ["one"]}],
  ["it had no time", [OUT_OF_TIME, IDLE], OUT_OF_TIME],
])("one of two stages is requested: %s", (_, [first = IDLE, second = IDLE], verdict) => {
  const legs = [leg(["one"], first, ONE_REQUESTED), leg(["two"], second, ONE_REQUESTED)];
  expect(joinShards({legs, plan: two})).toMatchObject({ok: true, value: {verdict, attempts: [{verdict}]}});
});

test("all required stages are requested: the change is verified", () => {
  const all: Partial<RunRecord> = {request: {kind: "verify", only: ["one", "two"]}};
  const plan = planWith({name: "one"}, {name: "two"}, {name: "lint", kind: "lint", optional: true});
  const legs = [leg(["one", "lint"], VERIFIED, all), leg(["two"], VERIFIED, all)];
  expect(joinShards({legs, plan})).toMatchObject({ok: true, value: {verdict: VERIFIED}});
});

test("a machine that is missing takes a partial verdict away, too", () => {
  const legs = [leg(["one"], VERIFIED, ONE_REQUESTED)];
  expect(joinShards({legs, plan: two})).toMatchObject({ok: false, failure: expect.stringContaining("exactly once")});
});

const elsewhere = leg(["two"], VERIFIED, {
  base: {ref: "refs/heads/main", commit: "f".repeat(40), tree: "f".repeat(40)},
});
const otherTree = leg(["two"], VERIFIED, {
  attempts: leg(["two"]).attempts.map((one) => ({
    ...one,
    candidate: one.candidate && {...one.candidate, tree: "f".repeat(40)},
  })),
});
test.each([
  ["a machine is missing", [leg(["one"])], /each check of the plan exactly once/],
  ["a stage is missing", [leg(["one"]), leg([])], /each check of the plan exactly once/],
  ["a stage was looked at twice", [leg(["one", "two"]), leg(["two"])], /each check of the plan exactly once/],
  ["a stage is none of the plan", [leg(["one"]), leg(["two", "three"])], /each check of the plan exactly once/],
  ["they have another base", [leg(["one"]), elsewhere], /different commits or rules/],
  ["they have another tree", [leg(["one"]), otherTree], /different commits or rules/],
  ["there is none", [], /different commits or rules/],
])("%s: nothing is believed", (_, legs, says) => {
  expect(joinShards({legs, plan: two})).toMatchObject({ok: false, failure: expect.stringMatching(says)});
});

function nothing(): RunRecord {
  const verdict: Verdict = {kind: "nothing-to-verify", why: "only-skipped-paths", detail: ""};
  return record({attempts: [{...attempt({verdict}), verification: null}]});
}

test("that there is nothing to verify is no word of one machine alone", () => {
  const joined = joinShards({legs: [leg(["one"]), nothing()], plan: two});
  expect(joined).toMatchObject({ok: true, value: {verdict: {kind: "unverified", why: "gate-error"}}});
});

test("the word of all machines is taken, and none where one of them is silent, or is not who announced it", async () => {
  const place = mkdtempSync(join(tmpdir(), "assay-legs-"));
  onTestFinished(() => rmSync(place, {recursive: true}));
  const folderOf = (machine: number | null) => join(place, String(machine));
  const digests: string[] = [];
  for (const [at, name] of ["one", "two"].entries()) {
    const packed = await packBundle({folder: folderOf(at + 1), record: leg([name]), session: "", work: null});
    digests.push(packed.ok ? packed.value.digest : "");
  }
  const [first = "", second = ""] = digests;
  const word = (...announced: string[]) => unpackVerdict({digests: announced, folderOf, plan: two});
  expect(await word(first, second)).toMatchObject({ok: true, value: {verdict: VERIFIED}});
  expect(await word(first, "")).toBeNull();
  expect(await word("", "")).toBeNull();
  expect(await word("")).toBeNull();
  expect(await word(second, first)).toMatchObject({ok: false, failure: expect.stringContaining("not the one")});
  expect(await word(first, second, first)).toMatchObject({ok: false, failure: expect.stringContaining("not there")});
  expect(await word(first)).toMatchObject({ok: false, failure: expect.stringContaining("not there")});
});

test("a failure of one machine is one of the run", () => {
  const failure = {kind: "git-refused" as const, message: "no"};
  const legs = [leg(["one"]), leg(["two"], VERIFIED, {failures: [failure]})];
  expect(joinShards({legs, plan: two})).toMatchObject({ok: true, value: {failures: [failure]}});
});

test("what the change alone settles, all machines say alike", () => {
  expect(joinShards({legs: [nothing(), nothing()], plan: two})).toMatchObject({
    ok: true,
    value: {verdict: {kind: "nothing-to-verify"}},
  });
});
