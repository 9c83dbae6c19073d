/** What the tests of a change show, through the workflow file: without the change, and with faults in its lines. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {oneJob} from "../../rig/separated.ts";

const WRONG = "export const sum = (one, other) => {\n  return one - other;\n};\n";
const RIGHT = WRONG.replace("-", "+");
const TESTED = `${plain()["tests/sum.test.js"]}test("sums of nothing", () => assert.equal(sum(0, 0), 0));\n`;
/** The base has only tests that do not see the bug. */
const BUGGY = {"src/sum.js": WRONG, "tests/sum.test.js": TESTED.replace("sum(1, 2), 3", "sum(1, 0), 1")};
const FIXED = {"src/sum.js": RIGHT, "tests/sum.test.js": TESTED.replace("sum(1, 2), 3", "sum(2, 1), 3")};
const workflow = {separated: {text: oneJob("/assay")}};

test("the report says that the test fails without the fix, and then which faults the tests notice", async () => {
  // Faults get a quarter of the verification's time.
  const stages = [
    {name: "slow", command: "sleep 10", kind: "check"},
    {name: "test", command: "node --test", kind: "test"},
  ];
  await using rig = await createRig({files: plain({verify: {stages}, files: BUGGY}), onFailed: onTestFailed});
  const writes = Object.entries(FIXED).map(([path, text]) => writeFileAt(path, text));
  rig.model.script([{when: "add", do: writes, say: "It adds now."}]);
  const outcome = await rig.comment("/assay make it add", workflow);
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  const changed = {name: "sums add up", isNew: false, onBase: {kind: "fails", why: "assertion"}};
  expect(outcome.record?.attempts[0]?.verification?.bite?.tests).toMatchObject([changed]);
  expect(outcome.record?.sensitivity).toMatchObject({noticed: expect.any(Number), notNoticed: []});
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).toMatch(/1 changed test fails on `main` and passes with this change/);
  expect(report).toMatch(/([12]) of \1 injected faults? in the changed lines/);
});

test("`/verify` on a pull request says it of its own change", async () => {
  await using rig = await createRig({files: plain({files: BUGGY}), onFailed: onTestFailed});
  const on = await rig.openPullRequest({title: "Add", branch: "add", files: FIXED, by: "will"});
  const outcome = await rig.comment("/verify", {on, noModel: true, ...workflow});
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict.kind).toBe("verified");
  expect(outcome.record?.attempts[0]?.verification?.bite?.tests).toMatchObject([{onBase: {kind: "fails"}}]);
});
