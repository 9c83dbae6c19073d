/** A new file that nobody added to an index is part of the candidate, ignored files are not. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const BUILD =
  "head -c 90000 /dev/urandom > sums && chmod 755 sums && printf 'PNG\\0' > logo.png && mkdir coverage && echo a > coverage/index.html && echo x > .coverage";

test("an untracked file is verified and published", async () => {
  const files = plain({files: {".gitignore": "*.log\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/odd name ü.js", "export const x = 1;\n"), writeFileAt("noise.log", "noise"), bash(BUILD)],
      say: "A new file.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("verified");
  const tree = await rig.origin.tree(outcome.outputs.commit ?? "");
  expect(Object.keys(tree)).toContain("src/odd name ü.js");
  expect(Object.keys(tree)).not.toContain("noise.log");
  // What a build left is published, and named before somebody merges it.
  expect(outcome.record?.buildOutputs).toEqual([".coverage", "coverage/", "logo.png", "sums"]);
  expect(outcome.comments.at(-1)?.body).toMatch(/^New executables[^\n]*`coverage\/`, `logo\.png`, `sums`\.$/m);
});
