/** A verified change with code that nothing leads to gets one folded note, and is published. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("code that neither the request nor a test nor another file leads to is named", async () => {
  const files = plain({files: {"src/port.js": "listen(80);\n"}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  const unasked = writeFileAt("src/port.js", "listen(8080, retries);\n");
  rig.model.script([{when: "multiply", do: [...WRITES.right, unasked], say: "Done."}]);
  const outcome = await rig.comment("/assay let the product multiply", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs["verdict"]).toBe("verified");
  expect(outcome.comments.at(-1)?.body).toContain("no other changed file leads to src/port.js");
});
