/** The admission result does not arrive: the job that publishes knows the event and the comment's marker, and finishes the comment. */
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

test("no comment stays at “Preparing the run”", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {
    separated: {text: CALLING, forged: (part): Record<string, string> => (part === "admit" ? {admission: ""} : {})},
  });
  await assertPromises(rig, outcome);
  expect(outcome.jobs).toMatchObject({verify: {result: "failure"}, publish: {result: "failure"}});
  const answers = outcome.comments.filter(({author}) => author === BOT);
  expect(answers).toHaveLength(1);
  expect(answers[0]?.body).not.toContain("Preparing the run");
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
});

if (isSweep)
  test("`admit` ends before its comment", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const under = (part: string) => (part === "admit" ? ["false"] : []);
    const outcome = await rig.comment("/verify", {separated: {text: CALLING, under}});
    await assertPromises(rig, outcome);
    expect(outcome.jobs).toMatchObject({admit: {result: "failure"}, publish: {result: "failure"}});
    expect(outcome.comments.filter(({author}) => author === BOT)).toHaveLength(1);
    const stranger = await rig.comment("/verify", {separated: {text: CALLING, under}, by: "otto"});
    expect(stranger.comments.filter(({author}) => author === BOT)).toHaveLength(1);
  });

if (isSweep)
  test("the machine of `admit` is lost after its comment", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const outcome = await rig.comment("/verify", {separated: {text: CALLING, isLost: (part) => part === "admit"}});
    await assertPromises(rig, outcome);
    expect(outcome.jobs).toMatchObject({
      admit: {result: "failure"},
      verify: {result: "skipped"},
      publish: {result: "failure"},
    });
    const [answer, ...others] = outcome.comments.filter(({author}) => author === BOT);
    expect(others).toEqual([]);
    expect(answer?.body).not.toContain("Preparing the run");
  });

if (isSweep)
  test("where `admit` ends the run itself, publishing has nothing to do", async () => {
    await using rig = await createRig({files: plain({files: {"verify.json": "{"}}), onFailed: onTestFailed});
    const outcome = await rig.comment("/assay fix it", {separated: {text: CALLING}});
    await assertPromises(rig, outcome);
    expect(outcome.jobs).toMatchObject({
      admit: {result: "failure"},
      work: {result: "skipped"},
      publish: {result: "success"},
    });
    expect(outcome.comments.filter(({author}) => author === BOT)).toHaveLength(1);
  });
