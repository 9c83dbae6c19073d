/** A change of documents alone runs no stage, says so, and is published as it is. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("only documents changed", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {when: "readme", do: [writeFileAt("README.md", "# Sums\n\nAdds any numbers.\n")], say: "Clearer now."},
  ]);
  const outcome = await rig.comment("/assay make the readme clearer");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "nothing-to-verify", verified: "false", branch: "assay/issue-1"});
  expect(outcome.record?.verdict).toMatchObject({why: "only-skipped-paths"});
  expect(outcome.record?.attempts.at(-1)?.verification).toBeNull();
  expect(outcome.comments.at(-1)?.body).toContain("💬");
});
