/** A reported case that does not occur: the agent leaves a test of it that passes, and a person is asked. */
import {expect, onTestFailed, test} from "vitest";
import {type Action, writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";

const SUM = "export function sum(one, other) {\n  const all = one + other;\n  return all;\n}\n";
const PRODUCT = "export function product(one, other) {\n  const all = one * other;\n  return all;\n}\n";
const ISSUE = {title: "Wrong sum of negative numbers", body: "`sum(-1, -2)` returns 1 and not -3.", by: "otto"};
const HEAD = `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../src/sum.js";
`;
const CASE = `test("a sum of negative numbers", () => {
  assert.equal(sum(-1, -2), -3);
});`;
const testFile = (...tests: string[]): Action =>
  writeFileAt("tests/negative.test.js", `${[HEAD, ...tests].join("\n")}\n`);

async function fixBug(options: {
  does: Action[];
  files?: Record<string, string>;
  body?: string;
  fixes?: Action[];
  isSeparated?: true;
}) {
  const files = plain({files: {"src/sum.js": SUM, ...options.files}, verify: {maxFixAttempts: options.fixes ? 1 : 0}});
  const rig = await createRig({files, onFailed: onTestFailed});
  const on = await rig.openIssue({...ISSUE, ...(options.body !== undefined && {body: options.body})});
  const {fixes} = options;
  const turns = fixes === undefined ? [] : [{when: "not everything passed", do: fixes, say: "Fixed."}];
  rig.model.script([{when: "The bug may not exist any more", do: options.does, say: "Done."}, ...turns]);
  const outcome = await rig.comment("/assay fix this bug", {
    on,
    ...(options.isSeparated && {separated: {text: SEPARATED}}),
  });
  await assertPromises(rig, outcome);
  const report = outcome.comments.find(({body}) => body.includes("of the reported case"))?.body ?? null;
  return {rig, outcome, report};
}

test("not reproducible: the test is shown with the commit, saved, and proposed to nobody", async () => {
  const {rig, outcome, report} = await fixBug({does: [testFile(CASE)]});
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

test("with separate jobs, the verifying job decides the same", async () => {
  const {rig, outcome, report} = await fixBug({does: [testFile(CASE)], isSeparated: true});
  await using _ = rig;
  expect(outcome.record?.verdict).toMatchObject({why: "case-passes"});
  expect(outcome.record?.attempts.at(-1)?.verification?.job).toBe("own");
  expect(outcome.record?.publication.kind).toBe("parked");
  expect(report).toContain("Is this the case that you mean?");
});

test.each([
  ["asserts nothing", testFile('test("a sum of negative numbers", () => {\n  sum(-1, -2);\n});')],
  ["cannot fail", testFile('test("a sum", () => {\n  sum(-1, -2);\n  assert.ok(true);\n});')],
  ["does not call the code", testFile('test("a sum", () => {\n  assert.equal(-1 + -2, -3);\n});')],
])("a vacuous reproduction does not count: a test that %s", async (_, write) => {
  const {rig, outcome, report} = await fixBug({does: [write]});
  await using _rig = rig;
  expect(report).toBeNull();
  expect(outcome.record?.verdict.kind).not.toBe("nothing-to-verify");
});

test("a function that is loaded and not called has not run", async () => {
  const arrow = SUM.replace("function sum(one, other)", "const sum = (one, other) =>").replace(/}\n$/, "};\n");
  const write = testFile('test("a sum", () => {\n  const sums = [-3];\n  assert.equal(sums[0], -3);\n});');
  const {rig, report} = await fixBug({files: {"src/sum.js": arrow}, does: [write]});
  await using _rig = rig;
  expect(report).toBeNull();
});

test("a wrong test that the agent corrects is a change with findings", async () => {
  const wrong = `${HEAD}${CASE.replace("-3", "1")}\n`;
  const {rig, outcome, report} = await fixBug({
    files: {"tests/negative.test.js": wrong},
    does: [testFile(CASE)],
  });
  await using _ = rig;
  expect(report).toBeNull();
  expect(outcome.record?.verdict.kind).not.toBe("nothing-to-verify");
  expect(outcome.record?.integrity?.length).toBeGreaterThan(0);
});

test("a bug that is fixed in part only is not called reproduced", async () => {
  const body = "`sum(-1, -2)` and `product(-1, 2)` are wrong.";
  const half = await fixBug({body, files: {"src/product.js": PRODUCT.replace("*", "+")}, does: [testFile(CASE)]});
  await using _ = half.rig;
  expect(half.report).toBeNull();
  expect(half.outcome.record?.verdict.kind).not.toBe("nothing-to-verify");
  const failing = `import {product} from "../src/product.js";
test("a product", () => {
  assert.equal(product(-1, 2), -2);
});`;
  const whole = await fixBug({
    body,
    files: {"src/product.js": PRODUCT.replace("*", "+")},
    does: [testFile(CASE, failing)],
    fixes: [writeFileAt("src/product.js", PRODUCT)],
  });
  await using _other = whole.rig;
  expect(whole.outcome.record?.attempts.map(({verdict}) => verdict.kind)).toEqual(["failed", "verified"]);
});
