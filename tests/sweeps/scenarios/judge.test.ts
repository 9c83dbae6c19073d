/** What follows from an objection of the judge in one job: another turn, a change that waits, and never a lost verified change. */
import {expect, onTestFailed, test} from "vitest";
import {criteria, JUDGEMENT, judgement} from "../../rig/judge.ts";
import {bash, type ScriptedTurn, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {isSweep, someOf} from "../../sweep.ts";

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

const rigWith = (judge: object, more: object = {}) =>
  createRig({files: plain({verify: {judge: {enabled: true, ...judge}, ...more}}), onFailed: onTestFailed});
const last = (outcome: {comments: readonly {body: string}[]}) => outcome.comments.at(-1)?.body ?? "";

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
    expect(last(outcome)).not.toContain("**Next:**");
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

const EDIT = writeFileAt("src/product.js", `${PRODUCT_FILES.right}// product\n`);
const OBJECTION = {when: /second model/, do: [EDIT]};

test.each(
  someOf<[string, ScriptedTurn[], string]>([
    [
      "turn that breaks off, which is judged, too",
      [{...OBJECTION, say: {status: 400}}, judgement([MET, MISSING])],
      "judged",
    ],
    [
      "malformed opinion",
      [
        {...OBJECTION, say: "Done."},
        {when: JUDGEMENT, say: "PASS"},
      ],
      "not-judged",
    ],
  ]),
)("with `hold`, an objection is not answered by a %s", async (_, turns, kind) => {
  await using rig = await rigWith({effect: "hold", maxAttempts: 2});
  rig.model.script([
    {when: "multiply", do: WRITES.right, say: "Done."},
    criteria(POINTS),
    judgement([MET, MISSING]),
    ...turns,
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", "pull-request": ""});
  expect(outcome.record?.attempts.at(-1)).toMatchObject({number: 2, opinion: {kind}});
  expect(outcome.record?.failures).toMatchObject([{kind: "judge-objects", objections: [POINTS[1]]}]);
  expect(last(outcome)).toContain("A second model objects to it");
});

if (isSweep)
  test("if the work after an objection cannot be captured, the verified work before it is published", async () => {
    await using rig = await rigWith({});
    rig.model.script([
      {when: "multiply", do: WRITES.right, say: "Done."},
      criteria(POINTS),
      judgement([MET, MISSING]),
      {when: /second model/, do: [README, bash("ln -s /etc/passwd outside")], say: "Now in the README."},
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome);
    const {attempts = [], publication, failures} = outcome.record ?? {};
    expect(attempts.map(({number, verdict}) => [number, verdict.kind])).toEqual([
      [2, "unverified"],
      [1, "verified"],
    ]);
    expect(failures).toEqual([]);
    expect(publication).toMatchObject({kind: "published", tree: attempts[1]?.candidate?.tree});
  });
