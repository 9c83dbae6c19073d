/** The bot's record is forged, as an agent without a fence could, and the bot is killed: `post` touches no comment but its own. */
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../rig/model.ts";
import {ownFolder} from "../rig/own-folder.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("a record that names somebody else's comment", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 400")],
      say: "never",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/sleep 400/);
  // The comment that asked has the number in the folder's name.
  const {own} = ownFolder(rig);
  const [id] = /(?<=comment-)\d+/.exec(own) ?? [];
  const file = join(own, "record.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/(?<="commentId": )\d+/, String(id)));
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.comments[0]?.body).toBe("/assay multiply");
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
});
