/** A command that is switched off by the input `commands` starts no job, in every kind of workflow. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {startCondition} from "../../../../src/onboarding/init/start-condition.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {COMMAND_WORDS, parseCommand} from "../../../../src/request/command.ts";
import {DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {evaluate} from "../../../rig/workflow/expressions.ts";

const CALLED = readFileSync(new URL("../../../../.github/workflows/separated.yml", import.meta.url), "utf8");

function value(expression: string, body: string, commands: string): string {
  const event = {comment: {body}, issue: {number: 7, body: null}, sender: {type: "User"}};
  const contexts = {github: {event, event_name: "issue_comment"}, inputs: {"trigger-phrase": DEFAULT_PHRASE, commands}};
  return evaluate(expression, {contexts: JSON.parse(JSON.stringify(contexts)), status: "success"}).coerceString();
}

test("a command that is switched off starts no job and is no request, and the others do", () => {
  const commands = COMMAND_WORDS.filter((word) => !["/approve", "/review", "/help"].includes(word));
  const single = parse(singleWorkflow([], DEFAULT_PHRASE, {commands})).jobs;
  const whole = parse(separatedWorkflow([], {commands})).jobs;
  const called = parse(CALLED).jobs;
  const caller = parse(callerWorkflow("/fix", [], commands)).jobs.assay;
  expect([caller.with.commands, single.assay.steps.at(-1).with.commands, whole.admit.steps[0].with.commands]).toEqual(
    Array(3).fill(commands.join(" ")),
  );
  const starts = (text: string) =>
    [single.assay, single.answer, whole.admit, whole.answer, called.admit, called.answer, caller].map(
      ({if: condition}) => value(condition, text, commands.join(" ")),
    );
  for (const text of ["/approve", "\n/review -i", "/help", "/approve no-issue"]) {
    expect([text, ...starts(text)]).toEqual([text, ...Array(7).fill("false")]);
    for (const phrase of [DEFAULT_PHRASE, ""]) expect(parseCommand(text, {phrase, commands})).toBeNull();
  }
  const [yes, no] = ["true", "false"];
  expect(starts("/verify")).toEqual([yes, no, yes, no, yes, no, yes]);
  expect(starts("/status")).toEqual([no, yes, no, yes, no, yes, yes]);
  expect(startCondition("/reviewer", {commands}).join(" ")).toContain("'/reviewer'");
  for (const job of [called.admit, called.answer])
    expect(job.if.length * 1.2, "GitHub reads 21,000 characters").toBeLessThan(21_000);
});
