/** A report of many red stages and a long answer stays below the limit, with its verdict and table whole. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a very long report", async () => {
  const stages = Array.from({length: 8}, (_, i) => ({
    name: `stage-${i}`,
    kind: "test",
    command: `test ! -e src/x.js && exit 0; for n in $(seq 400); do echo "error: thing $n of ${i} went wrong ${"x".repeat(150)}"; done; exit 1`,
  }));
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: [writeFileAt("src/x.js", "export const x = 1;\n")], say: "Long story. ".repeat(9000)},
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report.length).toBeLessThanOrEqual(60_000);
  expect(report.length).toBeGreaterThan(10_000);
  expect(report).toMatch(/\*\*❌/);
  expect(report.match(/<details>/g)?.length).toBe(report.match(/<\/details>/g)?.length);
});
