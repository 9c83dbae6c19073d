/** Which tests of a reported case count: they can fail, are all that changed, and run each function that the request names. */
import {expect, test} from "vitest";
import {readChange} from "../../../src/integrity/read-change.ts";
import {runChosenTests} from "../../../src/proof/bite/run-chosen-tests.ts";
import {findReproduction} from "../../../src/proof/reproduction.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

const SUM = "export function sum(one, other) {\n  const all = one + other;\n  return all;\n}\n";
const PRODUCT = SUM.replace("sum", "product").replace("+", "*");
const HEAD = `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../src/sum.js";
`;
const CASE = 'test("a sum of negative numbers", () => {\n  assert.equal(sum(-1, -2), -3);\n});\n';
const BASE = {"package.json": '{"type": "module"}', "src/sum.js": SUM, "tests/other.test.js": HEAD};

async function reproductionOf(tests: string, {base = {}, request}: {base?: Files; request?: string} = {}) {
  await using shop = await openWorkshop({...BASE, ...base}, {home: realHome()});
  const stage = stageOf({name: "test", kind: "test", command: "node --test"});
  const opened = await shop.open({stages: [stage], files: {"tests/negative.test.js": `${HEAD}${tests}`}});
  const {candidate, checkouts, plan, repository} = opened;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) throw new Error("no change");
  const runs = [{stage, command: stage.command}];
  const ran = await runChosenTests({...opened, commit: candidate.commit, runs});
  if (!ran.ok) throw new Error(ran.failure);
  expect(ran.value).toMatchObject([{outcome: "passed"}]);
  const about = {...opened, change: change.value, stages: ran.value};
  const found = await findReproduction({...about, request: request ?? "`sum(-1, -2)` returns 1 and not -3."});
  await checkouts.dispose();
  return found;
}

test("a test of the case that passes is found, with the function that it runs", async () => {
  expect(await reproductionOf(CASE)).toEqual({
    tests: [
      {path: "tests/negative.test.js", line: 4, name: "a sum of negative numbers", text: CASE.trim().slice(0, -1)},
    ],
    ran: [{path: "src/sum.js", name: "sum", line: 1}],
  });
});

const ARROW = SUM.replace("function sum(one, other)", "const sum = (one, other) =>").replace(/}\n$/, "};\n");

test.each<[string, string, {base?: Files; request?: string}?]>([
  ["that asserts nothing", 'test("a sum of negative numbers", () => {\n  sum(-1, -2);\n});\n'],
  ["that cannot fail", 'test("a sum", () => {\n  sum(-1, -2);\n  assert.ok(true);\n});\n'],
  [
    "that asserts a constant",
    'test("a sum", () => {\n  sum(-1, -2);\n  const all = -3;\n  assert.equal(all, -3);\n});\n',
  ],
  ["that accepts nearly all results", 'test("a sum", () => {\n  assert.notEqual(sum(-1, -2), 999);\n});\n'],
  ["that does not call the code", 'test("a sum", () => {\n  assert.equal(-1 + -2, -3);\n});\n'],
  [
    "that only loads the function",
    'test("a sum", () => {\n  const sums = [-3];\n  assert.equal(sums[0], -3);\n});\n',
    {base: {"src/sum.js": ARROW}},
  ],
  [
    "of one function of two",
    CASE,
    {base: {"src/product.js": PRODUCT}, request: "`sum(-1, -2)` and `product(-1, 2)` are wrong."},
  ],
  ["that was there, and is corrected", CASE, {base: {"tests/negative.test.js": `${HEAD}${CASE.replace("-3", "1")}`}}],
])("a test %s does not count", async (_, tests, about) => {
  expect(await reproductionOf(tests, about)).toBeNull();
});
