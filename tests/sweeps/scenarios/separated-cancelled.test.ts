/** Somebody cancels the workflow while the agent works: the job that publishes runs all the same, parks the work and finishes the comment. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

test("the work of a cancelled workflow is parked by the job that may write", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const half = [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 300")];
  rig.model.script([{when: "multiply", do: half, say: "never"}]);
  let isWorking = () => {};
  const working = new Promise<void>((resolve) => {
    isWorking = resolve;
  });
  const run = await rig.begin("/assay multiply", {
    separated: {
      text: SEPARATED,
      onStep(part, running) {
        if (part === "work") running.saw(/bash .*sleep/).then(isWorking);
      },
    },
  });
  await working;
  run.cancel();
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.jobs).toMatchObject({
    admit: {result: "success"},
    work: {result: "cancelled"},
    verify: {result: "skipped"},
    publish: {result: "failure"},
  });
  expect(outcome.record?.publication.kind).toBe("parked");
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half = 1");
  expect(outcome.comments.filter(({author}) => author === "github-actions[bot]")).toHaveLength(1);
});
