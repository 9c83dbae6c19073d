/** failFast stops at the first required failure; what did not run is shown as skipped, with the reason. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("failFast shows what it did not run", async () => {
  const stages = [
    {name: "first", kind: "lint", optional: false, command: "exit 1"},
    {name: "second", kind: "test", command: "true"},
  ];
  await using rig = await createRig({
    files: plain({verify: {stages, failFast: true, maxFixAttempts: 0}}),
    onFailed: onTestFailed,
  });
  rig.model.script([{when: "multiply", do: [writeFileAt("src/x.js", "export const x = 1;\n")], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.record?.attempts[0]?.verification?.stages).toMatchObject([
    {name: "first", outcome: "failed"},
    {name: "second", outcome: "skipped", reason: "failFast: first did not pass"},
  ]);
  expect(outcome.comments.at(-1)?.body).toContain("failFast: first did not pass");
});
