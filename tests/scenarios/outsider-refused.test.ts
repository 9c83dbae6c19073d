/** Somebody without write access gets one polite line, and nothing runs. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {someOf} from "../sweep.ts";

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
