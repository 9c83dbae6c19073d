/** A step before Assay fails in the workflow of one job: the request gets its answer all the same, and only one. */
import {expect, onTestFailed, test} from "vitest";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import {BOT} from "../rig/github/people.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {oneJob} from "../rig/separated.ts";

const text = oneJob(DEFAULT_PHRASE).replace(
  /^( *)(# Isolates the agent.*\n)/m,
  (line, spaces: string) => `${spaces}- run: exit 1\n${line}`,
);

test("a failed set-up step is answered", async () => {
  expect(text).toContain("- run: exit 1");
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {separated: {text}});
  await assertPromises(rig, outcome);
  const answers = outcome.comments.filter(({author}) => author === BOT);
  expect(answers).toHaveLength(1);
  expect(answers[0]?.body).toContain("a step before Assay failed");
  expect(outcome.jobs).toMatchObject({assay: {result: "failure"}});
});

test("a request by a person without write access stays without an answer", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify", {separated: {text}, by: "otto"});
  expect(outcome.comments.filter(({author}) => author === BOT)).toEqual([]);
});
