/** `/verify <stage>` runs that stage only and claims nothing of the rest; an unknown name is no pass, and the report lists the names. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("one stage, then one that does not exist", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const one = await rig.comment("/verify syntax", {by: "will", noModel: true});
  await assertPromises(rig, one);
  expect(one.record?.attempts[0]?.verification?.stages.map(({name, outcome}) => `${name} ${outcome}`)).toEqual([
    "syntax passed",
    "test skipped",
  ]);
  expect(one.record?.verdict).toEqual({kind: "partial", notRun: ["test"], preexisting: []});
  expect(one.exitCode).toBe(0);
  expect(one.outputs).toMatchObject({verdict: "partial", verified: "false"});
  expect(one.comments.at(-1)?.body).toContain("**☑️ Requested checks passed**");
  expect(one.comments.at(-1)?.body).toContain("Not run: test.");
  // a neutral check, too, would satisfy a branch rule that requires it
  expect(one.marks).toEqual([]);

  const none = await rig.comment("/verify everything", {by: "will", noModel: true});
  await assertPromises(rig, none);
  expect(none.exitCode).toBe(1);
  expect(none.outputs.verdict).toBe("unverified");
  expect(none.comments.at(-1)?.body).toContain("no check is called everything. The checks here are: syntax, test.");
  expect(none.marks).toEqual([]);
});
