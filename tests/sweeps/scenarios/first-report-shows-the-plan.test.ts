/** Without a verify.json the first report of a thread shows what was detected; the second one does not say it again. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const TITLE = "Which checks run here, and why";
const manifest = `${JSON.stringify({name: "sums", private: true, type: "module", scripts: {test: "node --test"}})}\n`;

test("the plan is shown once", async () => {
  const files = plain({files: {"verify.json": null, "package.json": manifest}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  const first = await rig.comment("/verify", {by: "mary"});
  await assertPromises(rig, first);
  const report = first.comments.at(-1)?.body ?? "";
  expect(report).toContain(TITLE);
  expect(report).toContain("package.json scripts.test");
  const second = await rig.comment("/verify", {by: "mary"});
  await assertPromises(rig, second);
  expect(second.comments).toHaveLength(first.comments.length + 2);
  expect(second.comments.at(-1)?.body).not.toContain(TITLE);
});

test("a verify.json shows that its owner knows", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {by: "mary"});
  await assertPromises(rig, outcome);
  expect(outcome.comments.at(-1)?.body).not.toContain(TITLE);
});
