/** kill -9 of the bot: `post` finds the record, parks the work and finishes the comment; without a record it answers from the event. */
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import {bash, STUBBORN_CALL, writeFileAt} from "../rig/model.ts";
import {filesWith} from "../rig/plain-text.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import type {Outcome} from "../rig/world.ts";

test("SIGKILL while the agent works", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash(STUBBORN_CALL)],
      say: "never",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/bash .*sleep/);
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
  expect(outcome.outputs).toMatchObject({verdict: "unverified", verified: "false"});
  // `post` removes the agent's conversation from the machine
  expect(await filesWith(`${rig.folder}/run-1`, ["sleep 405"])).toEqual([]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});

/** Kills `main` as it starts, and leaves `post` alone. */
const KILL_MAIN = ["bash", "-c", 'case "$*" in */dist/main.js) kill -9 $$ ;; esac; exec "$@"', "bash"];

test("SIGKILL before the run has a record", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const answersIn = ({comments}: Outcome) => comments.filter(({author}) => author === BOT);
  const options = {isStepOnly: true, under: KILL_MAIN};
  const killed = await rig.comment("/assay multiply, please", options);
  expect(killed.exitCode).toBe(null);
  const answers = answersIn(killed);
  expect(answers).toHaveLength(1);
  expect(answers[0]?.body).toContain("The run was interrupted");
  // The same comment once more, killed or not, and what is no request, get no answer.
  expect(answersIn(await rig.again(options))).toEqual(answers);
  expect(answersIn(await rig.again({isStepOnly: true}))).toEqual(answers);
  expect(answersIn(await rig.comment("a word among people", options))).toEqual(answers);
  expect(answersIn(await rig.comment("/assay divide", {...options, by: "otto"}))).toEqual(answers);
});
