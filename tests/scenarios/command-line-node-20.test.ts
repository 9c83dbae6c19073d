/** The built command line on the oldest Node that it promises to run on. */
import {spawnSync} from "node:child_process";
import {rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, onTestFinished, test} from "vitest";
import {planSchema} from "../../src/record/plan.ts";
import {recordSchema} from "../../src/record/record.ts";
import {NODE_20} from "../ecosystems/tools.ts";
import {gitIn, repositoryOf} from "../rig/command-line.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const FILES = {
  "package.json": JSON.stringify({name: "sums", version: "1.0.0", type: "module", scripts: {test: "node --test"}}),
  "sum.js": "export const sum = (one, other) => one + other;\n",
  "sum.test.js": `import {equal} from "node:assert/strict";
import {test} from "node:test";
import {sum} from "./sum.js";
test("sums add up", () => equal(sum(1, 2), 3));
`,
};

const title = NODE_20 === null ? "Node 20 (not on this machine: `.ci/tools` installs it)" : "Node 20";
describe.skipIf(NODE_20 === null)(title, () => {
  const assay = (cwd: string, args: readonly string[], input = "") => {
    const {status, stdout, stderr} = spawnSync(NODE_20 ?? "", [CLI, ...args], {cwd, input, encoding: "utf8"});
    expect(stderr).not.toMatch(/SyntaxError|TypeError|ReferenceError|ERR_/);
    return {status, stdout};
  };
  const repository = () => {
    const folder = repositoryOf(FILES);
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
    return folder;
  };

  test("is what the test runs on, and what package.json asks for", () => {
    const {stdout} = spawnSync(NODE_20 ?? "", ["--version"], {encoding: "utf8"});
    expect(stdout.trim()).toBe("v20.19.0");
  });

  test("plans, verifies, and fails where the change is wrong", () => {
    const folder = repository();
    const planned = assay(folder, ["plan", "--json"]);
    expect(planSchema.parse(JSON.parse(planned.stdout)).stages.map(({name}) => name)).toEqual(["test"]);
    const good = assay(folder, ["verify", "--json"]);
    expect(recordSchema.parse(JSON.parse(good.stdout)).verdict).toEqual({kind: "verified"});
    expect(good.status).toBe(0);
    writeFileSync(join(folder, "sum.js"), "export const sum = (one, other) => one - other;\n");
    const bad = assay(folder, ["verify", "--json"]);
    expect(recordSchema.parse(JSON.parse(bad.stdout)).verdict).toEqual({kind: "failed", stages: ["test"]});
    expect(bad.status).toBe(1);
  });

  test("runs every other command that needs no GitHub", () => {
    const folder = repository();
    expect(assay(folder, ["init"]).status).toBe(0);
    gitIn(folder)("add", "-A");
    expect(JSON.parse(assay(folder, ["doctor", "--json"]).stdout)).toHaveProperty("findings");
    expect(assay(folder, ["distill"], "not ok 1 - sums add up\n").status).toBe(0);
    expect(assay(folder, ["--help"]).stdout).toContain("verify");
  });
});
