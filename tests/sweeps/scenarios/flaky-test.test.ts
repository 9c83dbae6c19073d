/** A test that fails and passes on the same tree is shown as flaky: never a pass, never a bug for the agent. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** Fails on its first run in a folder. */
const FLAKY = `import assert from "node:assert/strict";
import {existsSync, writeFileSync} from "node:fs";
import {test} from "node:test";

test("flips", () => {
  const first = !existsSync(".tried");
  writeFileSync(".tried", "");
  assert.equal(first, false);
});
`;
const TURN = [writeFileAt("src/product.js", PRODUCT_FILES.right), writeFileAt("tests/flips.test.js", FLAKY)];

test("a flaky pass is parked with a warning, and no turn is spent on it", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: TURN, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "flaky"});
  expect(rig.model.history).toEqual([0]);
  expect(outcome.comments.at(-1)?.body).toMatch(/⚠️[\s\S]*then passed on a second run of the same files/);
  // Only the change has a test of this name, so it may be the agent's own words.
  expect(outcome.comments.at(-1)?.body).not.toContain("/remember");
  expect(outcome.pullRequests).toEqual([]);
});

test("a test that the base lists as flaky does not stand in the way, and is told", async () => {
  await using rig = await createRig({files: plain({verify: {flaky: ["flips"]}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: TURN, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toEqual({kind: "verified-with-preexisting", stages: ["test"]});
  expect(outcome.comments.at(-1)?.body).toMatch(/flaky/);
});
