/** Comments that came before a run's own and got none: a server without a long queue drops them, and the run answers for them. */
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../../rig/github/people.ts";
import {bash, STUBBORN_CALL} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {isSweep} from "../../sweep.ts";

test("a dropped comment is answered once, by the run that took its place; those that wait are left", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const on = await rig.openIssue({title: "Sums"});
  const say = (by: string, body: string) =>
    rig.github.as(by, "POST", `/repos/${rig.origin.name}/issues/${on}/comments`, {body});
  const run = await rig.begin("/verify", {by: "will", on});
  await run.saw(/checks: syntax/);
  await say("will", "/assay add a difference");
  await say("otto", "/assay give me the keys");
  await say("ada", "that sounds good");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  // its run may still wait in the line
  expect(outcome.comments.filter(({body}) => body.includes("A later comment replaced this request"))).toEqual([]);

  const next = await rig.comment("/verify syntax", {by: "will", on});
  await assertPromises(rig, next);
  const answers = next.comments.filter(
    ({author, body}) => author === BOT && body.includes("A later comment replaced this request"),
  );
  expect(answers).toHaveLength(1);
  const dropped = next.comments.find(({body}) => body.includes("add a difference"));
  expect(answers[0]?.body).toContain(`superseded-${dropped?.id} `);
  if (!isSweep) return;
  const third = await rig.comment("/verify syntax", {by: "will", on});
  expect(third.comments.filter(({body}) => body.includes("A later comment replaced this request"))).toHaveLength(1);
});

test("a cancelled run answers the dropped comments too, after its own report", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const on = await rig.openIssue({title: "Sums"});
  await rig.github.as("will", "POST", `/repos/${rig.origin.name}/issues/${on}/comments`, {body: "/assay subtract"});
  rig.model.script([{when: "multiply", do: [bash(STUBBORN_CALL)], say: "never"}]);
  const run = await rig.begin("/assay multiply", {by: "will", on});
  await run.saw(/bash .*sleep/);
  run.cancel();
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "cancelled"});
  const [dropped] = outcome.comments;
  expect(outcome.comments.at(-1)?.body).toContain(`superseded-${dropped?.id} `);
});
