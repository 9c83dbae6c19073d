/** Which stages run: what `when`, a request, `needs`, `failFast` and cancellation each do to a stage. */
import {expect, test} from "vitest";
import {
  blockedReason,
  irrelevantReason,
  isOptional,
  requiredLeftOut,
  skipReason,
  stopsOthers,
  unknownStages,
} from "../../../src/engine/schedule/skip-reasons.ts";
import type {BaselineComparison, StageResult} from "../../../src/record/evidence.ts";
import type {Change} from "../../../src/record/verification.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {stage as result} from "../report/records.ts";

const modified = (path: string): Change => ({path, status: "modified"});
const renamed = (from: string, path: string): Change => ({path, status: "renamed", from});

test.each<[string, string[], Change[], boolean]>([
  ["no `when`", [], [modified("a.js")], true],
  ["no change: the head itself is verified", ["website/**"], [], true],
  ["a file below", ["website/**"], [modified("website/a.js")], true],
  ["a file beside", ["website/**"], [modified("a.js")], false],
  ["a hidden file below", ["website/**"], [modified("website/.env")], true],
  ["a deleted file below", ["website/**"], [{path: "website/a.js", status: "deleted"}], true],
  ["a rename out of the folder", ["website/**"], [renamed("website/a.js", "a.js")], true],
  ["a rename into the folder", ["website/**"], [renamed("a.js", "website/a.js")], true],
  ["a rename elsewhere", ["website/**"], [renamed("a.js", "b.js")], false],
  ["the second glob and the second change", ["docs/**", "*.css"], [modified("a.js"), modified("a.css")], true],
  ["a glob without a slash in a folder", ["*.css"], [modified("site/a.css")], true],
  ["the same from the root", ["/*.css"], [modified("site/a.css")], false],
  ["a folder", ["website"], [modified("website/a/b.js")], true],
  ["a folder with a slash", ["website/"], [modified("website/a.js")], true],
  ["a folder from here", ["./website/**"], [modified("website/a.js")], true],
  ["a folder from the root", ["/website"], [modified("website/a.js")], true],
  ["a folder with a longer name", ["website"], [modified("website-old/a.js")], false],
  ["all but a folder", ["!website/**"], [modified("website/a.js")], false],
  ["outside of all but a folder", ["!website/**"], [modified("a.js")], true],
])("`when`: %s", (_, when, changes, isRelevant) => {
  const why = irrelevantReason(plannedStage({when}), changes);
  expect(why).toBe(isRelevant ? "" : `no change matches \`when\` (${when.join(", ")})`);
});

test.each<[string, string[], string]>([
  ["no request", [], ""],
  ["by name", ["unit"], ""],
  ["by kind", ["test"], ""],
  ["another", ["lint"], "not requested"],
])("a request for some stages: %s", (_, only, why) => {
  const stage = plannedStage({name: "unit", kind: "test"});
  expect(skipReason(stage, {stages: [stage], only, changes: []})).toBe(why);
});

test("a stage that no change concerns says so, requested or not", () => {
  const stage = plannedStage({name: "site", when: ["website/**"]});
  for (const only of [[], ["site"], ["lint"]]) {
    const options = {stages: [stage], only, changes: [modified("a.js")]};
    expect(skipReason(stage, options)).toContain("no change matches");
  }
});

const CHAIN = planWith(
  {name: "generate", kind: "build", when: ["schema/**"]},
  {name: "bundle", kind: "build", needs: ["generate"]},
  {name: "unit", kind: "test", needs: ["bundle"]},
  {name: "types", kind: "typecheck"},
).stages;

test.each<[string, string[], string[], string[]]>([
  ["whose `when` fits no change", [], ["generate", "bundle", "unit", "types"], []],
  ["that nobody requested", ["unit"], ["generate", "bundle", "unit"], ["types"]],
  ["but not one that needs a requested stage", ["bundle"], ["generate", "bundle"], ["unit", "types"]],
  ["but none that only others need", ["types"], ["types"], ["bundle", "unit"]],
])("a stage that runs brings in what it needs: one %s", (_, only, names, leftOut) => {
  const options = {stages: CHAIN, only, changes: [modified("a.js")]};
  expect(CHAIN.filter((stage) => skipReason(stage, options) === "").map(({name}) => name)).toEqual(names);
  expect(requiredLeftOut(CHAIN, options)).toEqual(leftOut);
});

test("a stage that does not run needs nothing", () => {
  const stages = planWith({name: "a", when: ["a/**"]}, {name: "b", when: ["b/**"], needs: ["a"]}).stages;
  const options = {stages, only: [], changes: [modified("c.js")]};
  expect(stages.map((stage) => skipReason(stage, options) === "")).toEqual([false, false]);
});

const PLAN = planWith(
  {name: "types", kind: "typecheck"},
  {name: "lint", kind: "lint", optional: true},
  {name: "unit", kind: "test"},
  {name: "site", kind: "build", when: ["website/**"]},
).stages;

test.each<[string, string[], Change[], string[]]>([
  ["everything", [], [modified("a.js")], []],
  ["one stage", ["unit"], [modified("website/a.js")], ["types", "site"]],
  ["one stage, and a change that does not concern another", ["unit"], [modified("a.js")], ["types"]],
  ["all that is required", ["types", "test"], [modified("a.js")], []],
  ["the optional one", ["lint"], [modified("a.js")], ["types", "unit"]],
  ["the head itself", ["unit"], [], ["types", "site"]],
])("what a request for %s leaves out", (_, only, changes, names) => {
  expect(requiredLeftOut(PLAN, {only, changes})).toEqual(names);
});

test("where no stage is required, each counts", () => {
  const stages = planWith({name: "a", optional: true}, {name: "b", optional: true}).stages;
  expect(requiredLeftOut(stages, {only: ["a"], changes: []})).toEqual(["b"]);
});

test.each<[string, boolean, string[], boolean]>([
  ["lint", true, [], true],
  ["lint", true, ["lint"], false],
  ["lint", false, [], false],
])("%s beside a required stage: %s, %j requested: %s", (name, optional, only, expected) => {
  const stage = plannedStage({name, kind: "lint", optional});
  expect(isOptional(stage, {stages: [stage, plannedStage()], only})).toBe(expected);
  expect(isOptional(stage, {stages: [stage], only})).toBe(false);
});

test("a name that fits no stage is found", () => {
  expect(unknownStages(["unit", "test", "build", "everything"], PLAN)).toEqual(["everything"]);
});

const red = (over: Partial<StageResult> = {}) =>
  result({name: "build", outcome: "failed", failureKind: "code", ...over});
const preexisting: BaselineComparison = {outcome: "pre-existing", new: [], preexisting: [], fixed: 0, why: ""};
const free = {results: [], failFast: false, isCancelled: false, blockedBy: ""};
const needing = plannedStage({needs: ["build", "types"]});

test.each<[string, Parameters<typeof blockedReason>[1], string]>([
  ["nothing is done yet", free, ""],
  ["what it needs passed", {...free, results: [result({name: "build"}), result({name: "types"})]}, ""],
  ["what it needs failed", {...free, results: [red()]}, "needs build, which did not pass"],
  [
    "the second of what it needs failed",
    {...free, results: [result({name: "build"}), red({name: "types"})]},
    "needs types, which did not pass",
  ],
  ["what it needs was skipped", {...free, results: [red({outcome: "skipped"})]}, "needs build, which did not pass"],
  ["what it needs is flaky", {...free, results: [red({outcome: "flaky"})]}, "needs build, which did not pass"],
  [
    "what it needs fails as on the base",
    {...free, results: [red({baseline: preexisting})]},
    "needs build, which did not pass",
  ],
  ["another failed", {...free, results: [red({name: "lint"})]}, ""],
  [
    "another failed, under failFast",
    {...free, failFast: true, results: [red({name: "lint"})]},
    "failFast: lint did not pass",
  ],
  ["another passed, under failFast", {...free, failFast: true, results: [result({name: "lint"})]}, ""],
  [
    "another fails as on the base, under failFast",
    {...free, failFast: true, results: [red({name: "lint", baseline: preexisting})]},
    "",
  ],
  [
    "cancelled",
    {...free, isCancelled: true, blockedBy: "setup did not pass", results: [red()]},
    "the run was cancelled",
  ],
  ["the set-up failed", {...free, blockedBy: "setup did not pass", results: [red()]}, "setup did not pass"],
])("%s", (_, options, why) => {
  expect(blockedReason(needing, options)).toBe(why);
});

test.each<[string, StageResult, boolean]>([
  ["a failure", red(), true],
  ["a time-out", red({outcome: "timed-out"}), true],
  ["a flaky stage", red({outcome: "flaky"}), true],
  ["a missing tool", red({outcome: "unavailable"}), true],
  ["a pass", result(), false],
  ["a skip", red({outcome: "skipped"}), false],
  ["an optional failure", red({optional: true}), false],
  ["the base's failure", red({baseline: preexisting}), false],
])("under failFast %s stops the others: %s", (_, one, expected) => {
  expect(stopsOthers(one)).toBe(expected);
});
