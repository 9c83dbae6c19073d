/** A new pull request has the labels, reviewers and draft state of `verify.json`, and counts its lines. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("labels, reviewers, draft, and the lines of each file", async () => {
  const pullRequest = {draft: true, labels: ["assay", "needs review"], reviewers: ["mary", "acme/maintainers"]};
  await using rig = await createRig({files: plain({verify: {pullRequest}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const outcome = await rig.comment("/assay multiply", {by: "will"});
  await assertPromises(rig, outcome);
  const pull = outcome.pullRequests[0];
  expect(pull?.isDraft).toBe(true);
  expect(pull?.body).toMatch(/^Closes #1\. Requested by `will`\. 2 changed files, \+6 −0 lines\.\n/);
  expect(pull?.body).toContain("| `tests/product.test.js` | +5 | −0 |");
  const bodies = (path: RegExp) =>
    rig.github.requests.filter((one) => path.test(one.path)).map(({body}) => JSON.parse(body));
  expect(bodies(/\/labels$/)).toEqual([{labels: ["assay", "needs review"]}]);
  expect(bodies(/\/requested_reviewers$/)).toEqual([
    {reviewers: ["will"]},
    {reviewers: ["mary"]},
    {team_reviewers: ["maintainers"]},
  ]);
});
