/** Somebody without write access gets one polite line, and nothing runs. */
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

test.each(someOf(MODES))("an outsider, in $mode", async ({how}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment(`/assay delete everything ${"x".repeat(64_000)}`, {by: "otto", ...how});
  await assertPromises(rig, outcome, {nothingAsked: true});
  expect(outcome.exitCode).toBe(0);
  expect(rig.model.requests()).toBe(0);
  const own = outcome.comments.filter((comment) => comment.author === "github-actions[bot]");
  expect(own).toHaveLength(1);
  expect(own[0]?.body).toContain("write access");
});

test("a re-run that is refused finishes the comment of an attempt that died", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const first = await rig.comment("/assay multiply", {by: "otto"});
  const comment = first.comments.find(({author}) => author === BOT);
  const [marker = ""] = comment?.body.split("\n") ?? [];
  // As if the author could write when the first attempt began.
  const path = `/repos/${rig.origin.name}/issues/comments/${comment?.id}`;
  await rig.github.as(BOT, "PATCH", path, {body: `${marker}\n⏳ **The agent is working**\n`});
  const again = await rig.again({attempt: 2, noModel: true});
  const own = again.comments.filter(({author}) => author === BOT);
  expect(own.map(({body}) => body)).toEqual([comment?.body]);
});

if (isSweep)
  test("an outsider's requests use up no run of others, and are not answered for ever", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const inputs = {"runs-per-hour": "2"};
    const on = await rig.openIssue({title: "Products", by: "otto"});
    for (const name of ["first", "second", "third", "fourth"]) {
      const outcome = await rig.comment(`/assay ${name}`, {by: "otto", on, inputs});
      await assertPromises(rig, outcome, {nothingAsked: true});
    }
    const refusals = rig.github.requests.filter(({method, path}) => method === "POST" && path.endsWith("/comments"));
    expect(refusals.filter(({login}) => login === "github-actions[bot]")).toHaveLength(2);
    const outcome = await rig.comment("/verify", {by: "will", on, inputs, noModel: true});
    await assertPromises(rig, outcome);
    expect(outcome.outputs.verdict).toBe("verified");
  });
