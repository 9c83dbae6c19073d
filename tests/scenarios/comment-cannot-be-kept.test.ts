/** GitHub does not keep or take the run's comment: the report stands in a new one, or in the job's summary, and nothing is lost. */
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep} from "../sweep.ts";

if (isSweep)
  test("somebody deletes the comment during the run", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const on = await rig.openIssue({title: "Sums"});
    const thread = `/repos/${rig.origin.name}/issues/${on}/comments`;
    const run = await rig.begin("/verify", {on});
    await run.saw(/stages: syntax/);
    const comments: unknown = await rig.github.as("ada", "GET", thread);
    const own = (Array.isArray(comments) ? comments : []).find((one) => one.user.login === BOT);
    await rig.github.as("ada", "DELETE", `/repos/${rig.origin.name}/issues/comments/${own.id}`);
    const outcome = await run.ended;
    await assertPromises(rig, outcome);
    expect(outcome.record?.thread?.commentId).not.toBe(own.id);
    expect(outcome.comments.at(-1)?.body).toContain("✅");
  });

if (isSweep)
  test("the issue is locked: the summary is the report, and says so", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const does = {
      kind: "status",
      status: 403,
      body: JSON.stringify({message: "Unable to create comment because issue is locked."}),
    } as const;
    rig.github.fault({method: "POST", path: /\/comments$/, times: 99, does});
    const outcome = await rig.comment("/verify");
    await assertPromises(rig, outcome);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.summary).toContain("issue is locked");
  });

if (isSweep)
  test("GitHub takes the report only from `post`", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const end = rig.github.fault({
      method: "PATCH",
      path: /\/comments\/\d+$/,
      times: 99,
      does: {kind: "status", status: 403},
    });
    const run = await rig.begin("/verify");
    await run.saw(/could not be shown/);
    end();
    const outcome = await run.ended;
    await assertPromises(rig, outcome);
    expect(outcome.comments.at(-1)?.body).toContain("✅");
  });

test("GitHub says that the comment is gone, and it is not: no second one is made", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.github.fault({method: "PATCH", path: /\/comments\/\d+$/, times: 99, does: {kind: "status", status: 404}});
  const outcome = await rig.comment("/verify");
  await assertPromises(rig, outcome);
  expect(outcome.comments.filter(({author}) => author === BOT)).toHaveLength(1);
  expect(outcome.summary).toContain("✅");
});
