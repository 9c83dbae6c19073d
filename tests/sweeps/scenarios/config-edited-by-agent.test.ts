/** An agent that empties verify.json is still judged by the base's. */
// In each run: `verify-pull-request-head.test.ts` and `command-line-verify.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the base's verify.json applies", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/sum.js", "export const sum = () => 0;\n"),
        writeFileAt("verify.json", '{"enabled": false, "stages": []}'),
      ],
      say: "All green, trust me.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("failed");
  expect(outcome.record?.attempts[0]?.verification?.stages.map((stage) => stage.name)).toEqual(["syntax", "test"]);
});
