/** Which changed lines the tests run, recorded by the real runner of each language. */
import {existsSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {readChange} from "../../../src/integrity/read-change.ts";
import {runChosenTests} from "../../../src/proof/bite/run-chosen-tests.ts";
import {measureExecutedLines} from "../../../src/proof/executed-lines.ts";
import type {ExecutedLines} from "../../../src/record/executed-lines.ts";
import {isSweep} from "../../sweep.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

interface Options {
  readonly command: string;
  readonly base: Files;
  readonly files: Files;
  readonly budgetMs?: number;
}

async function executedLines({command, base, files, budgetMs = 120_000}: Options): Promise<ExecutedLines | null> {
  await using shop = await openWorkshop(base, {home: realHome()});
  const stage = stageOf({name: "test", kind: "test", command, timeout: 300});
  const opened = await shop.open({stages: [stage], files});
  const {candidate, checkouts, plan, repository} = opened;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) throw new Error("no change");
  const ran = await runChosenTests({...opened, commit: candidate.commit, runs: [{stage, command}]});
  if (!ran.ok) throw new Error(ran.failure);
  expect(ran.value).toMatchObject([{outcome: "passed"}]);
  const measured = await measureExecutedLines({...opened, change: change.value, stages: ran.value, budgetMs});
  const folder = checkouts.firstOf(candidate.commit)?.folder;
  expect(folder === undefined || !existsSync(join(folder, "coverage"))).toBe(true);
  await checkouts.dispose();
  return measured;
}

const NODE = {
  command: "node --test",
  base: {"package.json": '{"type": "module"}', "src/other.js": "1;\n"},
  files: {
    "src/price.js": `/** The price of
 * some items. */
export function price(count) {
  if (count < 10) {
    return count * 2;
  }

  // Many are cheaper.
  return (
    count + 100
  );
}
`,
    "src/unused.js": "export const unused = 1;\n",
    "test/price.test.js": `import {test} from "node:test";
import assert from "node:assert";
import {price} from "../src/price.js";
test("a few", () => assert.equal(price(2), 4));
`,
  },
};

test("node:test: lines without a test are named, and comments and brackets do not count", async () => {
  expect(await executedLines(NODE)).toMatchObject({
    kind: "measured",
    all: 5,
    run: 3,
    notRun: [{path: "src/price.js", from: 9, to: 10}],
    unknown: ["src/unused.js"],
  });
});

test("without time for a run, nothing is said about a line", async () => {
  const slow = `import {test} from "node:test"; import "../src/price.js";
test("waits", () => new Promise((resolve) => setTimeout(resolve, 3000)));
`;
  const files = {...NODE.files, "test/price.test.js": slow};
  expect(await executedLines({...NODE, files, budgetMs: 2000})).toMatchObject({kind: "out-of-time"});
  expect(await executedLines({...NODE, budgetMs: 900})).toBeNull();
});

test("a runner that records no lines is not asked, and one that fails while it records them proves nothing", async () => {
  expect(await executedLines({...NODE, command: "sh -c 'node --test'"})).toBeNull();
  const failing = `import {test} from "node:test";
import {price} from "../src/price.js";
test("is not recorded", () => { if (process.env.NODE_V8_COVERAGE) throw price(1); });
`;
  expect(await executedLines({...NODE, files: {...NODE.files, "test/price.test.js": failing}})).toBeNull();
});

if (isSweep)
  test("Go: a test of another package runs lines, too", async () => {
    const measured = await executedLines({
      command: "go test ./...",
      base: {"go.mod": "module example.org/shop\n\ngo 1.21\n", "calc/calc.go": "package calc\n"},
      files: {
        "calc/calc.go": "package calc\n\nfunc Clamp(v int) int {\n\tif v > 9 {\n\t\treturn 9\n\t}\n\treturn v\n}\n",
        "shop/calc_test.go": `package shop

import ("testing"; "example.org/shop/calc")

func TestCalc(t *testing.T) { if calc.Clamp(1) != 1 { t.Fatal("calc") } }
`,
      },
    });
    expect(measured).toMatchObject({run: 3, notRun: [{path: "calc/calc.go", from: 5, to: 5}], unknown: []});
  });
