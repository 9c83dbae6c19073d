/** GitHub does not say whether the person may: then they may not, and are told to try again. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("an API that answers 500", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.github.fault({path: /permission$/, times: 100, does: {kind: "status", status: 500}});
  const outcome = await rig.comment("/assay multiply", {by: "will"});
  await assertPromises(rig, outcome, {nothingAsked: true});
  expect(outcome.exitCode).toBe(0);
  expect(rig.model.requests()).toBe(0);
  expect(outcome.comments.at(-1)?.body).toContain("try again");
});
