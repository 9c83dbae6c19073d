/** A type error and a broken test go back into the same session in one prompt, and the second attempt is verified. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {typescript} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a type error and a broken test are mended in one fix", async () => {
  await using rig = await createRig({files: typescript(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "double",
      do: [writeFileAt("src/double.ts", WRONG), writeFileAt("tests/double.test.ts", TEST)],
      say: "Title: Double prices\n\n`double` gives twice the price.",
    },
    // Both failures stand in one prompt, or this turn is never found.
    {
      when: /TS2322[\s\S]*prices double|prices double[\s\S]*TS2322/,
      do: [writeFileAt("src/double.ts", RIGHT)],
      say: "Mended both.",
    },
  ]);
  const outcome = await rig.comment("/assay double prices", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2", branch: "assay/issue-1"});
  expect(rig.model.history).toEqual([0, 1]);
  const [first] = outcome.record?.attempts ?? [];
  expect(first?.verdict).toEqual({kind: "failed", stages: ["typecheck", "test"]});
  expect(outcome.comments.at(-1)?.body).toMatch(/✅ Verified[\s\S]*Mended both\.[\s\S]*\*\*Double prices\*\*/);
  const [pull] = outcome.pullRequests;
  expect(pull?.title).toBe("Double prices");
  expect(pull?.body).toMatch(/^> `double` gives twice the price\.\n\nCloses #1\. Requested by `will`/);
  const {message = ""} = await rig.origin.facts(outcome.outputs["commit"] ?? "");
  expect(message).toMatch(/^Double prices\n\nRequested in issue 1\.\n/);
});

const TEST = `import {expect, test} from "vitest";
import {double} from "../src/double.ts";

test("prices double", () => {
  expect(double({cents: 120}).cents).toBe(240);
});
`;
const WRONG = `import type {Price} from "./price.ts";

export const double = (price: Price): Price => ({cents: String(price.cents * 3)});
`;
const RIGHT = `import type {Price} from "./price.ts";

export const double = (price: Price): Price => ({cents: price.cents * 2});
`;
