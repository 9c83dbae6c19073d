/** `/verify` on a broken default branch is red, says why, and changes nothing. */
// In each run: `verify-pull-request-head.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("/verify, red", async () => {
  const files = plain({files: {"src/sum.js": "export const sum = () => 0;\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {by: "will", noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs.verdict).toBe("failed");
  expect(outcome.comments.at(-1)?.body).toContain("sums add up");
  expect(outcome.refs).toEqual(outcome.refsBefore);
});
