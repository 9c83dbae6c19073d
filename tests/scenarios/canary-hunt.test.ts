/** The agent publishes its own key in every disguise; the hunting program that the attack sweep uses finds what is open to it. */
import {execFileSync} from "node:child_process";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {ENCODINGS} from "../rig/encodings.ts";
import {HUNT} from "../rig/hunting-program.ts";
import {writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep} from "../sweep.ts";

test("the hunt finds what lies open, so that finding nothing means something", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "hunt-"));
  const secret = `rig-runtime-${"c".repeat(12)}`;
  await writeFile(join(folder.path, "notes"), secret);
  const env = {PATH: process.env["PATH"], HOME: folder.path, OPEN: secret};
  const found = execFileSync(process.execPath, ["-e", HUNT], {encoding: "utf8", env, cwd: folder.path});
  expect(found).toMatch(/the hunt found [3-9].*own environment.*process environ.*memory.*file notes/);
});

if (isSweep)
  test("what the agent has by right gets out through no door, in no disguise", async () => {
    const stages = [{name: "test", kind: "test", command: "cat tests/leak.txt; exit 1", timeout: 60}];
    await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
    const disguises = Object.entries(ENCODINGS).map(([name, encode]) => `${name}: ${encode(rig.model.key)}`);
    rig.model.script([
      {
        when: "multiply",
        do: [
          writeFileAt("src/x.js", "export const x = 1;\n"),
          writeFileAt("tests/leak.txt", disguises.join("\n")),
          ...disguises.map((line, index) => writeFileAt(`leaks/${index}.txt`, `${line}\n`)),
        ],
        say: `Here it is:\n\n${disguises.join("\n\n")}`,
      },
    ]);
    const outcome = await rig.comment("/assay multiply");
    await assertPromises(rig, outcome, {isHostile: true});
    const {record} = outcome;
    expect(record?.attempts[0]?.verification?.stages[0]?.output?.head).toContain("hexadecimal: ***");
    expect(record?.failures).toMatchObject([{kind: "secret-in-change"}]);
    // what carries the key is not on the server in any disguise
    const kept = await rig.origin.tree(outcome.outputs["branch"] || rig.base);
    expect(Object.keys(kept).filter((path) => path.includes("leak"))).toEqual([]);
  });
