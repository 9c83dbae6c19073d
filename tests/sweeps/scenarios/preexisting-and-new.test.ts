/** One new failure beside old ones in the same test file: only the new one goes to the agent, and a repair is shown. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const testFile = (...more: string[]) =>
  [
    'import assert from "node:assert/strict";',
    'import {test} from "node:test";',
    'import {sum} from "../src/sum.js";',
    "",
    'test("sums add up", () => assert.equal(sum(1, 2), 3));',
    'test("the old product", () => assert.equal(sum(2, 3), 6, "two threes are six"));',
    'test("the old quotient", () => assert.equal(sum(6, 3), 2, "six by three is two"));',
    ...more,
    "",
  ].join("\n");
const files = plain({files: {"tests/sum.test.js": testFile()}});

test("only the new failure is to be fixed", async () => {
  await using rig = await createRig({files, onFailed: onTestFailed});
  const wrong = 'test("negatives", () => assert.equal(sum(-1, -2), 3, "minus three it is"));';
  const right = 'test("negatives", () => assert.equal(sum(-1, -2), -3));';
  rig.model.script([
    {when: "negatives", do: [writeFileAt("tests/sum.test.js", testFile(wrong))], say: "Tested."},
    {when: "minus three it is", do: [writeFileAt("tests/sum.test.js", testFile(right))], say: "Put right."},
  ]);
  const outcome = await rig.comment("/assay test negatives");
  await assertPromises(rig, outcome);
  const [first, second] = outcome.record?.attempts ?? [];
  expect(first?.verdict).toEqual({kind: "failed", stages: ["test"]});
  const baseline = first?.verification?.stages.find(({name}) => name === "test")?.baseline;
  expect(baseline?.new.map(({testId}) => testId)).toEqual(["negatives"]);
  expect(baseline?.preexisting.map(({testId}) => testId)).toEqual(["the old product", "the old quotient"]);

  const [, fix = ""] = rig.model.prompts;
  const [toFix = "", leave = ""] = fix.split("## Fails without your changes too: leave these");
  expect(toFix).toContain("## Failed: fix these");
  expect(toFix).toContain("minus three it is");
  expect(toFix).not.toMatch(/the old (?:product|quotient)|two threes|six by three/);
  expect(leave).toContain("the old product");
  expect(second?.verdict).toEqual({kind: "verified-with-preexisting", stages: ["test"]});
  expect(outcome.comments.at(-1)?.body).toContain("2 of 4 tests failed (also without this change)");
});

test("a repair is shown as fixed", async () => {
  await using rig = await createRig({files, onFailed: onTestFailed});
  const repaired = testFile().replace("sum(2, 3), 6", "sum(3, 3), 6");
  rig.model.script([{when: "product", do: [writeFileAt("tests/sum.test.js", repaired)], say: "Repaired."}]);
  const outcome = await rig.comment("/assay repair the old product");
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified-with-preexisting", attempts: "1"});
  expect(outcome.comments.at(-1)?.body).toContain("failed (also without this change, 1 fixed)");
  // For the next run on this base.
  expect(await rig.origin.read("refs/assay/baseline", "baseline.json")).toContain("the old quotient");
});
