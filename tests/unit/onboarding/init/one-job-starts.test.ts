/** Each request starts exactly one job, the one that handles it, and chat starts none: conditions and parser agree. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {COMMAND_WORDS, isAnswered, parseCommand} from "../../../../src/request/command.ts";
import {DEFAULT_COMMANDS, DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {evaluate} from "../../../rig/workflow/expressions.ts";
import {randomFrom} from "../../../sweeps/random.ts";

/** An expression takes milliseconds. */
const ROUNDS = Number(process.env["ASSAY_FUZZ"] ?? 500) / 20;
const CALLED = parse(
  readFileSync(new URL("../../../../.github/workflows/separated.yml", import.meta.url), "utf8"),
).jobs;
const PHRASES = [DEFAULT_PHRASE, "", "/reviewer @bot-x go", "/s #do"];

/** The `if:` of the job of requests and of the job `answer`, in each kind of workflow. */
const conditionsOf = (phrase: string): readonly (readonly [string, string])[] => {
  const single = parse(singleWorkflow([], phrase)).jobs;
  const separated = parse(separatedWorkflow([], {phrase})).jobs;
  const caller = parse(callerWorkflow(phrase)).jobs.assay.if ?? "true";
  return [
    [single.assay.if, single.answer.if],
    [separated.admit.if, separated.answer.if],
    [`(${caller}) && (${CALLED.admit.if})`, `(${caller}) && (${CALLED.answer.if})`],
  ];
};

const STARTS = ["", "", "", "\n", "\r\n", "\n\n", " ", " \n", "\t", "\u00a0\n", '"', '"\n', "> ", "`", "\r", "x\n"];
const ENDS = [
  "",
  " ",
  ",",
  ".",
  ":",
  ";",
  "!",
  "?",
  ".x",
  "...",
  "/x",
  "-x",
  "x",
  "\n",
  "\r\n",
  "\t",
  "\u00a0",
  '"',
  "\\",
];
const RESTS = ["", "fix it", "please", "why?", "\n/verify", "\r\n\r\n@assay do", "https://example.com/assay", "ü 🐛"];
const OTHERS = ["thanks!", "https://example.com/stop", "a/b", "/etc/hosts", "assay", "@assayer", "@assay-run", "/sto"];

/** A text that is a request, or looks like one. */
function someComment(random: () => number, phrase: string): string {
  const some = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const words = [...COMMAND_WORDS, ...phrase.split(" "), ...DEFAULT_PHRASE.split(" "), some(OTHERS)];
  const word = some(words);
  return `${some(STARTS)}${random() < 0.2 ? word.toUpperCase() : word}${some(ENDS)}${some(RESTS)}`;
}

/** The numbers of the conditions that are true. */
const startedJobs = (pair: readonly [string, string], body: string, phrase: string) => {
  const event = {comment: {body}, issue: {number: 7, body: null}, sender: {type: "User"}};
  const contexts = JSON.parse(
    JSON.stringify({
      github: {event, event_name: "issue_comment"},
      inputs: {"trigger-phrase": phrase, commands: DEFAULT_COMMANDS},
    }),
  );
  const names = ["the job of requests", "answer"];
  return names.filter((_, at) => evaluate(pair[at] ?? "", {contexts, status: "success"}).coerceString() === "true");
};

test.each(PHRASES)(
  "with the phrase %j",
  (phrase) => {
    const random = randomFrom(phrase.length);
    const kinds = conditionsOf(phrase);
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = someComment(random, phrase);
      // GitHub accepts no blank comment
      if (text.trim() === "") continue;
      const request = parseCommand(text, {phrase});
      const isForAnswer = /^(?:\r?\n)?\/(?:help|status|stop)/i.test(text);
      if (isForAnswer) expect(request !== null && isAnswered(request), JSON.stringify(text)).toBe(true);
      const expected = request === null ? [] : [isForAnswer ? "answer" : "the job of requests"];
      for (const pair of kinds) expect(startedJobs(pair, text, phrase), JSON.stringify(text)).toEqual(expected);
    }
  },
  600_000,
);
