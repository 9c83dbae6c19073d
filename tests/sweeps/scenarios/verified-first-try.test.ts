/** A TypeScript project without a verify.json: its stages are found, run on a clean checkout, and pass at once. */
import {expect, onTestFailed, test} from "vitest";
import {editFile, writeFileAt} from "../../rig/model.ts";
import {typescript} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("detected stages pass at once, and the change is proposed", async () => {
  await using rig = await createRig({files: typescript(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "subtract",
      do: [
        editFile(
          "src/price.ts",
          "export function add",
          "export const subtract = (one: Price, other: Price): Price => ({cents: one.cents - other.cents});\n\nexport function add",
        ),
        writeFileAt("tests/subtract.test.ts", SUBTRACT_TEST),
      ],
      say: "Prices can be subtracted.",
    },
  ]);
  const outcome = await rig.comment("/assay subtract prices", {by: "mary"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  const stages = outcome.record?.attempts.at(-1)?.verification?.stages ?? [];
  expect(stages.map(({kind, outcome}) => `${kind} ${outcome}`)).toEqual([
    "typecheck passed",
    "lint passed",
    "test passed",
  ]);
  expect(stages.at(-1)?.tests).toMatchObject({passed: 3, failed: 0});
  expect(outcome.pullRequests).toMatchObject([
    {head: "assay/issue-1", base: "main", headCommit: outcome.outputs.commit},
  ]);
  // The requester sees the result before the steps for which nobody waits. A later edit may add what the injected faults showed.
  const writes = rig.github.requests.filter(({method, status}) => method !== "GET" && status < 300);
  const isReport = ({path, body}: {path: string; body: string}) =>
    /issues\/comments\/\d+$/.test(path) && body.includes("✅ Verified**");
  const report = writes.findIndex(isReport);
  const [check, review] = [/check-runs$/, /requested_reviewers$/].map((path) =>
    writes.findIndex((one) => path.test(one.path)),
  );
  expect([check, review]).toEqual([report + 1, report + 2]);
  expect(writes.at(Number(review))?.body).toBe('{"reviewers":["mary"]}');
});

const SUBTRACT_TEST = `import {expect, test} from "vitest";
import {subtract} from "../src/price.ts";

test("prices are subtracted", () => {
  expect(subtract({cents: 120}, {cents: 30}).cents).toBe(90);
});
`;
