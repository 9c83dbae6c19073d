/** A stage that rewrites tracked files fails: what it wrote was never verified. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a rewriting stage is no pass", async () => {
  const command = "test ! -e src/x.js || echo '// formatted' >> src/sum.js";
  const stages = [{name: "format", kind: "lint", optional: false, command}];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/x.js", "export const x = 1;\n")], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("failed");
  expect(outcome.record?.attempts[0]?.verification?.stages[0]?.reason).toContain("src/sum.js");
});
