/** A stage that prints 200 MB is judged by its exit; head and tail are kept, the rest is counted. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a flood of output", async () => {
  const stages = [
    {
      name: "odd",
      kind: "build",
      command: "echo first; head -c 200000000 /dev/zero | tr '\\\\0' x; echo; echo last; exit 1",
      timeout: 120,
    },
  ];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const stage = outcome.record?.attempts[0]?.verification?.stages[0];
  expect(stage).toMatchObject({outcome: "failed", exit: {kind: "exited", code: 1}});
  expect(stage?.output?.head).toMatch(/^first\n/);
  expect(stage?.output?.tail).toMatch(/last\n?$/);
  expect(stage?.output?.droppedBytes).toBeGreaterThan(190_000_000);
  expect(stage?.output?.log).toMatch(/^\d+-odd\.log$/);
  expect(outcome.comments.at(-1)?.body.length).toBeLessThan(60_000);
});
