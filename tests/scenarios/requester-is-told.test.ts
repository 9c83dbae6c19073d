/** GitHub sends no mail for an edited comment, so a run ends with one new comment that mentions the person who asked. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep} from "../sweep.ts";

test("the person who asked is mentioned once, also when the run is started again", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  // `/verify` on an issue runs the stages on the default branch, with no agent and no model.
  const outcome = await rig.comment("/verify", {noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome).toMatchObject({exitCode: 0, outputs: {verdict: "verified", attempts: "1", commit: ""}});
  expect([rig.model.requests(), outcome.refs]).toEqual([0, outcome.refsBefore]);
  const [notice] = outcome.notices;
  expect(notice?.body).toMatch(
    /^<!-- assay:notice=comment-\d+ -->\n@ada \*\*✅ Verified\*\* · \[report\]\(http:\S+\/issues\/1#issuecomment-\d+\)\n?$/,
  );
  expect(outcome.notices).toHaveLength(1);

  const again = await rig.again({attempt: 2, noModel: true});
  await assertPromises(rig, again);
  expect(again.notices).toEqual(outcome.notices);
  if (!isSweep) return;
  const twice = await rig.again({noModel: true});
  expect(twice.notices).toEqual(outcome.notices);
});

test("verify.json can turn the reply off", async () => {
  await using rig = await createRig({files: plain({verify: {notify: false}}), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.notices).toEqual([]);
  expect(outcome.record).toMatchObject({verdict: {kind: "verified"}, isQuiet: true});
});

if (isSweep)
  test("verify.json can turn the reply off in spite of another mistake in it", async () => {
    const verify = {notify: false, failfast: true};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    const outcome = await rig.comment("/verify", {noModel: true});
    expect(outcome.record?.failures).toMatchObject([{kind: "config-invalid", isQuiet: true}]);
    expect(outcome.notices).toEqual([]);
  });
