/** `/approve` publishes a saved tree that changes its own checks; another tree, and the requester's own word, are refused. */
import {expect, onTestFailed, test} from "vitest";
import {editFile} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {someOf} from "../sweep.ts";

test.each(someOf(MODES))("a second person accepts exactly the tree of the report, in $mode", async ({how}) => {
  const verify = {maxFixAttempts: 0, integrity: {approvers: 2}};
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  const skip = editFile("tests/sum.test.js", 'test("sums', 'test.skip("sums');
  rig.model.script([{when: "multiply", do: [...WRITES.right, skip], say: "Done."}]);
  const parked = await rig.comment("/assay multiply, and skip the sums", {...how, by: "will"});
  await assertPromises(rig, parked);
  const tree = parked.outputs.tree ?? "";
  const command = `/approve ${tree.slice(0, 12)}`;
  expect(parked.comments.at(-1)?.body).toContain(command);

  const refusals = [
    ["/approve 0123456789ab", "ada", `the saved changes are ${tree.slice(0, 12)}, not 0123456789ab`],
    [command, "will", "you requested these changes yourself"],
  ] as const;
  for (const [text, by, why] of someOf(refusals)) {
    const refused = await rig.comment(text, {...how, by, noModel: true});
    await assertPromises(rig, refused);
    expect([refused.exitCode, refused.record?.publication.kind, refused.pullRequests]).toEqual([1, "none", []]);
    expect(refused.record?.failures).toMatchObject([{kind: "approval-refused", message: expect.stringContaining(why)}]);
  }

  const approved = await rig.comment(command, {...how, by: "ada", noModel: true});
  await assertPromises(rig, approved);
  expect(approved.exitCode).toBe(0);
  expect(approved.record).toMatchObject({
    verdict: {kind: "verified"},
    publication: {kind: "published", tree},
    approval: {by: "ada", tree},
    integrity: [{level: "block", path: "tests/sum.test.js"}],
  });
  expect(approved.comments.at(-1)?.body).toContain("✅ Verified. Gate change approved by @ada");
  const facts = await rig.origin.facts(approved.outputs.commit ?? "");
  expect(facts.message).toContain("\nAssay-Gate-Change-Approved-By: ada\n");
});
