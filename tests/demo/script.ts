/** What happens in the demo: the issue, the request, what the scripted model does with it, and what is looked at in the end. */
import {editFile, type ScriptedTurn, writeFileAt} from "../rig/model.ts";

export const ISSUE = {
  title: "The shop needs discounts",
  body: "Prices are in `src/price.ts`. A discount is a percentage, and half a cent is rounded.",
};
export const REQUEST = "/assay add discount(price, percent), with a test";

const TEST = `import {expect, test} from "vitest";
import {discount} from "../src/discount.ts";

test("a quarter off", () => {
  expect(discount({cents: 2000}, 25).cents).toBe(1500);
});

test("cents stay whole", () => {
  expect(discount({cents: 999}, 10).cents).toBe(899);
});
`;
/** Two faults: a property that a price does not have, and what is taken off instead of what is left. */
const WRONG = `import type {Price} from "./price.ts";

export function discount(price: Price, percent: number): Price {
  return {cents: Math.round((price.cents * percent) / 100), currency: "EUR"};
}
`;

export const TURNS: readonly ScriptedTurn[] = [
  {
    when: "discount(price, percent)",
    do: [
      {tool: "bash", arguments: {command: "ls src tests"}},
      {tool: "read", arguments: {path: "src/price.ts"}},
      writeFileAt("src/discount.ts", WRONG),
      writeFileAt("tests/discount.test.ts", TEST),
    ],
    say: "Title: Add discount(price, percent), with a test\n\nI added `discount` and a test for it.",
  },
  {
    // Both failures stand in one prompt, or the model has no answer and the demo fails.
    when: /TS2353[\s\S]*a quarter off/,
    do: [
      editFile(
        "src/discount.ts",
        'Math.round((price.cents * percent) / 100), currency: "EUR"}',
        "Math.round((price.cents * (100 - percent)) / 100)}",
      ),
    ],
    say: "Title: Add discount(price, percent), with two tests\n\nPrices can be reduced by a percentage now: `discount(price, percent)` is in `src/discount.ts`, with two tests. My first version returned what is taken off, and gave a price a currency that it does not have. Both are fixed now.",
  },
];

/** In short what the checker of the promises looks for; docs/internals/threats.md has the whole sentences. */
export const PROMISES: Readonly<Record<string, string>> = {
  P1: "the pushed tree is the verified tree",
  P2: "the stages ran on a fresh checkout of it",
  P3: "what passed leaves the published files as they are, run once more",
  P4: "commands and configuration are the base commit's",
  P5: "no push was forced",
  P6: "each pass has its evidence",
  P7: "nothing unknown counts as a pass",
  P8: "all of the agent's work is on a branch",
  P9: "there is one report, and it is finished",
  P10: "no process and no temporary file is left",
  P11: "no token or key is in a log, comment, commit or record",
  P12: "nobody but Assay and its git was seen with the token that writes",
  P13: "everything is within its bounds",
  P14: "icon, verdict, outputs and exit code agree",
  P15: "no old failure is charged to the change, or called a pass",
};
