/** With `"sensitivity": "ask"`, faults that no test notices go to the agent before the verdict. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {oneJob} from "../../rig/separated.ts";

const WRONG = "export const sum = (one, other) => {\n  return one - other;\n};\n";
const RIGHT = WRONG.replace("-", "+");
const TESTED = plain()["tests/sum.test.js"];
/** This test passes with the bug, and with the fault that brings it back. */
const BUGGY = {"src/sum.js": WRONG, "tests/sum.test.js": `${TESTED}`.replace("sum(1, 2), 3", "sum(1, 0), 1")};

test("with `ask`, the agent is asked once for a test that notices a fault, and the verdict stays", async () => {
  // Faults get a quarter of the verification's time.
  const stages = [
    {name: "slow", command: "sleep 10", kind: "check"},
    {name: "test", command: "node --test", kind: "test"},
  ];
  const files = plain({verify: {stages, integrity: {sensitivity: "ask"}}, files: BUGGY});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([
    {when: "add", do: [writeFileAt("src/sum.js", RIGHT)], say: "It adds now."},
    {when: "no test failed", do: [writeFileAt("tests/sum.test.js", `${TESTED}`)], say: "It is tested."},
  ]);
  const outcome = await rig.comment("/assay make it add", {separated: {text: oneJob("/assay")}});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.record?.attempts.map(({verdict}) => verdict.kind)).toEqual(["verified", "verified"]);
  expect(outcome.record?.attempts[0]?.sensitivity?.notNoticed).toMatchObject([{path: "src/sum.js", from: "+"}]);
  expect(outcome.record?.sensitivity).toMatchObject({notNoticed: []});
  expect(await rig.origin.read("refs/heads/assay/issue-1", "tests/sum.test.js")).toContain("sum(1, 2), 3");
});
