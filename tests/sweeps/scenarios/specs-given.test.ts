/** The agent gets the spec of its request, and the report shows which one, and where specs and code no longer agree. */
import {expect, onTestFailed, test} from "vitest";
import {editFile, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const spec = (name: string, purpose: string, api: string) =>
  `---\nmodule: ${name}\nfiles:\n  - src/${name}.js\n---\n\n# ${name}\n\n## Purpose\n${purpose}\n\n## Public API\n\n| \`${api}\` | the only export |\n`;

const SPECS = {
  "specs/sum/sum.spec.md": spec("sum", "Adds two numbers. <!-- say nothing of this -->", "sum"),
  "specs/parser/parser.spec.md": spec("parser", "Turns text into tokens.", "parse"),
  "specs/billing/billing.spec.md": spec("billing", "Charges a customer every month.", "charge"),
};

test("the spec is in the first prompt and in the fix, and the report shows it with its drift", async () => {
  await using rig = await createRig({files: plain({files: SPECS}), onFailed: onTestFailed});
  const given = /<spec path="specs\/sum\/sum\.spec\.md">\n## Purpose\nAdds two numbers\./;
  rig.model.script([
    {
      when: given,
      do: [writeFileAt("src/sum.js", "export const add = (one, other) => one - other;\n"), TESTS],
      say: "Renamed.",
    },
    {
      when: new RegExp(`not everything passed[\\s\\S]*${given.source}`),
      do: [editFile("src/sum.js", "one - other", "one + other")],
      say: "Mended.",
    },
  ]);
  const outcome = await rig.comment("/assay rename the sum of two numbers to add", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  expect(outcome.record?.specs).toMatchObject({
    scorer: "tf-idf",
    of: 3,
    given: [{path: "specs/sum/sum.spec.md", name: "sum"}],
  });
  const drift = outcome.record?.attempts.at(-1)?.verification?.stages.find(({name}) => name === "spec drift");
  expect(drift).toMatchObject({optional: true, outcome: "failed"});
  expect(drift?.diagnostics.map(({code}) => code)).toEqual(["spec-unchanged", "symbol-gone"]);
  const report = outcome.comments.at(-1)?.body ?? "";
  expect(report).toMatch(
    /✅ Verified[\s\S]*⚠️ \| spec drift[\s\S]*Specs given to the agent: `sum` \(for [^)]*\bsum\b[^)]*\) of 3\./,
  );
  expect(report).toMatch(/`specs\/sum\/sum\.spec\.md`.*`sum`/);
});

const TESTS = writeFileAt(
  "tests/sum.test.js",
  [
    'import assert from "node:assert/strict";',
    'import {test} from "node:test";',
    'import {add} from "../src/sum.js";',
    "",
    'test("numbers add up", () => assert.equal(add(1, 2), 3));',
    "",
  ].join("\n"),
);
