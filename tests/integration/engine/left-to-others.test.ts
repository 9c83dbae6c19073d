/** On the agent's machine a long check runs in part or not at all, and nothing of that is a pass of the change. */
import {readFile} from "node:fs/promises";
import {expect, test} from "vitest";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

const change = {"src/a.ts": "export const a = 1;\n"};
const quick = stageOf({name: "quick", kind: "check", command: "true"});
const left = (seconds: number) => `left to the machine that verifies the change: it takes longer than ${seconds} s`;
const calls = async (log: string) => (await readFile(log, "utf8")).trim().split("\n");
/** A stand-in of the test runner: all tests take a minute. */
const runner = (log: string, related: string) => `#!/bin/bash
echo "$1" >> ${log}
[ "$1" = run ] && exec sleep 60
${related}
echo "      Tests  2 passed (2)"
`;
const suite = stageOf({name: "test", kind: "test", command: "vitest run", timeout: 300});

test("a check that takes longer than the bound is stopped there, and the others count", async () => {
  await using shop = await openWorkshop({});
  const slow = stageOf({name: "slow", kind: "check", command: `echo slow >> ${shop.log}; sleep 60`, timeout: 300});
  const after = stageOf({name: "after", kind: "check", command: "true", needs: ["slow"]});
  const options = {stages: [quick, slow, after], files: change, mayLookFirst: true, mostSeconds: 1};
  const first = await shop.look(options);
  expect(first.verdict).toEqual({kind: "partial", notRun: ["slow", "after"], preexisting: []});
  expect(first.stages).toMatchObject([
    {name: "quick", outcome: "passed"},
    {name: "slow", outcome: "skipped", reason: left(1)},
    {name: "after", outcome: "skipped"},
  ]);
  expect(first.durationMs).toBeLessThan(30_000);
  // After a fix, it is not tried again.
  expect((await shop.look({...options, before: first})).verdict.kind).toBe("partial");
  expect(await calls(shop.log)).toEqual(["slow"]);
});

test("a check that took longer on the base does not start, even if the base's run was stopped", async () => {
  await using shop = await openWorkshop({});
  const slow = stageOf({name: "slow", kind: "check", command: `echo slow >> ${shop.log}; sleep 2`, timeout: 300});
  const options = {stages: [quick, slow], files: change, mayLookFirst: true, withBaseline: true, isIdle: true};
  const {verdict} = await shop.look({...options, mostSeconds: 1});
  expect(verdict).toEqual({kind: "partial", notRun: ["slow"], preexisting: []});
  expect(await calls(shop.log)).toEqual(["slow"]);
  // Without the bound, the same check runs.
  expect((await shop.look(options)).verdict).toEqual({kind: "verified"});
});

test("a tool that can narrow runs the affected tests, which pass in part or fail the change", async () => {
  await using shop = await openWorkshop({});
  const fails =
    "printf '\\n FAIL  tests/a.test.ts > a\\nAssertionError: no\\n ❯ tests/a.test.ts:5:13\\n\\n      Tests  1 failed | 1 passed (2)\\n'; exit 1";
  const look = (related: string) =>
    shop.look({
      ...{stages: [suite, quick], files: {...change, "bin/vitest": runner(shop.log, related)}},
      ...{mayLookFirst: true, mostSeconds: 1},
    });
  const passed = await look("");
  expect(passed.verdict).toEqual({kind: "partial", notRun: ["test"], preexisting: []});
  expect(passed.stages[0]).toMatchObject({outcome: "passed", narrowed: expect.stringContaining("vitest related")});
  expect(await calls(shop.log)).toEqual(["related", "run"]);
  const failed = await look(fails);
  expect(failed.verdict).toEqual({kind: "failed", stages: ["test"]});
  // A fix is checked by the same tests, although the suite is known to be long.
  const again = await shop.look({
    ...{stages: [suite, quick], files: {...change, "bin/vitest": runner(shop.log, fails)}},
    ...{mayLookFirst: true, mostSeconds: 1, before: passed},
  });
  expect(again.verdict).toEqual({kind: "failed", stages: ["test"]});
});
