/** How the tests themselves run: skips are named, and refused on CI; shards are even; the scheduled workflow runs every sweep. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, onTestFinished, test} from "vitest";
import {parse} from "yaml";
import {deal, inOrder, secondsOf} from "../longest-first.ts";
import {at} from "../rig/json.ts";
import {isAllowed} from "../skipped-tests.ts";

const root = join(import.meta.dirname, "../..");

describe("a run with a skipped test", () => {
  /** Runs one test file with the reporter of this repository. */
  function run({isCI, title, args = []}: {isCI: boolean; title: string; args?: readonly string[]}) {
    const folder = mkdtempSync(join(tmpdir(), "assay-skips-"));
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const reporter = `skippedTests({isCI: ${isCI}, print: console.log})`;
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `import {skippedTests} from ${JSON.stringify(join(root, "tests/skipped-tests.ts"))};
export default {test: {reporters: ["default", ${reporter}]}};
`,
    );
    writeFileSync(
      join(folder, "one.test.ts"),
      `import {test} from "vitest";
test("runs", () => {});
test.skip(${JSON.stringify(title)}, () => {});
`,
    );
    const {CI: _, ...env} = process.env;
    const vitest = join(root, "node_modules/.bin/vitest");
    const {status, stdout} = spawnSync(vitest, ["run", ...args], {cwd: folder, env, encoding: "utf8"});
    return {status, stdout};
  }

  test("names it, and is no failure", () => {
    const {status, stdout} = run({isCI: false, title: "needs a tool"});
    expect(stdout).toContain("Skipped (1):\n  one.test.ts > needs a tool\n");
    expect(status).toBe(0);
  });

  test("fails on CI", () => {
    const {status, stdout} = run({isCI: true, title: "needs a tool"});
    expect(stdout).toContain(
      "On CI these must not be skipped (tests/skipped-tests.ts):\n  one.test.ts > needs a tool\n",
    );
    expect(status).toBe(1);
  });

  test("does not fail on CI where the skip is allowed", () => {
    expect(isAllowed("one.test.ts > needs a tool")).toBe(false);
    const {status, stdout} = run({isCI: true, title: "terraform (not on this machine: terraform)"});
    expect(stdout).toContain("Skipped (1):");
    expect(status).toBe(0);
  });

  test("is not judged where tests were selected by name", () => {
    const {status, stdout} = run({isCI: true, title: "needs a tool", args: ["-t", "runs"]});
    expect(stdout).not.toContain("needs a tool");
    expect(status).toBe(0);
  });
});

test("files run project by project, the one with most files last, and in each the longest first", () => {
  const files = ["many 1", "one 5", "two 2", "many 9", "two 8", "many 4"];
  const order = inOrder(files, {project: (file) => file.slice(0, -2), seconds: (file) => Number(file.slice(-1))});
  expect(order).toEqual(["one 5", "two 8", "two 2", "many 9", "many 4", "many 1"]);
});

describe("shards", () => {
  test("share all files, each once, and take about equally long", () => {
    const files = [100, 60, 50, 40, 30, ...Array.from({length: 80}, () => 6)].map((seconds, id) => ({id, seconds}));
    const shards = deal(files, {count: 4, seconds: ({seconds}) => seconds});
    expect(
      shards
        .flat()
        .map(({id}) => id)
        .toSorted((one, other) => one - other),
    ).toEqual(files.map(({id}) => id));
    const sums = shards.map((shard) => shard.reduce((sum, {seconds}) => sum + seconds, 0));
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(6);
  });

  test("count a unit test as short, and a file that is not known as longer", () => {
    expect(secondsOf({project: "unit", path: "a"})).toBeLessThan(secondsOf({project: "worlds", path: "a"}));
  });
});

test("a test that only the sweep runs is no skipped test of the others", () => {
  const folder = join(root, "tests");
  const files = readdirSync(folder, {recursive: true, encoding: "utf8"}).filter((name) => name.endsWith(".test.ts"));
  const skipping = files.filter((name) =>
    /runIf\(isSweep|skipIf\(!isSweep/.test(readFileSync(join(folder, name), "utf8")),
  );
  expect(skipping).toEqual([]);
});

test("the scheduled workflow runs every sweep, and each once", () => {
  const workflow: unknown = parse(readFileSync(join(root, ".github/workflows/sweeps.yml"), "utf8"));
  const parts = at(workflow, "jobs", "sweep", "strategy", "matrix", "part");
  const names = Array.isArray(parts) ? parts.map(String) : [];
  const files = readdirSync(join(root, "tests"), {recursive: true, encoding: "utf8"})
    .map((name) => `tests/${name}`)
    .filter(
      (file) =>
        file.endsWith(".test.ts") &&
        (/^tests\/(?:sweeps|visual)\//.test(file) ||
          /process\.env\["ASSAY_|\/(?:sweep|fault-cases)\.ts"/.test(readFileSync(join(root, file), "utf8"))),
    );
  expect(files.length).toBeGreaterThan(10);
  const runs = (file: string) => names.filter((name) => file.includes(name)).length;
  expect(files.filter((file) => runs(file) !== 1)).toEqual([]);
  expect(names.filter((name) => !files.some((file) => file.includes(name)))).toEqual([]);
});
