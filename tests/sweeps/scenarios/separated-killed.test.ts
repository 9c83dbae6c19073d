/** The agent's job is killed in the middle of a turn: what it had done is sent on all the same, parked, and reported once. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

test("work of a job that died is parked by the one that may write", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const half = [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 300")];
  rig.model.script([{when: "multiply", do: half, say: "never"}]);
  const outcome = await rig.comment("/assay multiply", {
    separated: {
      text: SEPARATED,
      onStep(part, running) {
        if (part === "work") running.saw(/bash .*sleep/).then(() => setTimeout(() => running.kill("SIGKILL"), 1_000));
      },
    },
  });
  await assertPromises(rig, outcome);
  expect(outcome.jobs).toMatchObject({
    work: {result: "failure"},
    verify: {result: "skipped"},
    publish: {result: "failure"},
  });
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
  expect(outcome.record?.publication.kind).toBe("parked");
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half = 1");
  expect(outcome.comments.filter(({author}) => author === "github-actions[bot]")).toHaveLength(1);
});
