/** `/verify <stage>` runs that stage only; an unknown name is no pass, and the report lists the names there are. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("one stage, then one that does not exist", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const one = await rig.comment("/verify syntax", {by: "will", noModel: true});
  await assertPromises(rig, one);
  expect(one.record?.attempts[0]?.verification?.stages.map(({name, outcome}) => `${name} ${outcome}`)).toEqual([
    "syntax passed",
    "test skipped",
  ]);
  const none = await rig.comment("/verify everything", {by: "will", noModel: true});
  await assertPromises(rig, none);
  expect(none.exitCode).toBe(1);
  // a part says nothing of the whole commit
  expect(rig.github.checks).toEqual([]);
  expect(none.outputs.verdict).toBe("unverified");
  expect(none.comments.at(-1)?.body).toContain("syntax, test");
});
