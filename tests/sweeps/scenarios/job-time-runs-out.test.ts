/** The job's `timeout-minutes` runs out: the run ends by itself before GitHub would end it, with its report and its work. */
// In each run: `unit/run/fix-loop.test.ts` and `unit/verify/verdict.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const WORKFLOW = ".github/workflows/assay.yml";

test("a stage that takes longer than the job may", async () => {
  const stages = [{name: "slow", kind: "test", command: "sleep 300", timeout: 400}];
  const workflow = "on: issue_comment\njobs:\n  assay:\n    timeout-minutes: 0.5\n    runs-on: x\n    steps: []\n";
  await using rig = await createRig({
    files: plain({verify: {stages}, files: {[WORKFLOW]: workflow}}),
    onFailed: onTestFailed,
  });
  const GITHUB_WORKFLOW_SHA = (await rig.origin.resolve("refs/heads/main")) ?? "";
  const GITHUB_WORKFLOW_REF = `${rig.origin.name}/${WORKFLOW}@refs/heads/main`;
  const outcome = await rig.comment("/verify", {env: {GITHUB_WORKFLOW_REF, GITHUB_WORKFLOW_SHA}});
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "out-of-time"});
  expect(outcome.exitCode).toBe(1);
  expect(outcome.comments.at(-1)?.body).toContain("0.5 minutes (`timeout-minutes` in the workflow)");
  expect(outcome.record?.failures).toEqual([]);
});
