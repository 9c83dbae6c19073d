/** `/verify` on a pull request verifies its head, by the rules of its base. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("the head of the pull request is verified", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const files = {"src/sum.js": "export const sum = () => 0;\n", "verify.json": '{"enabled": false}'};
  const number = await rig.openPullRequest({title: "Faster sums", branch: "faster", files, by: "will"});
  const outcome = await rig.comment("/verify", {by: "will", on: number, noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("failed");
  expect(outcome.record?.attempts[0]?.candidate?.commit).toBe(await rig.origin.resolve("refs/heads/faster"));
  expect(outcome.record?.rules?.commit).toBe(rig.base);
});
