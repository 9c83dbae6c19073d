/** Faults in changed lines, with the real runner of each language: the tests notice what they cover, and nothing else. */
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {readChange} from "../../../src/integrity/read-change.ts";
import {measureAfterVerification, NOT_MEASURED} from "../../../src/proof/after-verification.ts";
import {runChosenTests} from "../../../src/proof/bite/run-chosen-tests.ts";
import {measureSensitivity} from "../../../src/proof/sensitivity/measure-sensitivity.ts";
import {planRun} from "../../../src/proof/sensitivity/plan-runs.ts";
import {testFilesFor} from "../../../src/proof/sensitivity/tests-for.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Sensitivity} from "../../../src/record/sensitivity.ts";
import {isSweep, someOf} from "../../sweep.ts";
import {stage as stageResult} from "../../unit/report/records.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

async function sensitivityOf(options: {
  command: string;
  base: Files;
  files: Files;
  /** a command that writes what the tests read */
  build?: string;
  budgetMs?: number;
}): Promise<Sensitivity | null> {
  await using shop = await openWorkshop(options.base, {home: realHome()});
  const stage = stageOf({name: "test", kind: "test", command: options.command, timeout: 300});
  const builds = options.build === undefined ? [] : [stageOf({name: "build", kind: "build", command: options.build})];
  const opened = await shop.open({stages: [...builds, stage], files: options.files});
  const {candidate, checkouts, plan, repository} = opened;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) throw new Error("no change");
  const runs = [{stage, command: stage.command}];
  const ran = await runChosenTests({...opened, commit: candidate.commit, runs});
  if (!ran.ok) throw new Error(ran.failure);
  expect(ran.value).toMatchObject([{outcome: "passed"}]);
  const budgetMs = options.budgetMs ?? 120_000;
  const measured = await measureSensitivity({...opened, change: change.value, stages: ran.value, budgetMs});
  await checkouts.dispose();
  return measured;
}

const FINISHED = {where: "checkout", isolation: "degraded", durationMs: 480_000} as const;

const places = (measured: Sensitivity | null) =>
  measured?.notNoticed.map(({path, line, from, to}) => `${path}:${line} ${from} → ${to}`);

const PYTHON = {
  base: {
    "calc.py": "",
    // The runner does not collect this one.
    "tests/measure_calc.py": "import calc\n\n\ndef test_speed(stopwatch):\n    pass\n",
    "test_calc.py": "def test_none():\n    pass\n",
    "test_low.py": "import calc\n\n\ndef test_low():\n    assert calc.clamp(1, 3) == 1\n",
  },
  files: {
    "calc.py": "def clamp(value, limit):\n    if value > limit:\n        return limit\n    return value\n",
    "test_calc.py": "from calc import clamp\n\n\ndef test_clamp():\n    assert clamp(5, 3) == 3\n",
  },
};

test("Python: a boundary that no test covers is named", async () => {
  const measured = await sensitivityOf({command: "python3 -m pytest -q", ...PYTHON});
  // `>=` gives the same result for all values.
  expect(places(measured)).toEqual(["calc.py:2 > → >="]);
  expect(measured?.noticed).toBe(3);
});

if (isSweep)
  test("JavaScript: only faults that a test covers are noticed, and the budget ends the search", async () => {
    const files = {
      "src/price.js":
        "export function price(count) {\n  if (count < 10) {\n    return count * 2;\n  }\n  return count + 100;\n}\n",
      "test/price.test.js": `import {test} from "node:test";
import assert from "node:assert";
import {price} from "../src/price.js";
test("a few", () => assert.equal(price(2), 4));
`,
    };
    const base = {"package.json": '{"type": "module"}', "src/other.js": "1;\n"};
    const measured = await sensitivityOf({command: "node --test", base, files});
    expect(measured?.notNoticed.every(({line}) => line === 2 || line === 5)).toBe(true);
    expect(places(measured)).toContain("src/price.js:5 count + 100 → undefined");
    expect([measured?.noticed, measured?.notNoticed.length]).toEqual([4, 5]);
    expect(await sensitivityOf({command: "node --test", base, files, budgetMs: 1})).toBeNull();
  });

test("the changed tests and those named after the file run before the others, unless these are few", async () => {
  const commandsWith = async (more: Files, result: Partial<StageResult> = {}) => {
    await using shop = await openWorkshop({...PYTHON.base, ...more});
    const stages = [stageOf({name: "test", kind: "test", command: "python3 -m pytest -q"})];
    const opened = await shop.open({stages, files: PYTHON.files});
    const change = await readChange({...opened, base: opened.candidate.base, head: opened.candidate.commit});
    if (!change.ok) throw new Error("no change");
    const run = await planRun({...opened, change: change.value, stages: [stageResult(result)]}, "calc.py");
    await opened.checkouts.dispose();
    return run?.commands.map(({line}) => line);
  };
  const others = Object.fromEntries([1, 2, 3].map((at) => [`test_o${at}.py`, "import calc\n"]));
  expect(await commandsWith({})).toEqual(["python3 -m pytest -q test_calc.py test_low.py -x"]);
  expect(await commandsWith(others)).toEqual([
    "python3 -m pytest -q test_calc.py -x",
    "python3 -m pytest -q test_low.py test_o1.py test_o2.py test_o3.py -x",
  ]);
  expect(await commandsWith({}, {outcome: "failed"})).toBeUndefined();
});

test.each([
  [{"all_test.go": "package m\n", "more_test.go": "package m\n"}, true],
  [{"all_test.go": "package m\n", "sub/more_test.go": "package m\n"}, false],
])("the whole stage does not run in addition if the changed tests are all tests: %j", async (files, isComplete) => {
  await using shop = await openWorkshop({"calc.go": "package m\n", ...files});
  const opened = await shop.open({stages: [], files: {"calc.go": "package m\n\nvar A = 1\n"}});
  const about = {repository: opened.repository, commit: opened.candidate.commit, path: "calc.go"};
  expect(await testFilesFor({...about, changed: ["all_test.go"]})).toMatchObject({others: [], isComplete});
  await opened.checkouts.dispose();
});

test("tests of built files are run on a build with the fault", async () => {
  const measured = await sensitivityOf({
    command: "node --test",
    build: "mkdir -p dist && cp src/double.js dist/",
    base: {"package.json": '{"type": "module"}', ".gitignore": "dist\n", "src/other.js": "1;\n"},
    files: {
      "src/double.js": "export function double(count) {\n  return count + count;\n}\n",
      "test/double.test.js":
        'import {test} from "node:test";\nimport assert from "node:assert";\nimport {double} from "../dist/double.js";\ntest("double", () => assert.equal(double(3), 6));\n',
    },
  });
  expect([measured?.noticed, places(measured)]).toEqual([2, []]);
});

const SCRIPT = {
  command: "sh run.sh",
  base: {
    "run.sh": "set -e\nnode check.js\n",
    "state.txt": "good\n",
    "calc.js": "",
    "check.js":
      'const assert = require("assert");\nconst fs = require("fs");\nassert.equal(fs.readFileSync("state.txt", "utf8"), "good\\n");\nrequire("./calc.js").save(5);\n',
  },
  files: {
    "calc.js":
      "exports.one = (n) => {\n  return n < 10;\n};\nexports.save = (n) => {\n  if (n === 6) require('fs').writeFileSync('state.txt', 'bad');\n};\n",
  },
};

test("a fault counts as noticed only if the same checkout passes without it", async () => {
  // The second run in a checkout fails, with or without a fault.
  const once = {...SCRIPT.base, "run.sh": "set -e\nmkdir out\nnode check.js\n"};
  expect(await sensitivityOf({...SCRIPT, base: once})).toBeNull();
  // A fault makes the tests rewrite a file, which is put back.
  const rewriting = await sensitivityOf(SCRIPT);
  expect([rewriting?.noticed, rewriting?.notNoticed.length]).toEqual([0, 5]);
});

test.each(
  someOf([
    {other: "earlier", noticed: undefined},
    {other: "later", noticed: 2},
  ]),
)("only the tests that fail with a fault have to pass without it; one that always fails is $other", async (row) => {
  const measured = await sensitivityOf({
    command: "python3 -m unittest",
    base: {"calc.py": "", "test_calc.py": ""},
    files: {
      "calc.py": "def double(count):\n    return count + count\n",
      "test_calc.py": `import os
import unittest
from calc import double


class TestCalc(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(3), 6)

    def test_${row.other === "later" ? "z" : "a"}(self):
        os.mkdir("out")
`,
    },
  });
  expect(measured?.noticed).toBe(row.noticed);
});

if (isSweep)
  test("the head of a pull request, which is its own base, is compared with the base of its change", async () => {
    await using shop = await openWorkshop(PYTHON.base, {home: realHome()});
    const stage = stageOf({name: "test", kind: "test", command: "python3 -m pytest -q"});
    const opened = await shop.open({stages: [stage], files: PYTHON.files});
    const {candidate, changes, checkouts} = opened;
    const ran = await runChosenTests({...opened, commit: candidate.commit, runs: [{stage, command: stage.command}]});
    const verdict = {kind: "verified"} as const;
    const stages = ran.ok ? ran.value : [];
    const verification = {...FINISHED, setup: [], candidate, stages, verdict};
    const attempt = {candidate: {...candidate, base: candidate.commit}, changes, verification, verdict};
    const changeBase = (isExact: boolean) => ({base: candidate.base, head: candidate.commit, isExact});
    const wants = {sensitivity: true, executedLines: false};
    const about = {...opened, wants};
    expect(await measureAfterVerification(attempt, {...about, changeBase: changeBase(false)})).toEqual(NOT_MEASURED);
    const {sensitivity: measured} = await measureAfterVerification(attempt, {...about, changeBase: changeBase(true)});
    expect([measured?.noticed, places(measured)]).toEqual([3, ["calc.py:2 > → >="]]);
    await checkouts.dispose();
  });

if (isSweep)
  test.each([
    {
      language: "Go",
      command: "go test ./...",
      base: {"go.mod": "module example.com/calc\n\ngo 1.21\n", "calc.go": "package calc\n"},
      files: {
        "calc.go":
          "package calc\n\nfunc Clamp(v, limit int) int {\n\tif v > limit {\n\t\treturn limit\n\t}\n\treturn v\n}\n",
        "calc_test.go":
          'package calc\n\nimport "testing"\n\nfunc TestClamp(t *testing.T) {\n\tif Clamp(5, 3) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
      },
      expected: ["calc.go:4 > → >="],
    },
    {
      language: "Rust",
      command: "cargo test --offline",
      base: {"Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": ""},
      files: {
        "src/lib.rs":
          "pub fn clamp(v: i32, limit: i32) -> i32 {\n    if v > limit {\n        return limit;\n    }\n    v\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn clamps() {\n        assert_eq!(super::clamp(5, 3), 3);\n    }\n}\n",
      },
      expected: ["src/lib.rs:2 > → >="],
    },
  ])("$language", async ({command, base, files, expected}) => {
    expect(places(await sensitivityOf({command, base, files}))).toEqual(expected);
  });

test("a file is put back after a fault, and a link out of the checkout is not followed", async () => {
  const {withFault} = await import("../../../src/proof/sensitivity/inject.ts");
  const {mkdir, mkdtemp, rm, symlink, writeFile} = await import("node:fs/promises");
  const {tmpdir} = await import("node:os");
  const folder = await mkdtemp(join(tmpdir(), "assay-fault-"));
  await mkdir(join(folder, "in"));
  await mkdir(join(folder, "out"));
  for (const path of ["in/a.js", "out/a.js"]) await writeFile(join(folder, path), "one\ntwo\n");
  // The last line is in an older encoding.
  const old = Buffer.from("é\ntwo\né\n").fill(0xe9, 7, 9);
  await writeFile(join(folder, "in/old.py"), old);
  await symlink("../out", join(folder, "in/linked"));
  await symlink("../out/a.js", join(folder, "in/b.js"));
  const read = (path: string) => readFile(join(folder, path), "utf8");
  const fault = (path: string) =>
    withFault({folder: join(folder, "in"), path, line: 2, oldLine: "two", newLine: "2"}, () => read("in/a.js"));
  expect([await fault("a.js"), await read("in/a.js")]).toEqual(["one\n2\n", "one\ntwo\n"]);
  expect([await fault("linked/a.js"), await fault("b.js"), await read("out/a.js")]).toEqual([null, null, "one\ntwo\n"]);
  expect(await fault("old.py")).toBe("one\ntwo\n");
  expect(await readFile(join(folder, "in/old.py"))).toEqual(old);
  await rm(folder, {recursive: true});
});
