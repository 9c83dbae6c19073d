/** `/verify` on an issue looks at its parked work without a model, and publishes it once it passes. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {isSweep} from "../../sweep.ts";

test("work that was parked for a reason of the base", async () => {
  const stages = [{name: "ready", command: "grep -q yes READY", kind: "check"}];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  const files = {"src/sum.js": "export const sum = (...all) => all.reduce((one, other) => one + other, 0);\n"};
  rig.model.script([{when: "more", do: [writeFileAt("src/sum.js", files["src/sum.js"])], say: "Any number of them."}]);
  // the base fails too: only what it has not is charged, and a check of no known form excuses nothing
  const parked = await rig.comment("/assay sum more than two", {by: "will"});
  await assertPromises(rig, parked);
  expect(parked.outputs.branch).toBe("assay/parked/issue-1");

  const base = await rig.origin.commit({files: {READY: "yes\n"}});
  if (isSweep) {
    const partly = await rig.comment("/verify ready", {by: "will", noModel: true});
    await assertPromises(rig, partly);
    expect(partly.record).toMatchObject({verdict: {kind: "verified"}, publication: {kind: "none"}});
    expect(partly.record?.resumes).toBe(parked.outputs.commit);
    expect(partly.record?.attempts[0]?.changes).toEqual([{path: "src/sum.js", status: "modified"}]);

    // whether there is parked work is not known then: the default branch, which is fine, must not be taken for it
    rig.github.fault({method: "GET", path: /\/comments$/, from: 2, does: {kind: "status", status: 401}});
    const blind = await rig.comment("/verify", {by: "will", noModel: true});
    await assertPromises(rig, blind);
    expect(blind.exitCode).toBe(1);
    expect(blind.record).toMatchObject({attempts: [], failures: [{kind: "github-refused", status: 401}]});
  }

  const late = await rig.comment("/verify", {by: "will", noModel: true});
  await assertPromises(rig, late);
  expect(late.exitCode).toBe(0);
  expect(late.record?.publication).toMatchObject({kind: "published", parent: base});
  expect(await rig.origin.read("refs/heads/assay/issue-1", "src/sum.js")).toBe(files["src/sum.js"]);
  expect(late.pullRequests).toHaveLength(1);
  expect(rig.github.checks).toMatchObject([
    {head_sha: parked.outputs.commit, conclusion: "failure"},
    {head_sha: late.outputs.commit, conclusion: "success"},
  ]);
});
