/** The check `assay/verified` stands on what was published and on what `/verify` looked at, with the failing line. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("red on a broken head, and a status where the token may make no check", async () => {
  const lint = `if grep -n bad src/sum.js; then echo "src/sum.js:2:7: error: no bad names"; exit 1; fi`;
  const stages = [{name: "lint", command: lint, kind: "lint", optional: false}];
  await using rig = await createRig({files: plain({verify: {stages}}), onFailed: onTestFailed});
  const number = await rig.openPullRequest({
    title: "Names",
    branch: "names",
    files: {"src/sum.js": "export const sum = (one, other) => one + other;\nconst bad = 1;\n"},
  });
  const red = await rig.comment("/verify", {on: number, noModel: true});
  await assertPromises(rig, red);
  const head = await rig.origin.resolve("refs/heads/names");
  expect(rig.github.checks).toMatchObject([
    {
      head_sha: head,
      name: "assay/verified",
      conclusion: "failure",
      output: {annotations: [{path: "src/sum.js", start_line: 2, annotation_level: "failure"}]},
    },
  ]);

  rig.github.fault({path: /check-runs$/, method: "POST", does: {kind: "status", status: 403}});
  // the third time the thread is read is for the agent
  rig.github.fault({method: "GET", path: /\/comments$/, from: 3, does: {kind: "status", status: 401}});
  rig.model.script([{when: "three", do: [writeFileAt("src/three.js", "export const three = 3;\n")], say: "There."}]);
  const green = await rig.comment("/assay add three", {on: await rig.openIssue({title: "Three"})});
  await assertPromises(rig, green);
  expect(rig.github.checks).toHaveLength(1);
  expect(rig.github.statuses).toMatchObject([{sha: green.outputs.commit, context: "assay/verified", state: "success"}]);
  expect(green.comments.at(-1)?.body).toContain("press **Approve workflows to run** in the merge box");
  expect(green.comments.at(-1)?.body).toContain("the agent got only the issue and the request");
});
