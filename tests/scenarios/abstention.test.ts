/** A reported case that does not occur: the agent leaves a test of it that passes, and a person is asked. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";
import type {RunOptions} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

const SUM = "export function sum(one, other) {\n  const all = one + other;\n  return all;\n}\n";
const ISSUE = {title: "Wrong sum of negative numbers", body: "`sum(-1, -2)` returns 1 and not -3.", by: "otto"};
const HEAD = `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../src/sum.js";
`;
const CASE = `test("a sum of negative numbers", () => {
  assert.equal(sum(-1, -2), -3);
});`;

async function reportBug({tests = CASE, ...how}: RunOptions & {tests?: string} = {}) {
  const files = plain({files: {"src/sum.js": SUM}, verify: {maxFixAttempts: 0}});
  const rig = await createRig({files, onFailed: onTestFailed});
  const on = await rig.openIssue(ISSUE);
  const write = writeFileAt("tests/negative.test.js", `${HEAD}\n${tests}\n`);
  rig.model.script([{when: "The bug may not exist any more", do: [write], say: "Done."}]);
  const outcome = await rig.comment("/assay fix this bug", {on, ...how});
  await assertPromises(rig, outcome);
  const report = outcome.comments.find(({body}) => body.includes("of the reported case"))?.body ?? null;
  return {rig, outcome, report};
}

test("not reproducible: the test is shown with the commit, saved, and proposed to nobody", async () => {
  const {rig, outcome, report} = await reportBug();
  await using _ = rig;
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "nothing-to-verify", verified: "false", "pull-request": ""});
  expect(outcome.record?.verdict).toMatchObject({why: "case-passes"});
  expect(outcome.record?.publication.kind).toBe("parked");
  const commit = outcome.record?.base?.commit.slice(0, 7) ?? "?";
  expect(report).toContain(`This test of the reported case passes on \`main\` at \`${commit}`);
  expect(report).toContain(CASE.replace(/;$/, ""));
  expect(report).toContain("It runs `sum` (`src/sum.js:1`), which the request names. Is this the case that you mean?");
  expect(report).not.toMatch(/does not exist|no bug|not a bug/i);
  expect(outcome.record?.request?.kind).toBe("work");
});

if (isSweep)
  test("a test that shows nothing of the case is published with a finding, because nothing is fixed", async () => {
    const {rig, outcome, report} = await reportBug({tests: 'test("a sum", () => {\n  sum(-1, -2);\n});'});
    await using _ = rig;
    expect(report).toBeNull();
    expect(outcome.record?.verdict.kind).toBe("verified");
    expect(outcome.record?.integrity).toMatchObject([
      {check: "new-tests", level: "flag", path: "tests/negative.test.js"},
    ]);
    expect(outcome.comments.at(-1)?.body).toContain("Only tests are added, so nothing is fixed");
  });

// Which tests count is in `tests/integration/proof/reproduction.test.ts`.
if (isSweep)
  test("with separate jobs, the verifying job decides the same", async () => {
    const {rig, outcome, report} = await reportBug({separated: {text: SEPARATED}});
    await using _ = rig;
    expect(outcome.record?.verdict).toMatchObject({why: "case-passes"});
    expect(outcome.record?.attempts.at(-1)?.verification?.job).toBe("own");
    expect(outcome.record?.publication.kind).toBe("parked");
    expect(report).toContain("Is this the case that you mean?");
  });
