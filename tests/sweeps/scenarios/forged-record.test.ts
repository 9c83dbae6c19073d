/** The bot's record is forged, as an agent without a fence could, and the bot is killed: `post` touches no comment but its own, and claims nothing. */
// In each run: `killed.test.ts` and `separated-forgeries.test.ts`.
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {parseObject} from "../../rig/json.ts";
import {bash, writeFileAt} from "../../rig/model.ts";
import {ownFolder} from "../../rig/own-folder.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import type {Rig} from "../../rig/world.ts";

/** Forges the record while the agent works, and kills the bot then. */
async function forged(rig: Rig, forge: (options: {text: string; own: string}) => string) {
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 400")],
      say: "never",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/bash .*sleep/);
  const {own} = ownFolder(rig);
  const file = join(own, "record.json");
  writeFileSync(file, forge({text: readFileSync(file, "utf8"), own}));
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
  return outcome;
}

test("a record that names somebody else's comment", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await forged(rig, ({text, own}) => {
    // The comment that asked has the number in the folder's name.
    const [id] = /(?<=comment-)\d+/.exec(own) ?? [];
    return text.replace(/(?<="commentId": )\d+/, String(id));
  });
  expect(outcome.comments[0]?.body).toBe("/assay multiply");
});

test("a record that says that all is done, and good, and only not shown", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await forged(rig, ({text}) => {
    const record = parseObject(text);
    const run = {...parseObject(JSON.stringify(record["run"])), finishedAt: new Date().toISOString()};
    const notes = [{about: "comment", text: "it was not shown"}];
    return JSON.stringify({...record, run, notes, verdict: {kind: "verified"}});
  });
  expect(outcome.comments.at(-1)?.body).not.toContain("✅");
});
