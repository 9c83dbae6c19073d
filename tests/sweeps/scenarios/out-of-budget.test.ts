/** When the budget is spent nothing more starts: the verdict says so, and the work is parked. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const change = [writeFileAt("src/product.js", PRODUCT_FILES.wrong)];

test("no stage starts after the minutes", async () => {
  const seconds = 12;
  const files = plain({verify: {budget: {minutes: seconds / 60}}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [...change, bash(`sleep ${seconds}`)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "out-of-time"});
  const stages = outcome.record?.attempts[0]?.verification?.stages ?? [];
  expect(stages.map(({outcome: seen}) => seen)).toEqual(["skipped", "skipped"]);
  expect(outcome.outputs.branch).toBe("assay/parked/issue-1");
  expect(outcome.comments.at(-1)?.body).toContain("the budget of 0.2 minutes is used up");
});

test("no turn starts after the dollars, and what is there is told", async () => {
  const test = writeFileAt("tests/product.test.js", PRODUCT_FILES.test);
  await using rig = await createRig({files: plain({verify: {budget: {usd: 0.001}}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [...change, test], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs).toMatchObject({verdict: "unverified", attempts: "1", branch: "assay/parked/issue-1"});
  expect(outcome.record?.verdict).toMatchObject({why: "out-of-time"});
  expect(outcome.comments.at(-1)?.body).toMatch(/the budget of .*0\.001\S* is used up.*left failing: test/);
});
