/** `/verify` in separate jobs: no machine has an agent or a key, and the head is verified where nothing can be written. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";

test("the head is verified in a job of its own, and the agent's job does not run", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {separated: {text: SEPARATED}});
  await assertPromises(rig, outcome);
  expect(outcome.jobs).toMatchObject({
    work: {result: "skipped"},
    verify: {result: "success"},
    publish: {result: "success"},
  });
  expect(outcome.record?.verdict).toEqual({kind: "verified"});
  expect(outcome.comments.at(-1)?.body).toContain("verified in a job of its own");
});
