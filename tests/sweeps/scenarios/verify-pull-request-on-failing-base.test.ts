/** `/verify` on a pull request compares with its base: what fails there too is not charged to the pull request. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("an innocent pull request, then one that adds a failure", async () => {
  const files = plain({files: {"src/sum.js": "export const sum = () => 0;\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  const innocent = {"src/other.js": "export const other = 1;\n"};
  await rig.openPullRequest({title: "Other", branch: "other", files: innocent});
  const first = await rig.comment("/verify", {on: 1, noModel: true});
  await assertPromises(rig, first);
  expect(first.record?.verdict).toEqual({kind: "verified-with-preexisting", stages: ["test"]});
  const broken = {"src/sum.js": "export const sum = () => { throw new Error('no sums today'); };\n"};
  await rig.openPullRequest({title: "Broken", branch: "broken", files: broken});
  const second = await rig.comment("/verify", {on: 2, noModel: true});
  await assertPromises(rig, second);
  expect(second.record?.verdict).toEqual({kind: "failed", stages: ["test"]});
  expect(second.comments.at(-1)?.body).toContain("1 of 1 test failed (new in this change");
});
