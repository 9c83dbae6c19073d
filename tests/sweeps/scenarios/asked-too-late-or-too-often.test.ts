/** A head that was pushed after the comment is refused, and so is one request too many within the hour. */
import {setTimeout as pause} from "node:timers/promises";
import {expect, onTestFailed, test} from "vitest";
import {isObject} from "../../rig/json.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("nothing runs, and one line says why", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({title: "Docs", branch: "docs", files: {"NOTES.md": "notes\n"}, by: "will"});
  const path = `/repos/${rig.origin.name}/issues/${number}/comments`;
  const comment = await rig.github.as("will", "POST", path, {body: "/verify"});
  if (!isObject(comment)) throw new Error("no comment");
  // GitHub's clock counts in seconds
  await pause(1_100);
  await rig.origin.commit({branch: "docs", files: {"NOTES.md": "other notes\n"}});
  const late = await rig.comment("nothing", {on: number, by: "will", noModel: true, payload: {comment}});
  await assertPromises(rig, late, {nothingAsked: true});
  expect(late.comments.at(-1)?.body).toContain("got new commits after your comment");

  const inputs = {"runs-per-hour": "2"};
  const help = await rig.comment("/help", {on: number, by: "will", noModel: true, inputs});
  expect(help.comments.at(-1)?.body).toContain("| `/verify` |");
  const often = await rig.comment("/verify", {on: number, by: "will", noModel: true, inputs});
  await assertPromises(rig, often, {nothingAsked: true});
  expect(often.comments.at(-1)?.body).toContain("`runs-per-hour`");
  const silent = await rig.comment("/verify", {on: number, by: "will", noModel: true, inputs});
  await assertPromises(rig, silent, {nothingAsked: true});
  expect(silent.comments.at(-1)?.body).toBe("/verify");
  const next = await rig.comment("/verify", {on: number, by: "will", noModel: true, inputs});
  await assertPromises(rig, next, {nothingAsked: true});
  // The one before was refused, and not dropped.
  expect(next.comments.at(-1)?.body).toBe("/verify");
});
