/** Separate jobs whose workflow has no job `judge`: the agent's job cannot give the opinion that a change waits for. */
import {expect, onTestFailed, test} from "vitest";
import {claimGoodOpinion, FORGED_WORDS} from "../../rig/forged-opinion.ts";
import {criteria, judgement} from "../../rig/judge.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

test("with `hold`, a good opinion of the agent's job is none", async () => {
  const judge = {enabled: true, effect: "hold", maxAttempts: 1};
  await using rig = await createRig({files: plain({verify: {judge}}), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: WRITES.right, say: "Done."},
    criteria(["A function multiplies two numbers"]),
    judgement([{answer: "not met", quote: "added: src/product.js"}]),
  ]);
  const outcome = await rig.comment("/assay multiply", {separated: {text: SEPARATED, onUpload: claimGoodOpinion}});
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("verified");
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).toMatch(/not judged, because no job `judge`/);
  expect(report).not.toMatch(FORGED_WORDS);
});
