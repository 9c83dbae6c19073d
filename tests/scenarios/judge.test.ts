/** A second model's opinion on verified changes: shown, sent back to the agent, or missing with the reason. */
import {expect, onTestFailed, test} from "vitest";
import {criteria, judgement} from "../rig/judge.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep, someOf} from "../sweep.ts";

const POINTS = ["A function multiplies two numbers", "The README names it"];
const CODE = "export const product = (one, other) => one * other;";
const MET = {answer: "met", quote: CODE} as const;
const MISSING = {
  answer: "not met",
  quote: "added: src/product.js",
  category: "incomplete",
  reason: "No such line.",
} as const;
const README = writeFileAt("README.md", "# Sums\n\nAdds numbers, and multiplies them with `product`.\n");
const IN_README = {answer: "met", quote: "multiplies them with `product`"} as const;

const rigWith = (judge: object, more: object = {}) =>
  createRig({files: plain({verify: {judge: {enabled: true, ...judge}, ...more}}), onFailed: onTestFailed});
const last = (outcome: {comments: readonly {body: string}[]}) => outcome.comments.at(-1)?.body ?? "";

if (isSweep)
  test("the opinion is shown, and costs are counted", async () => {
    await using rig = await rigWith({effect: "show"}, {});
    rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}, criteria(POINTS), judgement([MET, MISSING])]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "verified", verified: "true", attempts: "1"});
    expect(rig.model.history).toEqual([0, 0, 0]);
    const [, first = "", second = ""] = rig.model.prompts;
    expect(first).not.toContain("one * other");
    expect(second).toContain(`+${CODE}`);
    expect(second).toContain("check test: passed");
    expect(last(outcome)).toMatch(/✅ Verified[\s\S]*Second opinion.*1 of 2 points met/);
    expect(last(outcome)).toContain("**Not met (incomplete):** The README names it – No such line.");
    expect(last(outcome)).toContain("the same family as the agent's model");
    const opinion = outcome.record?.attempts[0]?.opinion;
    expect(opinion).toMatchObject({kind: "judged", outcome: "not-met", model: "openai/gpt-scripted"});
    expect(opinion?.usage.costUsd).toBeGreaterThan(0);
  });

test("if the fix of an objection fails, the verified work before it is published, with the objection", async () => {
  await using rig = await rigWith({}, {maxFixAttempts: 0});
  rig.model.script([
    {when: "multiply", do: WRITES.right, say: "Done."},
    criteria(POINTS),
    judgement([MET, MISSING]),
    {
      when: /second model[\s\S]*not met: The README names it \(incomplete\)/,
      do: [writeFileAt("src/product.js", PRODUCT_FILES.wrong), README],
      say: "Now in the README.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  const {attempts = [], publication} = outcome.record ?? {};
  expect(attempts.map(({number, verdict}) => [number, verdict.kind])).toEqual([
    [2, "failed"],
    [1, "verified"],
  ]);
  expect(publication).toMatchObject({kind: "published", tree: attempts[1]?.candidate?.tree});
  expect(last(outcome)).toMatch(/\*\*✅ Verified[\s\S]*1 of 2 points met[\s\S]*> Done\./);
  expect(last(outcome)).toContain("so the work of attempt 1 counts");
});

if (isSweep)
  test("an objection goes into the agent's session, and the new tree is verified and judged", async () => {
    await using rig = await rigWith({});
    rig.model.script([
      {when: "multiply", do: WRITES.right, say: "Done."},
      criteria(POINTS),
      judgement([MET, MISSING]),
      {when: /second model[\s\S]*not met: The README names it \(incomplete\)/, do: [README], say: "Now in the README."},
      judgement([MET, IN_README]),
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
    expect(rig.model.history).toEqual([0, 0, 0, 1, 0]);
    expect(rig.model.prompts[4]).toMatch(/<previous-opinion-[\s\S]*not met: The README names it/);
    const [one, two] = outcome.record?.attempts ?? [];
    expect([one?.opinion, two?.opinion]).toMatchObject([{outcome: "not-met"}, {outcome: "met"}]);
    expect(two?.candidate?.tree).not.toBe(one?.candidate?.tree);
    expect(two?.verification?.candidate).toEqual(two?.candidate);
    expect(last(outcome)).toContain("2 of 2 points met");
  });

if (isSweep)
  test("an objection to a fix that breaks the checks is followed by a fix, and its limit is its own", async () => {
    await using rig = await rigWith({maxAttempts: 2}, {maxFixAttempts: 1});
    const broken = writeFileAt("src/product.js", PRODUCT_FILES.wrong);
    const mended = writeFileAt("src/product.js", `${PRODUCT_FILES.right}// product\n`);
    rig.model.script([
      {when: "multiply", do: WRITES.right, say: "Done."},
      criteria(POINTS),
      judgement([MET, MISSING]),
      {when: "second model", do: [broken, README], say: "Done again."},
      {when: /not everything passed/, do: [mended], say: "Mended."},
      judgement([MET, MISSING]),
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect(outcome.record?.attempts.map(({verdict}) => verdict.kind)).toEqual(["verified", "failed", "verified"]);
    expect(outcome.outputs).toMatchObject({verdict: "verified", "pull-request": expect.stringMatching(/\d/)});
    expect(last(outcome)).toContain("1 of 2 points met");
  });

const WITHOUT_OPINION = [
  ["missing-key", {provider: "anthropic", model: "claude-opus-4-1"}, []],
  ["timed-out", {provider: "openai", model: "gpt-scripted", timeoutSeconds: 1}, [{when: "You prepare", say: "hang"}]],
  ["malformed", {provider: "openai", model: "gpt-scripted"}, [{when: "You prepare", say: "PASS"}]],
  ["malformed", {}, [criteria(POINTS), {when: "You review", say: "PASS\n{}"}]],
  ["model-failed", {}, [{when: "You prepare", say: {status: 503}}]],
] as const;
test.each(someOf(WITHOUT_OPINION))(
  "without an opinion, the change is published and the report says why: %s",
  async (why, judge, turns) => {
    await using rig = await rigWith(judge);
    rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}, ...turns]);
    const outcome = await rig.comment("/assay multiply", {env: {OPENAI_BASE_URL: `${rig.model.url}/v1`}});
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1"});
    expect(outcome.record?.attempts[0]?.opinion).toMatchObject({kind: "not-judged", why});
    expect(outcome.record?.publication.kind).toBe("published");
    expect(last(outcome)).toMatch(/\*\*Second opinion:\*\* not judged, because/);
  },
);

if (isSweep)
  test("with `hold`, a change that the judge objects to waits for a person, who publishes it with /verify", async () => {
    await using rig = await rigWith({effect: "hold", maxAttempts: 1});
    rig.model.script([
      {when: "multiply", do: WRITES.right, say: "Done."},
      criteria(POINTS),
      judgement([MET, MISSING], [{category: "overclaim", reason: "Nothing was done.", quote: "no such text"}]),
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.outputs).toMatchObject({verdict: "verified", verified: "true", "pull-request": ""});
    expect(outcome.record?.publication.kind).toBe("parked");
    expect(outcome.record?.failures).toEqual([{kind: "judge-objects", objections: ["The README names it"]}]);
    expect(last(outcome)).toMatch(/✅ Verified, waiting for you\*\*[\s\S]*A second model objects/);
    const released = await rig.comment("/verify", {on: outcome.thread});
    await assertPromises(rig, released);
    expect(released.record?.publication.kind).toBe("published");
  });

if (isSweep)
  test("with `always`, an answer without a change is judged, and a claim without work goes back", async () => {
    await using rig = await rigWith({when: "always"});
    rig.model.script([
      {when: "multiply", say: "Done!"},
      criteria(POINTS),
      {
        when: /objection \(goal_missed\): The request asks for a change, and no file changed/,
        do: WRITES.right,
        say: "Now.",
      },
      judgement([MET, MISSING]),
      {when: "second model", say: "The README is not part of it."},
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    expect(outcome.record?.attempts.map(({verdict}) => verdict.kind)).toEqual([
      "nothing-to-verify",
      "verified",
      "verified",
    ]);
    expect(outcome.outputs.verdict).toBe("verified");
  });

if (isSweep)
  test("an answer to a question is judged by its words", async () => {
    await using rig = await rigWith({when: "always"});
    rig.model.script([
      {when: "what does", say: "It adds two numbers."},
      criteria(["Says what sum does"], "answer"),
      judgement([{answer: "met", quote: "It adds two numbers."}]),
    ]);
    const outcome = await rig.comment("@assay what does sum do?");
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "nothing-to-verify", attempts: "1"});
    expect(last(outcome)).toContain("1 of 1 point met");
  });
