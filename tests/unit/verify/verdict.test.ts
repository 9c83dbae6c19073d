/** `judge`, branch by branch: what the results of the stages allow Assay to claim. */
import {expect, test} from "vitest";
import type {BaselineComparison, Diagnostic, StageResult} from "../../../src/record/evidence.ts";
import {isCausedByChange, isPreExisting} from "../../../src/record/failure-cause.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {withRequest} from "../../../src/verify/requested-repair.ts";
import {decideVerdict} from "../../../src/verify/verdict.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {stage} from "../report/records.ts";

type Given = Parameters<typeof decideVerdict>[0];

const given = (over: Partial<Given>): Given => ({
  setup: [],
  setupFailedOnBase: false,
  stages: [],
  skipped: new Set(),
  leftOut: [],
  uncovered: [],
  cancelled: false,
  outOfTime: "",
  isBase: false,
  ...over,
});

const comparison = (outcome: BaselineComparison["outcome"]): BaselineComparison => ({
  outcome,
  new: [],
  preexisting: [],
  fixed: 0,
  why: "",
});
const pass = stage({name: "lint"});
const red = (over: Partial<StageResult> = {}) =>
  stage({name: "test", outcome: "failed", failureKind: "code", reason: "exit code 1", ...over});
const compared = (outcome: BaselineComparison["outcome"], over: Partial<StageResult> = {}) =>
  red({baseline: comparison(outcome), ...over});
const flaky = (over: Partial<StageResult> = {}) =>
  stage({name: "test", outcome: "flaky", reason: "it varies", ...over});
const late = (over: Partial<StageResult> = {}) =>
  stage({name: "test", outcome: "timed-out", failureKind: "timeout", reason: "stopped after 120 s", ...over});
const unavailable = stage({name: "test", outcome: "unavailable", failureKind: "environment", reason: "no pytest"});
const lacking = stage({name: "build", outcome: "failed", failureKind: "environment", reason: "exit code 1"});
const noCheck = stage({name: "test", outcome: "unavailable", failureKind: "no-check", reason: "no test was run"});
const install = stage({name: "setup", command: "npm ci"});
const badInstall = (over: Partial<StageResult>) =>
  stage({...install, outcome: "failed", failureKind: "code", reason: "exit code 1", ...over});

const NO_HOST = 'Get "https://unicode.org/a.txt": dial tcp: lookup unicode.org on 127.0.0.53:53: no such host';

const FAILED: Verdict = {kind: "failed", stages: ["test"]};
const SETUP_FAILED: Verdict = {kind: "unverified", why: "setup-failed", detail: "`npm ci`: exit code 1"};
const CANCELLED: Verdict = {
  kind: "unverified",
  why: "cancelled",
  detail: "the run was cancelled before it was finished",
};
const NO_STAGES: Verdict = {kind: "unverified", why: "no-stages", detail: "no required check ran"};

test.each<[string, Partial<Given>, Verdict]>([
  ["all passed", {stages: [pass, stage()]}, {kind: "verified"}],
  ["cancelled, although all passed", {stages: [pass], cancelled: true}, CANCELLED],
  ["cancelled, although one failed", {stages: [red()], cancelled: true}, CANCELLED],

  ["the set-up passed", {setup: [install], stages: [pass]}, {kind: "verified"}],
  ["the set-up was skipped", {setup: [stage({...install, outcome: "skipped"})], stages: [pass]}, {kind: "verified"}],
  ["the set-up failed by the code", {setup: [badInstall({})], stages: [pass]}, {kind: "failed", stages: ["setup"]}],
  [
    "the set-up ran out of its time",
    {setup: [badInstall({outcome: "timed-out", failureKind: "timeout"})], stages: [pass]},
    {kind: "failed", stages: ["setup"]},
  ],
  [
    "the set-up failed by the machine",
    {setup: [badInstall({failureKind: "environment"})], stages: [pass]},
    SETUP_FAILED,
  ],
  ["the set-up failed for no known reason", {setup: [badInstall({failureKind: null})], stages: [pass]}, SETUP_FAILED],
  [
    "the set-up fails on the base too",
    {setup: [badInstall({})], setupFailedOnBase: true, stages: [pass]},
    SETUP_FAILED,
  ],
  [
    "a later set-up step failed",
    {setup: [install, badInstall({})], stages: [pass]},
    {kind: "failed", stages: ["setup"]},
  ],

  ["no stage", {}, NO_STAGES],
  ["only optional stages", {stages: [stage({optional: true})]}, NO_STAGES],
  ["every stage passed over", {stages: [pass], skipped: new Set(["lint"])}, NO_STAGES],
  [
    "every stage that was requested is passed over",
    {stages: [pass, stage()], skipped: new Set(["lint", "test"]), leftOut: ["test"]},
    NO_STAGES,
  ],
  ["an optional stage failed", {stages: [pass, red({optional: true})]}, {kind: "verified"}],
  ["a stage that failed is passed over", {stages: [pass, red()], skipped: new Set(["test"])}, {kind: "verified"}],

  ["one failed", {stages: [pass, red()]}, FAILED],
  ["two failed", {stages: [red(), red({name: "build"})]}, {kind: "failed", stages: ["test", "build"]}],
  ["one timed out", {stages: [pass, red({outcome: "timed-out", failureKind: "timeout"})]}, FAILED],
  ["one failed for no known reason", {stages: [pass, red({failureKind: null})]}, FAILED],
  ["one failed, one could not run", {stages: [unavailable, red({name: "build"})]}, {kind: "failed", stages: ["build"]}],
  ["one failed, and the time is up", {stages: [red()], outOfTime: "the budget is used up"}, FAILED],
  ["one failed, and others were left out", {stages: [red()], leftOut: ["build"]}, FAILED],

  [
    "one fails as on the base",
    {stages: [pass, compared("pre-existing")]},
    {kind: "verified-with-preexisting", stages: ["test"]},
  ],
  [
    "all fail as on the base",
    {stages: [compared("pre-existing")]},
    {kind: "verified-with-preexisting", stages: ["test"]},
  ],
  [
    "one is flaky as on the base",
    {stages: [pass, flaky({baseline: comparison("pre-existing")})]},
    {kind: "verified-with-preexisting", stages: ["test"]},
  ],
  ["one has new failures", {stages: [pass, compared("new")]}, FAILED],
  // P15: what nobody could compare is charged to the change.
  ["one cannot be compared", {stages: [pass, compared("unknown")]}, FAILED],
  ["one fails, and what failed on the base is gone", {stages: [pass, compared("fixed")]}, FAILED],
  [
    "a part of one fails as on the base",
    {stages: [pass, compared("pre-existing", {narrowed: "vitest related"})]},
    FAILED,
  ],
  [
    "one times out as on the base",
    {stages: [pass, compared("pre-existing", {outcome: "timed-out", failureKind: "timeout"})]},
    FAILED,
  ],
  [
    "one could not run, on the base neither",
    {stages: [pass, stage({...unavailable, baseline: comparison("pre-existing")})]},
    {kind: "unverified", why: "unavailable", detail: "test: no pytest"},
  ],
  [
    "one fails as on the base, one is new",
    {stages: [compared("pre-existing"), red({name: "build"})]},
    {kind: "failed", stages: ["build"]},
  ],

  [
    "one lacks what its output names",
    {stages: [stage({...lacking, diagnostics: [{message: "invalid source release: 21\nmore"} as Diagnostic]})]},
    {kind: "unverified", why: "unavailable", detail: "build: exit code 1: invalid source release: 21"},
  ],
  [
    "lacks the network, which no tool of the list reports",
    {stages: [{...lacking, excerpt: `> generate\n${NO_HOST}\nexit status 1`}]},
    {kind: "unverified", why: "unavailable", detail: `build: exit code 1: ${NO_HOST}`},
  ],
  [
    "failed for the machine, and no line says why",
    {stages: [{...lacking, excerpt: "> generate\nexit status 1"}]},
    {kind: "unverified", why: "unavailable", detail: "build: exit code 1"},
  ],
  [
    "one could not run",
    {stages: [pass, unavailable]},
    {kind: "unverified", why: "unavailable", detail: "test: no pytest"},
  ],
  [
    "one failed by the machine",
    {stages: [pass, red({failureKind: "environment", reason: "no space left"})]},
    {kind: "unverified", why: "unavailable", detail: "test: no space left"},
  ],
  [
    "one ran no test",
    {stages: [pass, noCheck]},
    {kind: "unverified", why: "no-tests-ran", detail: "test: no test was run"},
  ],
  [
    "one failed and ran no test",
    {stages: [pass, red({failureKind: "no-check", reason: "no test"})]},
    {kind: "unverified", why: "no-tests-ran", detail: "test: no test"},
  ],
  ["one is flaky", {stages: [pass, flaky()]}, {kind: "unverified", why: "flaky", detail: "test: it varies"}],
  [
    "one was skipped",
    {stages: [pass, stage({outcome: "skipped", reason: "needs build, which did not pass"})]},
    {kind: "unverified", why: "unavailable", detail: "test: needs build, which did not pass"},
  ],
  [
    "only a part of one ran",
    {stages: [pass, stage({narrowed: "vitest related a.ts"})]},
    {kind: "unverified", why: "unavailable", detail: "test: "},
  ],
  [
    "the time was up before one ran",
    {stages: [pass, stage({outcome: "skipped", reason: "late"})], outOfTime: "the budget is used up"},
    {kind: "unverified", why: "out-of-time", detail: "the budget is used up"},
  ],
  [
    "one takes too long, and nothing was changed",
    {stages: [pass, late()], isBase: true},
    {kind: "unverified", why: "out-of-time", detail: "test: stopped after 120 s"},
  ],
  ["one takes too long, and the base passes", {stages: [pass, late({baseline: comparison("new")})]}, FAILED],
  ["one takes too long, and nobody knows the base", {stages: [pass, late()]}, FAILED],
  ["one fails, and nothing was changed", {stages: [pass, red(), late({name: "vet"})], isBase: true}, FAILED],
  ["the time was up after all had passed", {stages: [pass], outOfTime: "the budget is used up"}, {kind: "verified"}],

  [
    "required stages were left out",
    {stages: [pass, stage({outcome: "skipped"})], skipped: new Set(["test"]), leftOut: ["test"]},
    {kind: "partial", notRun: ["test"], preexisting: []},
  ],
  [
    "required stages were left out, and one fails as on the base",
    {stages: [compared("pre-existing"), stage({name: "build"})], skipped: new Set(["build"]), leftOut: ["build"]},
    {kind: "partial", notRun: ["build"], preexisting: ["test"]},
  ],
  [
    "required stages were left out, and one is flaky",
    {stages: [flaky()], leftOut: ["build"]},
    {kind: "unverified", why: "flaky", detail: "test: it varies"},
  ],
])("%s", (_, over, verdict) => {
  expect(decideVerdict(given(over))).toEqual(verdict);
});

test.each<[string, StageResult, {isTheBases: boolean; isCharged: boolean}]>([
  ["a pass", pass, {isTheBases: false, isCharged: false}],
  ["a failure", red(), {isTheBases: false, isCharged: true}],
  ["the base's failure", compared("pre-existing"), {isTheBases: true, isCharged: false}],
  ["a new failure", compared("new"), {isTheBases: false, isCharged: true}],
  ["an unknown one", compared("unknown"), {isTheBases: false, isCharged: true}],
  ["a skip", stage({outcome: "skipped", baseline: comparison("pre-existing")}), {isTheBases: false, isCharged: false}],
  ["flaky", flaky(), {isTheBases: false, isCharged: false}],
  ["an unavailable tool", unavailable, {isTheBases: false, isCharged: false}],
  ["the machine's fault", red({failureKind: "environment"}), {isTheBases: false, isCharged: false}],
  ["nothing checked", red({failureKind: "no-check"}), {isTheBases: false, isCharged: false}],
])("%s", (_, result, expected) => {
  expect({isTheBases: isPreExisting(result), isCharged: isCausedByChange(result)}).toEqual(expected);
});

const notComparable = (over: Partial<StageResult> = {}) =>
  red({baseline: {...comparison("not-comparable"), why: "on the base, it panicked"}, ...over});
const NOT_COMPARABLE: Verdict = {kind: "unverified", why: "not-comparable", detail: "test: on the base, it panicked"};
const notCovered = (detail: string): Verdict => ({kind: "unverified", why: "not-covered", detail});
const paths = (count: number) => Array.from({length: count}, (_, at) => `p${at}`);

test.each<[string, Partial<Given>, Verdict]>([
  ["a red stage that cannot be compared", {stages: [pass, notComparable()]}, NOT_COMPARABLE],
  ["one that ran out of time", {stages: [notComparable({outcome: "timed-out"})]}, NOT_COMPARABLE],
  [
    "another stage failed by the change",
    {stages: [notComparable(), red({name: "types"})]},
    {kind: "failed", stages: ["types"]},
  ],
  ["it is optional", {stages: [pass, notComparable({optional: true})]}, {kind: "verified"}],
  [
    "a flaky stage is no failure to compare",
    {stages: [flaky({baseline: comparison("not-comparable")})]},
    {kind: "unverified", why: "flaky", detail: "test: it varies"},
  ],
  [
    "there was no time left",
    {stages: [notComparable()], outOfTime: "the budget is used up"},
    {kind: "unverified", why: "out-of-time", detail: "the budget is used up"},
  ],
  [
    "a path that nothing has read",
    {stages: [pass], uncovered: ["a/b.go"]},
    notCovered("read by no known check: a/b.go"),
  ],
  [
    "a path with odd characters",
    {stages: [pass], uncovered: ["a\nb.go"]},
    notCovered("read by no known check: a\\nb.go"),
  ],
  ["20 of them", {stages: [pass], uncovered: paths(20)}, notCovered(`read by no known check: ${paths(20).join(", ")}`)],
  [
    "more than 20",
    {stages: [pass], uncovered: paths(23)},
    notCovered(`read by no known check: ${paths(20).join(", ")} and 3 more`),
  ],
  [
    "with failures that the base has too",
    {stages: [compared("pre-existing")], uncovered: ["a.go"]},
    notCovered("read by no known check: a.go"),
  ],
  [
    "only some stages were requested",
    {stages: [pass], leftOut: ["test"], uncovered: ["a.go"]},
    {kind: "partial", notRun: ["test"], preexisting: []},
  ],
])("not comparable, not covered: %s", (_, over, verdict) => expect(decideVerdict(given(over))).toEqual(verdict));

test("what cannot be compared is not charged to the change", () => {
  expect(isCausedByChange(notComparable())).toBe(false);
  expect(isCausedByChange(notComparable({outcome: "timed-out", failureKind: "timeout"}))).toBe(false);
});

test("a failure of the base is no excuse if the request is to repair it", () => {
  const verdict: Verdict = {kind: "verified-with-preexisting", stages: ["test"]};
  const plan = planWith(plannedStage({name: "test", kind: "test", command: "npm test"}));
  const about = (text: string) => ({plan, request: {title: "", body: "", request: text}});
  const old = [pass, compared("pre-existing")];
  const still = {kind: "unverified", why: "still-failing", detail: "test"};
  expect(withRequest(verdict, {stages: old, ...about("fix the tests")})).toEqual(still);
  // Also if the stage is optional, and did not decide.
  const optional = compared("pre-existing", {optional: true});
  expect(withRequest({kind: "verified"}, {stages: [pass, optional], ...about("fix the tests")})).toEqual(still);
  for (const request of ["fix the lint errors", "halve prices"])
    expect(withRequest(verdict, {stages: old, ...about(request)})).toBe(verdict);
  expect(withRequest(verdict, {stages: old, plan, request: null})).toBe(verdict);
  expect(withRequest(FAILED, {stages: old, ...about("fix the tests")})).toBe(FAILED);
  expect(withRequest({kind: "verified"}, {stages: [pass, stage()], ...about("fix the tests")}).kind).toBe("verified");
});
