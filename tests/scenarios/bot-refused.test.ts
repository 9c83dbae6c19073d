/** Another bot is met with silence. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test.each([
  {name: "the workflow starts no machine", isStepOnly: false},
  {name: "nor would Assay itself answer", isStepOnly: true},
])("a bot: $name", async ({isStepOnly}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/assay update everything", {by: "renovate[bot]", isStepOnly});
  const skipped = {result: "skipped", outputs: {}};
  expect(outcome.jobs).toEqual(isStepOnly ? {} : {assay: skipped, answer: skipped});
  await assertPromises(rig, outcome, {nothingAsked: true});
  expect(outcome.exitCode).toBe(0);
  expect(rig.model.requests()).toBe(0);
  expect(outcome.comments).toHaveLength(1);
});
