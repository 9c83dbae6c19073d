/** `workflow_dispatch` and `schedule`: a run for an issue, or without one, whose report is the job's summary. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {callingOn} from "../rig/separated.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {isSweep, someOf} from "../sweep.ts";

type Start = Parameters<Rig["started"]>[0];

const triggers = ["dispatch", "schedule:0 5 * * 1"];
const separated = {text: callingOn(triggers)};
const text = "multiply, please\n::add-mask::please";

/** The requests about threads, which this run has none of. */
const aboutThreads = (rig: Rig) =>
  rig.github.requests.filter(({path}) => /\/(?:issues|comments|reactions)/.test(path)).map(({path}) => path);

async function expectPublished(rig: Rig, outcome: Outcome, requester: string) {
  await assertPromises(rig, outcome);
  const branch = outcome.outputs["branch"] ?? "";
  expect(outcome.outputs).toMatchObject({verdict: "verified", branch: expect.stringMatching(/^assay\/run-47\d\d$/)});
  expect(outcome.record?.thread).toBeNull();
  expect(outcome.summary).toContain("**✅ Verified**");
  expect(outcome.pullRequests.at(-1)).toMatchObject({head: branch, title: "multiply, please"});
  expect(outcome.pullRequests.at(-1)?.body).toMatch(new RegExp(`^Requested by ${requester}\\. 2 changed files`));
  expect(outcome.summary).not.toContain("was shown");
  expect(aboutThreads(rig)).toEqual([]);
}

test.each(someOf([{triggers}, {separated}]))(
  "a text needs no issue: the report is the summary and the pull request, and nobody is written to",
  async (how) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: /<request>\nmultiply, please\n::add-mask::please\n/, do: WRITES.right, say: "Done."}]);
    const outcome = await rig.run(await rig.started({text}, {by: "will"}), how);
    await expectPublished(rig, outcome, "`will`");
    expect(outcome.log).not.toMatch(/^::add-mask::please/m);
  },
);

test("a schedule works on the text of its input, a few times a day", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const inputs = {"schedule-text": "/verify syntax", "automatic-runs-per-day": "1"};
  const event = await rig.started({cron: "0 5 * * 1"});
  const outcome = await rig.run(event, {triggers, inputs, noModel: true});
  await assertPromises(rig, outcome);
  expect(outcome.record).toMatchObject({thread: null, verdict: {kind: "partial"}, run: {id: "schedule-4711"}});
  const refused = await rig.run(event, {triggers, inputs});
  expect(refused).toMatchObject({exitCode: 1, record: null, summary: expect.stringMatching(/limit of automatic runs/)});
  expect(aboutThreads(rig)).toEqual([]);
});

if (isSweep)
  test("with an issue's number the answer is there, unless its text changed after the start", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const issue = await rig.openIssue({title: "Products", body: "multiply, please", by: "otto"});
    const event = await rig.started({issue, text: "/verify syntax"}, {by: "will"});
    const outcome = await rig.run(event, {triggers, noModel: true});
    await assertPromises(rig, outcome);
    expect(outcome.record?.thread).toMatchObject({number: issue, actor: "will", trigger: {kind: "dispatch", id: 4711}});
    const edited = await rig.run({...event, at: "2026-01-01T00:00:00Z"}, {triggers});
    expect(edited).toMatchObject({exitCode: 1, record: null, summary: expect.stringContaining("was edited after")});
  });

const WRONG_NUMBER = /^The input `issue` must be the number of an issue or pull request, such as 12,/;

if (isSweep)
  test("a wrong number is explained on the run's page", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const malformed = await rig.run(await rig.started({issue: "#1"}, {by: "will"}), {triggers});
    expect(malformed).toMatchObject({exitCode: 1, record: null, summary: expect.stringMatching(WRONG_NUMBER)});
    expect(malformed.log).toMatch(/^::error title=Assay::The input `issue` must be the number/m);
    const unknown = await rig.run(await rig.started({issue: "4000"}, {by: "will"}), {triggers});
    expect(unknown).toMatchObject({exitCode: 1, record: null});
    expect(unknown.summary).toContain("There is no issue or pull request 4000");
  });

const REFUSED: readonly {start: Start; by?: string; scheduled?: string; answer: RegExp}[] = [
  {start: {text: " "}, answer: /There is no request/},
  {start: {cron: "0 5 * * 1"}, scheduled: "", answer: /set the input `schedule-text`/},
  {start: {text: "/continue"}, answer: /Comment this command/},
  {start: {text}, by: "otto", answer: /only people with write access/},
  ...["007", "1.0", "99999999999", "1\n2"].map((issue) => ({start: {issue}, answer: WRONG_NUMBER})),
];

if (isSweep) {
  test.each([{triggers}, {separated}])("a scheduled request is published", async (how) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: /<request>\nmultiply, please\n/, do: WRITES.right, say: "Done."}]);
    const inputs = {"schedule-text": text};
    await expectPublished(rig, await rig.run(await rig.started({cron: "0 5 * * 1"}), {...how, inputs}), "a schedule");
  });

  test.each([{triggers}, {separated}])("an issue's number alone is a request for its text", async (how) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: /<request>\nProducts\n\nmultiply, please\n/, do: WRITES.right, say: "Done."}]);
    const issue = await rig.openIssue({title: "Products", body: "multiply, please", by: "otto"});
    const outcome = await rig.run(await rig.started({issue}, {by: "will"}), how);
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "verified", branch: `assay/issue-${issue}`});
  });

  test("nothing starts for others, and for nothing", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    for (const {start, by = "will", scheduled = "fix it", answer} of REFUSED)
      for (const how of [{triggers}, {separated}]) {
        const event = await rig.started(start, {by});
        const outcome = await rig.run(event, {...how, inputs: {"schedule-text": scheduled}});
        expect(outcome, JSON.stringify(start)).toMatchObject({record: null, summary: expect.stringMatching(answer)});
        expect(outcome.exitCode).toBe(1);
      }
    const bot = await rig.run(await rig.started({text}, {by: "renovate[bot]"}), {triggers});
    expect(Object.values(bot.jobs)).not.toContainEqual(expect.objectContaining({result: "success"}));
    expect(rig.model.prompts).toEqual([]);
  });
}
