/** `/review` verifies the head of a pull request, asks the second model about its change, and pushes nothing. */
import {expect, onTestFailed, test} from "vitest";
import {criteria, judgement} from "../rig/judge.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {JUDGED} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const POINTS = ["A function multiplies two numbers", "The README names it"];
const MET = {answer: "met", quote: "export const product = (one, other) => one * other;"} as const;
const MISSING = {answer: "not met", quote: "added: src/product.js", reason: "No such line."} as const;
const MODES = [
  {mode: "separate jobs", how: {separated: {text: JUDGED}}},
  {mode: "one job", how: {}},
];

if (isSweep)
  test.each(someOf(MODES))(
    "a head behind its base is verified and judged by its own change, in $mode",
    async ({how}) => {
      await using rig = await createRig({files: plain({verify: {judge: {enabled: true}}}), onFailed: onTestFailed});
      const files = {"src/product.js": PRODUCT_FILES.right, "tests/product.test.js": PRODUCT_FILES.test};
      const number = await rig.openPullRequest({title: "Multiply numbers", branch: "product", files, by: "will"});
      await rig.origin.commit({files: {"NOTES.md": "Written after the branch was made.\n"}});
      rig.model.script([criteria(POINTS), judgement([MET, MISSING])]);
      const outcome = await rig.comment("/review", {...how, by: "will", on: number});
      await assertPromises(rig, outcome);
      expect(outcome.refs).toEqual(outcome.refsBefore);
      expect(outcome.record).toMatchObject({verdict: {kind: "verified"}, publication: {kind: "none"}});
      const body = outcome.comments.at(-1)?.body ?? "";
      expect(body).toMatch(/✅ Verified[\s\S]*Second opinion[\s\S]*1 of 2 points met/);
      const prompts = rig.model.prompts.join("\n");
      expect(prompts).toContain("Multiply numbers");
      expect(prompts).toContain("+export const product");
      expect(prompts).not.toContain("Written after");
    },
  );

test("without a judge it gives findings and results; an issue has nothing to review", async () => {
  const zero = PRODUCT_FILES.test.replaceAll("product", "sum").replace("sum(2, 3), 6", "sum(0, 0), 0");
  await using rig = await createRig({files: plain({files: {"tests/zero.test.js": zero}}), onFailed: onTestFailed});
  const files = {"tests/zero.test.js": zero.replace("test(", "test.skip(")};
  const number = await rig.openPullRequest({title: "Fewer tests", branch: "fewer", files, by: "will"});
  const outcome = await rig.comment("/review", {by: "will", on: number, noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict.kind).toBe("tampered");
  expect(outcome.refs).toEqual(outcome.refsBefore);
  expect(outcome.comments.at(-1)?.body).toContain(
    "**Second opinion:** not asked for, because verify.json does not enable the judge",
  );

  const issue = await rig.openIssue({title: "Products"});
  const refused = await rig.comment("/review", {by: "will", on: issue, noModel: true});
  await assertPromises(rig, refused, {nothingAsked: true});
  expect(refused.comments.at(-1)?.body).toContain("`/review` is a command for pull requests");
});
