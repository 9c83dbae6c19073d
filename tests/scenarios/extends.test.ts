/** A `verify.json` that extends one of the organization. */
import {rmSync} from "node:fs";
import {expect, onTestFailed, onTestFinished, test} from "vitest";
import {assay, repositoryOf} from "../rig/command-line.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep} from "../sweep.ts";

const EXTENDING = plain({verify: {extends: "ada/shared", limits: {files: 7}}});

if (isSweep)
  test("one job: without the file, with a broken one, and with one of another owner, no agent starts", async () => {
    await using rig = await createRig({files: EXTENDING, onFailed: onTestFailed});
    for (const [text, line] of [
      ['{"stage": []}', "is not a known key"],
      [null, "add the file to its default branch"],
    ] as const) {
      rig.github.files["shared"] = text;
      const outcome = await rig.comment("/assay multiply, please");
      await assertPromises(rig, outcome);
      expect(outcome.record?.verdict).toMatchObject({kind: "unverified"});
      expect(outcome.comments.at(-1)?.body).toContain(line);
    }
    await rig.origin.commit({files: {"verify.json": '{"extends": "eve/shared"}'}});
    rig.github.files["shared"] = "{}";
    const foreign = await rig.comment("/assay multiply, please");
    expect(foreign.comments.at(-1)?.body).toContain("name a repository of ada");
    expect(rig.model.prompts).toEqual([]);
  });

test("a terminal asks for a copy; the plan says where each setting comes from", () => {
  const folder = repositoryOf({
    "verify.json": '// Ours\n{\n  "extends": "ada/shared",\n  "budget": {\n    "minutes": 9,\n    "usd": 5\n  }\n}',
    "shared.json":
      '{"failFast": true,\n"budget": {"usd": 3}, "sandbox": "off", "prices": {"own-4.1": {"input": 1, "output": 2}}}',
    "policy.json": '{"budget": {"usd": 2}, "allRepositories": {"usdPerDay": 50}, "sandbox": "auto"}',
  });
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const without = assay(folder, ["plan"]);
  expect(without.status).toBe(3);
  expect(without.stderr).toContain("set ASSAY_EXTENDS to the path of a copy of it");
  const absent = assay(folder, ["plan"], {ASSAY_EXTENDS: "none.json"});
  expect(absent.stderr).toContain("to the path of a copy of it: none.json cannot be read");
  const env = {ASSAY_EXTENDS: "shared.json"};
  const {stdout} = assay(folder, ["plan", "--json", "--policy", "policy.json"], env);
  expect(JSON.parse(stdout).settings).toEqual([
    {key: "failFast", value: "true", from: "shared.json:1"},
    {key: "budget.minutes", value: "9", from: "verify.json:5"},
    {key: "budget.usd", value: "2", from: "policy.json"},
    {key: "allRepositories.usdPerDay", value: "50", from: "policy.json"},
    {key: "sandbox", value: '"auto"', from: "policy.json"},
    {key: "prices.own-4.1", value: "null", from: "policy.json"},
  ]);
  const text = assay(folder, ["plan", "--policy", "policy.json"], env).stdout;
  expect(text).toMatch(/Settings and where they come from\n {2}failFast +true +shared\.json:1\n/);
  expect(text).toMatch(/ {2}prices\.own-4\.1 +not used {2}policy\.json\n/);
  expect(text).toContain("`allRepositories` holds only with the input `policy-token`");
});
