/** Has tasks solved by several tries, and counts how often the chosen one passes most tests of a hidden suite. */
import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, expect, onTestFailed, test} from "vitest";
import type {Try} from "../../../src/record/tries.ts";
import {type Action, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {openReplay} from "../../rig/promises/replay.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import type {Rig} from "../../rig/world.ts";

/** What one try writes: the function `work`, and its own cases, each an expression that must be true. */
interface Written {
  readonly code: string;
  readonly cases: readonly string[];
}

export interface Task {
  readonly name: string;
  readonly tries: readonly Written[];
  readonly hidden: readonly string[];
}

const testFile = (from: string, cases: readonly string[]) =>
  [
    'import assert from "node:assert/strict";',
    'import {test} from "node:test";',
    `import {work} from "${from}";`,
    "const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);",
    ...cases.map((text, at) => `test("case ${at}", () => assert.ok(${text}));`),
    "",
  ].join("\n");

const actionsOf = ({code, cases}: Written): Action[] => [
  writeFileAt("src/work.js", `${code}\n`),
  ...(cases.length === 0 ? [] : [writeFileAt("tests/work.test.js", testFile("../src/work.js", cases))]),
];

/** `least`: how often the choice has to agree. */
export function compareChoices(tasks: readonly Task[], least: number): void {
  let agreed = 0;
  const seen: string[] = [];

  test.each(tasks)("$name", {timeout: 300_000}, async ({name, tries, hidden}) => {
    const verify = {maxFixAttempts: 0, tries: {count: tries.length, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed, watches: false});
    rig.model.script(tries.map((one) => ({when: "work", do: actionsOf(one), say: "Done.", isAnew: true as const})));
    const run = await rig.comment("/assay write the function work", {by: "will"});
    await assertPromises(rig, run);
    const {rows = [], chosen} = run.record?.tries ?? {};
    const winner = rows.find((row) => row.number === chosen);
    expect(rows).toHaveLength(tries.length);
    expect(winner?.verdict.kind).toBe("verified");
    const passed = new Map<number, number>();
    for (const row of rows)
      passed.set(row.number, await countPassed(rig, {hidden, commit: placeOf(row, run.outputs.commit)}));
    const isBest = passed.get(winner?.number ?? 0) === Math.max(...passed.values());
    agreed += Number(isBest);
    const share = (value: Try["executed"]) => (value ? `${value.part}/${value.all}` : "-");
    const facts = rows.map(
      (row) =>
        `${row.number}: ${row.verdict.kind}, ${row.findings} findings, foreign ${share(row.foreignFailed)} (${row.failsTestsOf}), executed ${share(row.executed)}, noticed ${share(row.noticed)}, ${row.lines} lines, hidden ${passed.get(row.number)}/${hidden.length}`,
    );
    seen.push(`${isBest ? "agrees" : "DIFFERS"} | ${name} | chosen ${chosen} | ${facts.join("; ")}`);
  });

  afterAll(() => {
    console.info(seen.join("\n"));
    expect(agreed).toBeGreaterThanOrEqual(least);
  });
}

const placeOf = ({candidate, ref}: Try, published: string | undefined) =>
  candidate === null ? null : (ref ?? published ?? null);

/** How many hidden cases hold for a commit of the server. */
async function countPassed(
  rig: Rig,
  {hidden, commit}: {hidden: readonly string[]; commit: string | null},
): Promise<number> {
  const id = commit === null ? null : await rig.origin.resolve(commit);
  if (id === null) return 0;
  await using replay = await openReplay(rig.origin, {commit: id, isHostile: false});
  if (replay === null) return 0;
  let count = 0;
  for (const [at, text] of hidden.entries()) {
    await writeFile(join(replay.folder, `hidden-${at}.test.js`), testFile("./src/work.js", [text]));
    count += Number((await replay.run(`node --test hidden-${at}.test.js`, ".")).code === 0);
  }
  return count;
}
