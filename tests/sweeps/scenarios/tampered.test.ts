/** An agent that weakens the checks is asked to take that back; what stays weakened is saved and never published. */
// In each run: `approve.test.ts` and `command-line-tampered.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {editFile, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

const SKIP = editFile("tests/sum.test.js", 'test("sums', 'test.skip("sums');
const BREAK = writeFileAt("src/sum.js", "export const sum = () => 4;\n");
const weakened = {when: "multiply", do: [...WRITES.right, BREAK, SKIP], say: "Products are there."};

test("the second attempt takes it back, and is published", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    weakened,
    {
      when: /tests\/sum\.test\.js:5 Test `sums add up` is skipped/,
      do: [
        writeFileAt("src/sum.js", plain()["src/sum.js"] as string),
        editFile("tests/sum.test.js", "test.skip(", "test("),
      ],
      say: "Taken back.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  expect(outcome.record).toMatchObject({integrity: [], attempts: [{verdict: {kind: "tampered"}}, {}]});
  expect(rig.model.history).toEqual([0, 1]);
  // The prompt names the place and the goal, and nothing of how it was noticed.
  expect(rig.model.prompts[1]).toContain("at least as strict as they were");
  expect(rig.model.prompts[1]).not.toMatch(/tamper|integrity|detect|finding/i);
});

test("what stays weakened is saved, also with `onFailure: commit`, and the place is named", async () => {
  const verify = {maxFixAttempts: 1, onFailure: "commit"};
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([weakened, {when: "is skipped", do: [], say: "I leave it."}]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect([outcome.exitCode, outcome.pullRequests]).toEqual([1, []]);
  expect(outcome.outputs).toMatchObject({verdict: "tampered", verified: "false", branch: "assay/parked/issue-1"});
  const finding = {check: "disabled-tests", level: "block", path: "tests/sum.test.js", line: 5};
  expect(outcome.record?.integrity).toEqual([expect.objectContaining(finding)]);
  expect(outcome.comments.at(-1)?.body).toMatch(/🛑 Not verified: the change weakens its checks[\s\S]*sum\.test\.js:5/);
});

test("in separate jobs the clean job decides, and a change that only may be weaker is published with a warning", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const content = `// eslint-disable-next-line eqeqeq\n${PRODUCT_FILES.right}`;
  rig.model.script([
    {
      when: "multiply",
      do: [
        ...WRITES.right,
        writeFileAt("src/sum.js", `// eslint-disable-next-line\n${plain()["src/sum.js"]}`),
        writeFileAt("src/product.js", content),
      ],
      say: "Done.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please", {separated: {text: SEPARATED}});
  await assertPromises(rig, outcome);
  expect([outcome.exitCode, outcome.record?.attempts.at(-1)?.verification?.job]).toEqual([0, "own"]);
  expect(outcome.record?.integrity).toMatchObject([{check: "suppressions", level: "flag"}]);
  const [pullRequest] = outcome.pullRequests;
  expect(pullRequest?.body).toContain("Verified, with warnings");
  expect(pullRequest?.body).toContain("(suppressions)");
});

test("`/verify` on a pull request compares with its base, also if that has moved on", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const sum = plain()["tests/sum.test.js"] as string;
  const files = {"tests/product.test.js": PRODUCT_FILES.test, "src/product.js": PRODUCT_FILES.right};
  const skipping = {...files, "tests/sum.test.js": sum.replace("test(", "test.skip(")};
  const on = await rig.openPullRequest({title: "Products", branch: "products", files: skipping, by: "will"});
  const tampered = await rig.comment("/verify", {by: "will", on, noModel: true});
  await assertPromises(rig, tampered);
  expect(tampered.record).toMatchObject({verdict: {kind: "tampered"}, integrity: [{path: "tests/sum.test.js"}]});
  // Its author cannot know whether a test that only the newer base has was taken away.
  await rig.origin.commit({files: {"tests/late.test.js": sum.replace("sums add up", "late sums")}});
  const behind = await rig.comment("/verify", {by: "will", on, noModel: true});
  await assertPromises(rig, behind);
  expect(behind.record?.verdict.kind).toBe("verified");
  expect(behind.record?.integrity?.map(({level}) => level)).toEqual(["flag"]);
});
