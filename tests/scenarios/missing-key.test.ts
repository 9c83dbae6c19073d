/** Without a key for the model, the comment says which secret to add, and nothing runs. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("no key", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/assay multiply", {noModel: true, inputs: {provider: "anthropic"}});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toEqual([
    {kind: "missing-key", provider: "anthropic", variable: "ANTHROPIC_API_KEY"},
  ]);
  expect(outcome.comments.at(-1)?.body).toContain("ANTHROPIC_API_KEY");
});
