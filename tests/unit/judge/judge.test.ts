/** The judge with a scripted model: what it asks, when it asks nothing, and what becomes of each answer. */
import {describe, expect, test} from "vitest";
import {feedbackPrompt} from "../../../src/agent/feedback-prompt.ts";
import type {ModelReply} from "../../../src/judge/ask-model.ts";
import {combineSamples, orderOfSample} from "../../../src/judge/combine.ts";
import {createJudge} from "../../../src/judge/judge.ts";
import {isSameFamily, modelFamily} from "../../../src/judge/model-family.ts";
import {objectToAnswer, shouldBeJudged} from "../../../src/judge/pre-checks.ts";
import {isNotMet, openObjection} from "../../../src/record/last-opinion.ts";
import {opinionSchema} from "../../../src/record/opinion.ts";
import {attempt, turn} from "../report/records.ts";

const DIFF = [
  "diff --git a/src/parser.js b/src/parser.js",
  "--- a/src/parser.js",
  "+++ b/src/parser.js",
  "@@ -1 +1,2 @@",
  '+if (text === "") throw new Error("empty");',
  "",
].join("\n");
const usage = {input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costUsd: 0.01};
const CRITERIA = JSON.stringify({asks_for: "change", points: ["Handles empty input", "Has a test"]});
const judgement = (...answers: string[]) =>
  JSON.stringify({
    points: answers.map((answer, at) => ({point: at + 1, reason: "why", quote: 'throw new Error("empty")', answer})),
  });
const request = {request: "Add error handling", issue: "", comments: [], rules: "", specs: ""};
const answerOnly = (answer: string) =>
  attempt({
    turn: turn({answer}),
    changes: [],
    verification: null,
    verdict: {kind: "nothing-to-verify", why: "no-change", detail: ""},
  });

async function judge(options: {
  replies: (string | Partial<ModelReply>)[];
  samples?: number;
  attempt?: ReturnType<typeof attempt>;
  redact?: (text: string) => string;
  agentModel?: string;
}) {
  const prompts: string[] = [];
  const replies = [...options.replies];
  const ask = async (prompt: string): Promise<ModelReply> => {
    prompts.push(prompt);
    const reply = replies.shift();
    if (reply === undefined) throw new Error("no reply is left");
    const answered = {kind: "answered", text: "", model: "openai/gpt-5", usage, durationMs: 5} as const;
    return typeof reply === "string" ? {...answered, text: reply} : ({...answered, ...reply} as ModelReply);
  };
  const run = createJudge({samples: 1, ...options, request, ask});
  const work = {diff: DIFF, attempt: options.attempt ?? attempt(), previous: null};
  const opinion = await run(work);
  expect(opinionSchema.parse(opinion)).toEqual(opinion);
  return {opinion, prompts, again: () => run(work)};
}

describe("the judge", () => {
  test("asks for the points first, without the diff, and counts both calls", async () => {
    const {opinion, prompts} = await judge({replies: [CRITERIA, judgement("met", "met")]});
    expect(opinion).toMatchObject({outcome: "met", model: "openai/gpt-5", isSameFamily: false, durationMs: 10});
    expect(opinion.usage).toMatchObject({input: 200, costUsd: 0.02});
    expect(prompts[0]).not.toContain("throw new Error");
    expect(prompts[1]).toContain("throw new Error");
    expect(prompts[1]).toContain("1. Handles empty input\n2. Has a test");
  });

  test("searches quotes in the text that the model saw, without secrets", async () => {
    const replies = [CRITERIA, judgement("met", "met").replaceAll('\\"empty\\"', "***")];
    const {opinion} = await judge({replies, redact: (text) => text.replaceAll('"empty"', "***")});
    expect(opinion).toMatchObject({outcome: "met", points: [{quote: "throw new Error(***)"}, {}]});
  });

  test("prefers the configured model of the agent to the one that the agent's job names", async () => {
    const replies = [CRITERIA, judgement("met", "met")];
    expect((await judge({replies, agentModel: "openai/gpt-4.1"})).opinion).toMatchObject({isSameFamily: true});
    expect((await judge({replies, agentModel: ""})).opinion).toMatchObject({isSameFamily: false});
  });

  test("asks for the points once in a run", async () => {
    const {again, prompts} = await judge({replies: [CRITERIA, judgement("met", "met"), judgement("met", "not met")]});
    expect(isNotMet(await again())).toBe(true);
    expect(prompts).toHaveLength(3);
  });

  test.each([
    ["timed-out", {kind: "failed", why: "timed-out", detail: "no answer within 60 s"}],
    ["missing-key", {kind: "failed", why: "missing-key", detail: "the variable X is not set"}],
    ["model-failed", {kind: "failed", why: "model-failed", detail: "status 500"}],
    ["malformed", "PASS"],
    ["malformed", ""],
  ] as const)("has no opinion: %s", async (why, reply) => {
    const failed = typeof reply === "string" ? reply : (reply as Partial<ModelReply>);
    for (const replies of [[failed], [CRITERIA, failed]]) {
      const {opinion} = await judge({replies});
      expect(opinion).toMatchObject({kind: "not-judged", why});
      expect(isNotMet(opinion)).toBe(false);
    }
  });

  test("has no opinion if it fails itself", async () => {
    const {opinion} = await judge({replies: [CRITERIA]});
    expect(opinion).toMatchObject({
      kind: "not-judged",
      why: "judge-failed",
      detail: expect.stringContaining("no reply"),
    });
    expect(opinion.usage).toMatchObject({input: 100});
  });

  test("decides without a model what needs none", async () => {
    const empty = await judge({replies: [], attempt: answerOnly(" ")});
    expect(empty.opinion).toMatchObject({outcome: "not-met", model: "", objections: [{category: "goal_missed"}]});
    const refused = await judge({replies: [], attempt: answerOnly("I'm sorry, but I can't help with that.")});
    expect(refused.opinion).toMatchObject({outcome: "not-met", objections: [{category: "refusal"}]});
    const idle = await judge({replies: [CRITERIA], attempt: answerOnly("Done!")});
    expect(idle.opinion).toMatchObject({outcome: "not-met", objections: [{category: "goal_missed"}]});
    expect(idle.prompts).toHaveLength(1);
  });

  test("judges the answer to a question by its words", async () => {
    const question = JSON.stringify({asks_for: "answer", points: ["Says where the parser is"]});
    const quoted = {point: 1, reason: "It does.", quote: "It is in src/parser.js", answer: "met"};
    const replies = [question, JSON.stringify({points: [quoted]})];
    const {opinion} = await judge({replies, attempt: answerOnly("It is in src/parser.js.")});
    expect(opinion).toMatchObject({outcome: "met"});
  });

  test("with samples shuffles the points, and never acts on a split", async () => {
    const split = [judgement("met", "not met"), judgement("met", "met"), judgement("met", "met")];
    const {opinion, prompts} = await judge({replies: [CRITERIA, ...split], samples: 3});
    expect(opinion).toMatchObject({outcome: "split", points: [{answer: "met"}, {answer: "split", category: null}]});
    expect(isNotMet(opinion)).toBe(false);
    const [handles, hasTest] = ["Handles empty input", "Has a test"];
    expect(prompts.slice(1).map((text) => /^1\. (.*)$/m.exec(text)?.[1])).toEqual([handles, hasTest, hasTest]);
    const agreed = await judge({replies: [CRITERIA, ...Array(3).fill(judgement("not met", "not met"))], samples: 3});
    expect(agreed.opinion).toMatchObject({outcome: "not-met"});
  });
});

test.each([
  ["failed", {kind: "failed", why: "timed-out", detail: "no answer within 60 s"} as const],
  ["unreadable", "PASS"],
])("a later %s sample does not erase an objection, and does not complete an agreement", async (_, last) => {
  const objects = await judge({replies: [CRITERIA, judgement("met", "not met"), last], samples: 2});
  expect(objects.opinion).toMatchObject({outcome: "not-met", points: [{answer: "met"}, {answer: "not-met"}]});
  const agrees = await judge({replies: [CRITERIA, judgement("met", "met"), last], samples: 2});
  expect(agrees.opinion).toMatchObject({kind: "not-judged"});
});

test("each sample has its own order of all points", () => {
  const orders = [0, 1, 2].map((sample) => orderOfSample(5, sample));
  expect(new Set(orders.map(String)).size).toBe(3);
  for (const order of orders) expect([...order].sort()).toEqual([0, 1, 2, 3, 4]);
});

test("an objection that not every sample has does not count", () => {
  const objection = {category: "overclaim", reason: "", quote: "quote"} as const;
  expect(
    combineSamples([
      {points: [], objections: [objection]},
      {points: [], objections: []},
    ]),
  ).toEqual({
    ...{outcome: "met", points: [], objections: []},
  });
});

test("only green attempts are judged, unless the run was cancelled, and answers without a change only with `always`", () => {
  const judged = (over: Parameters<typeof attempt>[0]) =>
    (["verified", "always"] as const).filter((when) => shouldBeJudged(attempt(over), when));
  expect(judged({})).toEqual(["verified", "always"]);
  expect(judged({verdict: {kind: "failed", stages: ["test"]}})).toEqual([]);
  expect(judged({verdict: {kind: "unverified", why: "flaky", detail: ""}})).toEqual([]);
  expect(judged({verdict: {kind: "tampered", findings: []}})).toEqual([]);
  // The agent's job leaves long checks to the machine that verifies.
  expect(judged({verdict: {kind: "partial", notRun: ["lint"], preexisting: []}})).toEqual(["verified", "always"]);
  expect(judged({turn: null})).toEqual([]);
  const brokenOff = turn({end: {kind: "timed-out", afterMs: 1}});
  expect(judged({turn: brokenOff})).toEqual(["verified", "always"]);
  const nothing = {kind: "nothing-to-verify", why: "no-change", detail: ""} as const;
  expect(judged({turn: brokenOff, changes: [], verdict: nothing})).toEqual([]);
  expect(judged({turn: turn({end: {kind: "cancelled"}})})).toEqual([]);
  expect(judged({changes: [], verdict: nothing})).toEqual(["always"]);
  expect(judged({verdict: {kind: "nothing-to-verify", why: "only-skipped-paths", detail: ""}})).toEqual([
    "verified",
    "always",
  ]);
});

test("an objection is open until a later opinion withdraws it", async () => {
  const [objects, agrees] = [judgement("met", "not met"), judgement("met", "met")];
  const opinionOf = async (reply: string) => (await judge({replies: [CRITERIA, reply]})).opinion;
  const [objection, agreement, none] = [await opinionOf(objects), await opinionOf(agrees), await opinionOf("PASS")];
  expect(none.kind).toBe("not-judged");
  expect(openObjection([{opinion: objection}, {opinion: none}, {}])).toBe(objection);
  expect(openObjection([{opinion: objection}, {opinion: agreement}, {}])).toBeNull();
  expect(openObjection([])).toBeNull();
});

test("a refusal is one at the start of an answer without changes", () => {
  const isRefusal = (answer: string) => objectToAnswer(answerOnly(answer))?.category === "refusal";
  expect(
    ["I'm sorry, I can't do that.", "I cannot help with this.", "I won't make this change."].every(isRefusal),
  ).toBe(true);
  const answers = [
    "I cannot find any use of `parse`.",
    "It is unused. I'm sorry to say.",
    "The parser cannot help it.",
  ];
  expect(answers.some(isRefusal)).toBe(false);
  expect(objectToAnswer(attempt({turn: turn({answer: "I'm sorry, I can't do that."})}))).toBeNull();
});

test("the feedback names points, categories, reasons and quotes, and encloses them", async () => {
  const {opinion} = await judge({replies: [CRITERIA, judgement("met", "not met")]});
  if (!isNotMet(opinion)) throw new Error("it has to object");
  const text = feedbackPrompt(opinion);
  expect(text).toContain('- not met: Has a test (incomplete): why\n  it quotes: throw new Error("empty")');
  expect(text).not.toContain("Handles empty input");
});

test.each([
  ["anthropic/claude-sonnet-4-5", "Claude"],
  ["openrouter/openai/gpt-5", "GPT"],
  ["openai/o3-mini", "GPT"],
  ["google/gemini-2.5-pro", "Gemini"],
  ["openrouter/qwen/qwen3-coder", "Qwen"],
  ["groq/llama-3.3-70b", "Llama"],
  ["amazon-bedrock/us.anthropic.claude-opus-4", "Claude"],
  ["local/my-model", null],
])("the family of %s is %s", (model, family) => expect(modelFamily(model)).toBe(family));

test("two models of unknown families are the same only if they are equal", () => {
  expect(isSameFamily("local/a", "local/a")).toBe(true);
  expect(isSameFamily("local/a", "local/b")).toBeNull();
  expect(isSameFamily("openai/gpt-5", "anthropic/claude-opus-4")).toBe(false);
});
