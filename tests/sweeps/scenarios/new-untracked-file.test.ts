/** A new file that nobody added to an index is part of the candidate, ignored files are not. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("an untracked file is verified and published", async () => {
  const files = plain({files: {".gitignore": "*.log\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/odd name ü.js", "export const x = 1;\n"), writeFileAt("noise.log", "noise")],
      say: "A new file.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("verified");
  const tree = await rig.origin.tree(outcome.outputs.commit ?? "");
  expect(Object.keys(tree)).toContain("src/odd name ü.js");
  expect(Object.keys(tree)).not.toContain("noise.log");
});
