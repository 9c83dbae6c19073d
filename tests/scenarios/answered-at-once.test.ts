/** `/status` and `/stop` are answered while a run is in progress; `/plan` and unknown commands start no agent. */
import {expect, onTestFailed, test} from "vitest";
import {bash, STUBBORN_CALL, writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {oneJob, SEPARATED} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

test("a run is shown and stopped from its thread, and its work is saved", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const edit = writeFileAt("src/half.js", "export const half = 1;\n");
  rig.model.script([{when: "multiply", do: [edit, bash(STUBBORN_CALL)], say: "never"}]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/bash .*sleep/);

  const status = await rig.comment("/status", {by: "will"});
  await assertPromises(rig, status, {nothingAsked: true});
  expect(status.comments.at(-1)?.body).toMatch(/A run has been in progress .*\/actions\/runs\/4711\)/);
  const refused = await rig.comment("/stop", {by: "otto"});
  expect(refused.comments.at(-1)?.body).toContain("only people with write access");
  if (isSweep) {
    const misspelled = await rig.comment("/stopwatch", {by: "will"});
    expect(misspelled.comments.at(-1)?.body).toContain("Did you mean `/stop`?");
  }

  const stop = await rig.comment("/stop", {by: "will"});
  expect(stop.comments.at(-1)?.body).toContain("Stopping the run");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "cancelled"});
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");

  const after = await rig.comment("/status", {by: "will", separated: {text: SEPARATED}});
  expect(after.comments.at(-1)?.body).toMatch(/Nothing is running[\s\S]*Saved changes: commit/);
  expect(after.jobTokens.map(({job}) => job)).toEqual(["answer"]);
  if (!isSweep) return;
  const late = await rig.comment("/stop", {by: "will", separated: {text: SEPARATED}});
  expect(late.comments.at(-1)?.body).toContain("Nothing is running");
});

test("`/plan` lists the checks, and runs none", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/plan", {separated: {text: SEPARATED}});
  await assertPromises(rig, outcome);
  expect(outcome.jobTokens.map(({job}) => job)).toEqual(["admit"]);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.comments.at(-1)?.body).toMatch(/`\/plan` only lists them[\s\S]*node --test/);
  expect(rig.github.checks).toEqual([]);
});

if (isSweep)
  test("with an empty phrase, texts that begin like a command get one answer, from the job that they start", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const separated = {text: oneJob("")};
    const on = await rig.openIssue({title: "Sums"});
    let earlier = 0;
    for (const [text, words] of [
      ["/stop, please", "Nothing is running"],
      ["/help: why does it fail?", "`/verify"],
      ["/status/page is broken", "`/status/page` is not a command"],
      ["\n/status", "Nothing is running"],
    ] as const) {
      const outcome = await rig.comment(text, {on, separated});
      await assertPromises(rig, outcome, {nothingAsked: true});
      expect([text, outcome.jobs["answer"]?.result, outcome.jobs["assay"]?.result]).toEqual([
        text,
        "success",
        "skipped",
      ]);
      earlier += 2;
      expect(outcome.comments).toHaveLength(earlier);
      expect(outcome.comments.at(-1)?.body).toContain(words);
    }
  });
