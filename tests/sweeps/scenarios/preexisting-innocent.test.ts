/** Failures that the base has too, in the type check and in the tests, are not charged to an innocent change. */
// In each run: `command-line-verify.test.ts` and `integration/verify/cut-short-base.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {typescript} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("an innocent change on a base that fails", async () => {
  await using rig = await createRig({files: typescript({files: BROKEN}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "halve",
      do: [
        // Above the old failures, so that their lines move.
        writeFileAt("src/old.ts", `// Kept for the importer.\n\n${BROKEN["src/old.ts"]}`),
        writeFileAt("src/half.ts", HALF),
        writeFileAt("tests/half.test.ts", HALF_TEST),
      ],
      say: "Prices are halved.",
    },
  ]);
  const outcome = await rig.comment("/assay halve prices", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "verified-with-preexisting", attempts: "1", verified: "true"});
  expect(outcome.record?.verdict).toEqual({kind: "verified-with-preexisting", stages: ["typecheck", "test"]});
  expect(rig.model.used()).toBe(1);
  const body = outcome.comments.at(-1)?.body ?? "";
  expect(body).toContain("**✅ Verified, no new failures**");
  expect(body).toMatch(/\| ⚠️ \| typecheck \|.*failed.*\(also without this change\)/);
  expect(body).toMatch(/\| ⚠️ \| test \|.*failed.*\(also without this change\)/);
});

const BROKEN = {
  "src/old.ts": "export const old: number = String(1);\n",
  "tests/old.test.ts": `import {expect, test} from "vitest";

test("the old sum", () => {
  expect(1 + 1).toBe(3);
});
`,
};
const HALF = `import type {Price} from "./price.ts";

export const half = (price: Price): Price => ({cents: Math.floor(price.cents / 2)});
`;
const HALF_TEST = `import {expect, test} from "vitest";
import {half} from "../src/half.ts";

test("prices halve", () => {
  expect(half({cents: 120}).cents).toBe(60);
});
`;
