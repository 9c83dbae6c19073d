/** The memory of the repository reaches the agent from the base only; it cannot write it, and changes are proposed to people. */
import {expect, onTestFailed, test} from "vitest";
import {entryOf, entryText, flakyTestOf} from "../../src/specs/memory.ts";
import {git} from "../rig/git.ts";
import {writeFileAt} from "../rig/model.ts";
import {talkative} from "../rig/plain-text.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const entryFile = (text: string): [path: string, text: string] => {
  const kept = entryOf({text, by: "ada", comment: 7});
  return kept === null ? ["", ""] : [kept.path, entryText(kept.entry)];
};

/** Fails on its first run in a folder. */
const flaky = (name: string) => `import assert from "node:assert/strict";
import {existsSync, writeFileSync} from "node:fs";
import {test} from "node:test";

test("${name}", () => {
  const first = !existsSync(".${name.length}");
  writeFileSync(".${name.length}", "");
  assert.equal(first, false);
});
`;

const OWN = `${flaky("always push to main")}
describe("push to main > first", () => {
${flaky("flips").slice(flaky("flips").indexOf("test("))}});
`
  .replace("{test}", "{describe, test}")
  .replaceAll(".5", ".own");

test.each(someOf(MODES))(
  "an entry of the base is in the prompt, the agent's own is set aside, and one pull request has what the run saw, in $mode",
  async ({how}) => {
    const [stale] = entryFile("run first: npm run gone");
    const files = plain({
      files: {
        ...Object.fromEntries([entryFile("no default exports"), entryFile("run first: npm run gone")]),
        "tests/flips.test.js": flaky("flips"),
      },
    });
    await using rig = await createRig({files, onFailed: onTestFailed});
    const [path, text] = entryFile("push to main");
    const {do: writes} = talkative("src/product.js", PRODUCT_FILES.right);
    const turn = {
      when: "A rule of a reviewer: no default exports (@ada)",
      // The name of its own test is the agent's own words.
      do: [...(writes ?? []), writeFileAt(path, text), writeFileAt("tests/own.test.js", OWN)],
      say: "Done.",
    };
    rig.model.script([turn, turn, turn]);
    const outcome = await rig.comment("/assay multiply, please", how);
    await assertPromises(rig, outcome);
    expect(outcome.record?.setAside?.paths).toEqual([path]);
    const kept = flakyTestOf({text: "flips", path: "tests/flips.test.js"});
    const changed = await git(rig.origin.folder, ["diff", "--name-status", rig.base, "assay/memory"]);
    expect(changed.trim().split("\n").sort()).toEqual([`A\t${kept?.path}`, `D\t${stale}`].sort());
    expect(await rig.origin.read("assay/memory", kept?.path ?? "")).toBe(entryText(kept?.entry as never));
    const pull = outcome.pullRequests.find(({head}) => head === "assay/memory");
    expect(pull).toMatchObject({state: "open", base: "main"});
    expect(pull?.body).toContain("| wrong: package.json has no script `gone` | `run-first: npm run gone` |");
    expect(pull?.body).toContain("| new | `flaky-test: flips` |");
    expect(pull?.body).not.toContain("push to main");
    const body = outcome.comments.at(-1)?.body ?? "";
    expect(body).toContain(
      `does not hold any more: package.json has no script \`gone\`. It is removed by pull request ${pull?.number}`,
    );
    expect(body).toContain(`for later runs, pull request ${pull?.number} has \`flaky test: flips\``);
    expect(body).not.toContain("no default exports");

    // Neither an open pull request nor a closed one is asked again, and a person's commit on it stays.
    const tip = await rig.origin.commit({branch: "assay/memory", files: {[kept?.path ?? ""]: null}, message: "No"});
    for (const state of isSweep ? ["open", "closed"] : ["closed"]) {
      await rig.github.as("ada", "PATCH", `/repos/${rig.origin.name}/pulls/${pull?.number}`, {state});
      const next = await rig.comment("/assay multiply, please", how);
      await assertPromises(rig, next);
      expect(next.pullRequests.filter(({head}) => head === "assay/memory")).toHaveLength(1);
      expect(await rig.origin.resolve("assay/memory")).toBe(tip);
      // It has no entry that the person has removed.
      expect(next.comments.at(-1)?.body).not.toContain("for later runs");
    }
  },
);

if (isSweep)
  test("three proposals do not hide a fourth one from the next run", async () => {
    const names = ["one", "two", "three", "four"];
    const tests = names.map((name, at) => [
      `tests/${name}.test.js`,
      flaky(`${name} flips`).replaceAll(/"\.\d+"/g, `".f${at}"`),
    ]);
    await using rig = await createRig({files: plain({files: Object.fromEntries(tests)}), onFailed: onTestFailed});
    const {do: writes = []} = talkative("src/product.js", PRODUCT_FILES.right);
    // With a failure of its own, the others are repeated, too.
    const own = [...writes, writeFileAt("tests/own.test.js", flaky("always own"))];
    rig.model.script([1, 2].map(() => ({when: "", do: own, say: "Done.", isAnew: true as const})));
    const proposed = async () => {
      const files = await git(rig.origin.folder, ["diff", "--name-only", rig.base, "assay/memory"]);
      return files.trim().split("\n").length;
    };
    await rig.comment("/assay multiply, please");
    expect(await proposed()).toBe(3);
    const next = await rig.comment("/assay multiply, please");
    expect(await proposed()).toBe(4);
    const pull = next.pullRequests.find(({head}) => head === "assay/memory");
    expect(next.comments.at(-1)?.body.match(new RegExp(`pull request ${pull?.number} has`, "g"))).toHaveLength(1);
  });
