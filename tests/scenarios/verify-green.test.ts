/** `/verify` on an issue runs the stages on the default branch, with no agent and no model. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("/verify, green", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {by: "will", noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1", commit: ""});
  expect(rig.model.requests()).toBe(0);
  expect(outcome.refs).toEqual(outcome.refsBefore);
});
