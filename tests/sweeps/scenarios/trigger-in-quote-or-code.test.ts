/** A command in a quote, in code or in the middle of a sentence is none. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("quotes and code", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  await rig.openIssue({title: "Something is wrong"});
  for (const text of [
    "> /assay multiply",
    "```\n/verify\n```",
    "    /verify",
    "`/verify`",
    "please /verify this",
    "/verifying",
  ]) {
    // GitHub's expressions know no word ends, so `/verifying` starts a machine, and gets an answer
    const unstarted = await rig.comment(text, {by: "will", on: 1});
    expect(unstarted.jobs["assay"]?.result).toBe(text === "/verifying" ? "success" : "skipped");
    const quiet = await rig.comment(text, {by: "will", on: 1, isStepOnly: true});
    expect(quiet.exitCode).toBe(0);
    expect(quiet.record).toBeNull();
  }
  const outcome = await rig.comment("see above: /assay multiply", {by: "will", on: 1, isStepOnly: true});
  await assertPromises(rig, outcome, {nothingAsked: true});
  expect(outcome.exitCode).toBe(0);
  expect(rig.model.requests()).toBe(0);
  const answers = outcome.comments.filter(({author}) => author === "github-actions[bot]").map(({body}) => body);
  expect(answers).toEqual(Array(2).fill(expect.stringContaining("`/verifying` is not a command")));
});
