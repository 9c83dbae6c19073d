/** Each ability of the judge, in one job and in separate jobs with a hostile agent: the same questions, the same opinion. */
import {expect, onTestFailed, test} from "vitest";
import type {RunRecord} from "../../src/record/record.ts";
import {claimGoodOpinion, FORGED_WORDS, HOSTILE_WORK, OBEDIENT} from "../rig/forged-opinion.ts";
import {criteria, JUDGEMENT, judgement} from "../rig/judge.ts";
import {type ScriptedTurn, writeFileAt} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {JUDGED} from "../rig/separated.ts";
import type {Outcome} from "../rig/world.ts";
import {isSweep, someOf} from "../sweep.ts";

const POINTS = ["A function multiplies two numbers", "The README names it"];
const MET = {answer: "met", quote: "export const product = (one, other) => one * other;"} as const;
const MISSING = {answer: "not met", quote: "added: src/product.js", reason: "No such line."} as const;
const README = writeFileAt("README.md", "# Sums\n\nMultiplies with `product`.\n");
const AGAIN = {answer: "met", quote: "Multiplies with `product`."} as const;
const CATEGORIES = [
  ...["goal_missed", "incomplete", "rule_violation", "tone_mismatch", "refusal"],
  ...["unrelated_change", "overclaim", "test_special_case"],
];
const ORDER = ["request", "issue", "rules", "specs", "comments", "facts", "diff", "answer"];

interface Row {
  readonly judge: object;
  /** other keys of `verify.json` */
  readonly verify?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly turns: readonly ScriptedTurn[];
  /** the questions that are asked only by the job `judge` */
  readonly ofJob?: readonly ScriptedTurn[];
  /** the last opinion of the record; null for none */
  readonly opinion: object | null;
  readonly outputs?: object;
  readonly report?: RegExp;
  readonly check?: (seen: {outcome: Outcome; prompts: readonly string[]}) => void;
}

const ROWS: Readonly<Record<string, Row>> = {
  "points with quotes and all categories, in the order and budget of the context; counted, logged, held": {
    judge: {effect: "hold", maxAttempts: 1, rules: ["RULES.md"]},
    files: {
      "RULES.md": "Every function is named in the README.\n".repeat(1_000),
      "specs/sum/sum.spec.md": "---\nmodule: sum\n---\n\n## Purpose\nSums and products of numbers.\n",
    },
    turns: [
      HOSTILE_WORK,
      criteria(CATEGORIES.map((category) => `A point for ${category}`)),
      judgement(CATEGORIES.map((category) => ({...MISSING, category}))),
    ],
    opinion: {
      ...{kind: "judged", outcome: "not-met", model: "openai/gpt-scripted", isSameFamily: true},
      points: CATEGORIES.map((category) => ({answer: "not-met", category, quote: MISSING.quote})),
      usage: {input: 2400, costUsd: expect.closeTo(2 * (1200 * 2e-6 + 34 * 8e-6), 6)},
    },
    outputs: {verdict: "verified", "pull-request": ""},
    report: /waiting for you[\s\S]*the same family as the agent's model[\s\S]*0 of 8 points met/,
    check({outcome, prompts}) {
      expect(outcome.record?.failures.map(({kind}) => kind)).toEqual(["judge-objects"]);
      expect(outcome.log).toMatch(
        /🧭 A second model compares attempt 1[\s\S]*🧭 Second opinion: 0 of 8 points met, \$/,
      );
      const [first = "", second = ""] = prompts;
      expect(partsOf(first)).toEqual(ORDER.slice(0, 5));
      expect(partsOf(second)).toEqual(ORDER);
      expect(first).not.toContain("one * other");
      expect(Math.max(first.length, second.length)).toBeLessThanOrEqual(32_000);
    },
  },
  "another model, of another family and without a price": {
    judge: {effect: "show", provider: "mistral", model: "mistral-scripted"},
    verify: {budget: {usd: 5}},
    env: {MISTRAL_API_KEY: "row-key"},
    turns: [HOSTILE_WORK, criteria(POINTS), judgement([MET, MISSING])],
    opinion: {model: "mistral/mistral-scripted", isSameFamily: false, usage: {hasUnknownCost: true}},
    report: /at least \$[\s\S]*1 of 2 points met[\s\S]*`budget\.usd`/,
  },
  "a quote that does not exist": {
    judge: {effect: "show"},
    turns: [HOSTILE_WORK, criteria(POINTS), judgement([MET, {...MISSING, quote: "no such line anywhere"}])],
    opinion: {outcome: "unclear", points: [{answer: "met"}, {answer: "void"}]},
    report: /Not counted: the judge's quote does not exist/,
  },
  "samples that disagree": {
    judge: {effect: "hold", samples: 2, maxAttempts: 1},
    turns: [
      HOSTILE_WORK,
      criteria(POINTS),
      judgement([MET, MET]),
      {...judgement([MISSING, MET]), when: /1\. The README[\s\S]*<facts-/},
    ],
    opinion: {outcome: "split", points: [{answer: "met"}, {answer: "split"}]},
    outputs: {verdict: "verified", "pull-request": expect.stringMatching(/\d/)},
  },
  "a judge that repeats what the diff says": {
    judge: {},
    turns: [HOSTILE_WORK, criteria(POINTS), {when: JUDGEMENT, say: "PASS"}],
    opinion: {kind: "not-judged", why: "malformed"},
    report: /not judged, because its answer does not have the required form/,
  },
  "a judge that obeys the diff": {
    judge: {effect: "hold"},
    turns: [HOSTILE_WORK, criteria(POINTS), {when: JUDGEMENT, say: OBEDIENT}],
    opinion: {kind: "not-judged", why: "malformed"},
  },
  "no answer in time": {
    judge: {provider: "openai", model: "gpt-scripted", timeoutSeconds: 1},
    turns: [HOSTILE_WORK, {when: "You prepare", say: "hang"}],
    opinion: {kind: "not-judged", why: "timed-out"},
    report: /not judged, because its model gave no answer in time/,
  },
  "no key": {
    judge: {provider: "anthropic", model: "claude-opus-4-1"},
    turns: [HOSTILE_WORK],
    opinion: {kind: "not-judged", why: "missing-key"},
    report:
      /not judged, because the key of its model is missing[\s\S]*`assay doctor`[\s\S]*`\/review` on the pull request/,
  },
  "a model that fails": {
    judge: {},
    turns: [HOSTILE_WORK, {when: "You prepare", say: {status: 503}}],
    opinion: {kind: "not-judged", why: "model-failed"},
    report: /not judged, because the call to its model failed/,
  },
  "no dollars left": {
    judge: {effect: "show"},
    verify: {budget: {usd: 0.000_001}},
    turns: [HOSTILE_WORK],
    // that job believes no costs of the agent's job, and counts its own call
    ofJob: [criteria(POINTS)],
    opinion: {kind: "not-judged", why: "out-of-budget"},
  },
  off: {judge: {enabled: false, effect: "hold", when: "always"}, turns: [HOSTILE_WORK], opinion: null},
  "a change that fails its checks": {
    judge: {effect: "show"},
    verify: {maxFixAttempts: 0},
    turns: [{when: "multiply", do: WRITES.wrong, say: "PASS"}],
    opinion: null,
    outputs: {verdict: "failed"},
  },
  "an answer without a change, by default": {
    judge: {effect: "show"},
    turns: [{when: "multiply", say: "Done! PASS"}],
    opinion: null,
    outputs: {verdict: "nothing-to-verify"},
  },
  "with `always`, a claim without work": {
    judge: {effect: "show", when: "always"},
    turns: [{when: "multiply", say: "Done! PASS"}, criteria(POINTS)],
    opinion: {outcome: "not-met", points: [], objections: [{category: "goal_missed"}]},
    report: /The request asks for a change, and no file changed\./,
  },
  "with `always`, a refusal, without a call": {
    judge: {effect: "show", when: "always"},
    turns: [{when: "multiply", say: "I'm sorry, but I can't help with that."}],
    opinion: {outcome: "not-met", model: "", objections: [{category: "refusal"}]},
  },
  "with `always`, an answer to a question": {
    judge: {when: "always"},
    turns: [
      {when: "multiply", say: "It multiplies two numbers."},
      criteria(["Says what it does"], "answer"),
      judgement([{answer: "met", quote: "It multiplies two numbers."}]),
    ],
    opinion: {outcome: "met"},
    outputs: {verdict: "nothing-to-verify", attempts: "1"},
  },
  "an objection goes into the agent's session, by its own counter, and the next opinion knows it": {
    judge: {maxAttempts: 2},
    verify: {maxFixAttempts: 0},
    turns: [
      HOSTILE_WORK,
      criteria(POINTS),
      judgement([MET, MISSING]),
      {when: /second model[\s\S]*not met: The README names it \(incomplete\)/, do: [README], say: "Now."},
      {...judgement([MET, AGAIN]), when: /<previous-opinion-[\s\S]*not met: The README names it/},
    ],
    // an opinion of the agent's job never reaches the job's questions
    ofJob: [{...judgement([MET, AGAIN]), when: /^(?![\s\S]*<previous-opinion-)You review/}],
    opinion: {outcome: "met", points: [{answer: "met"}, {answer: "met"}]},
    outputs: {verdict: "verified", attempts: "2"},
    report: /2 of 2 points met/,
  },
  ...Object.fromEntries(
    ["verifyAll", "verifyHeartbeat", "triggerKeywords"].map((key): [string, Row] => [
      `the former key ${key}`,
      {
        judge: {[key]: true},
        turns: [],
        opinion: null,
        report: new RegExp(`judge\\.${key}[\\s\\S]*(?:always|see \`when\`)`),
      },
    ]),
  ),
};

/** The names of the texts in a prompt, in their order. */
const partsOf = (prompt: string): string[] =>
  [...prompt.matchAll(/^<([a-z-]+)-[0-9a-f]{16}>$/gm)].map(([, name]) => name ?? "");
const opinionOf = (record: RunRecord | null) => {
  const {durationMs: _, isAdvisory, ...opinion} = record?.attempts.at(-1)?.opinion ?? {durationMs: 0};
  expect(isAdvisory ?? false).toBe(false);
  return Object.keys(opinion).length === 0 ? null : opinion;
};

async function run(row: Row, isSeparate: boolean) {
  const files = {...plain({verify: {judge: {enabled: true, ...row.judge}, ...row.verify}}), ...row.files};
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([...row.turns, ...(isSeparate ? (row.ofJob ?? []) : [])]);
  const on = await rig.openIssue({title: "Products", body: "There are only sums."});
  await rig.github.as("will", "POST", `/repos/ada/demo/issues/${on}/comments`, {body: "I need it, too."});
  const env = {OPENAI_BASE_URL: `${rig.model.url}/v1`, MISTRAL_BASE_URL: `${rig.model.url}/v1`, ...row.env};
  const separated = {text: JUDGED, onUpload: claimGoodOpinion};
  const outcome = await rig.comment("/assay multiply", {on, env, ...(isSeparate && {separated})});
  await assertPromises(rig, outcome);
  const prompts = rig.model.prompts.filter((text) => /^You (?:prepare|review)/.test(text));
  const body = outcome.comments.at(-1)?.body ?? "";
  const opinion = opinionOf(outcome.record);
  if (row.opinion === null) expect(opinion).toBeNull();
  else expect(opinion).toMatchObject(row.opinion);
  expect(outcome.outputs).toMatchObject(row.outputs ?? {});
  expect(body).toMatch(row.report ?? /./);
  expect(body).not.toMatch(FORGED_WORDS);
  row.check?.({outcome, prompts});
  expect(rig.model.used()).toBe(row.turns.length + (isSeparate ? (row.ofJob ?? []).length : 0));
  const writers = outcome.jobTokens.filter(({mayWrite}) => mayWrite).map(({job}) => job);
  if (isSeparate) expect(writers).not.toContain("judge");
  // The job asks for the points again; the loop did so for the first attempt.
  const shared = row.ofJob === undefined ? opinion : {...opinion, usage: null};
  return {opinion: shared, prompts: prompts.slice(0, Math.min(2, row.turns.length - 1))};
}

test.each(someOf(Object.entries(ROWS)))("%s", async (_, row) => {
  if (!isSweep) return void (await run(row, false));
  const [one, separate] = await Promise.all([run(row, false), run(row, true)]);
  expect(separate).toEqual(one);
});
