/** The checks of the base over the sources of a change: configuration, scripts, data and packages that it loosens, and honest neighbors. */
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import type {SetupStep, Stage} from "../../../src/record/plan.ts";
import {isSweep, someOf} from "../../sweep.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

const TSC = join(import.meta.dirname, "../../../node_modules/.bin/tsc");
const LINT = `import {readFileSync, readdirSync} from "node:fs";
const words = readFileSync("tools/forbidden.txt", "utf8").split("\\n").map((line) => line.replace(/#.*/, "").trim());
let failed = 0;
for (const name of readdirSync("src"))
  readFileSync(\`src/\${name}\`, "utf8").split("\\n").forEach((line, index) => {
    for (const word of words.filter((one) => one !== "" && line.includes(one))) {
      console.log(\`src/\${name}:\${index + 1}:1: error: \${word} is not allowed\`);
      failed = 1;
    }
  });
process.exitCode = failed;
`;
const SUM = "export const sum = (list) => list.reduce((all, one) => all + one, 0);\n";
const TESTS = `import test from "node:test";
import assert from "node:assert/strict";
import {sum} from "../src/sum.js";

test("sums", () => {
  assert.equal(sum([1, 2]), 3);
});
`;
const LINTED: Files = {
  "package.json": '{"type": "module"}\n',
  "tools/lint.js": LINT,
  "tools/forbidden.txt": "eval(\nFunction(\n",
  "scripts/lint.sh": "set -e\nnode tools/lint.js\n",
  "src/sum.js": SUM,
  "tests/sum.test.js": TESTS,
};
const OPTIONS = {strict: true, target: "es2022", module: "nodenext", noEmit: true, types: []};
const TYPED: Files = {
  "tsconfig.json": JSON.stringify({extends: "./config/base.json", include: ["src", "tests"]}),
  "config/base.json": JSON.stringify({compilerOptions: OPTIONS}),
  "src/name.ts": "export const size = (name?: string): number => (name === undefined ? 0 : name.length);\n",
};
const LOOSE = "export const size = (name?: string): number => name.length;\n";
const packageWith = (close: string) =>
  JSON.stringify({type: "module", devDependencies: {close: `file:packages/${close}`}});
const PACKAGED: Files = {
  "package.json": packageWith("close"),
  "install.js": `import {cpSync, readFileSync} from "node:fs";
const {devDependencies} = JSON.parse(readFileSync("package.json", "utf8"));
cpSync(devDependencies.close.replace("file:", ""), "node_modules/close", {recursive: true});
`,
  "packages/close/index.js":
    "exports.close = (a, b) => { if (Math.abs(a - b) > 1e-9) throw new Error(`${a}, not ${b}`); };\n",
  "packages/quick/index.js":
    "exports.close = (a, b) => { if (typeof a !== typeof b) throw new Error(`${a}, not ${b}`); };\n",
  "packages/close/package.json": "{}",
  "packages/quick/package.json": "{}",
  "src/mean.js": "export const mean = (list) => list.reduce((all, one) => all + one, 0) / list.length;\n",
  "tests/mean.test.js": `import test from "node:test";
import {close} from "close";
import {mean} from "../src/mean.js";

test("takes the mean", () => {
  close(mean([1, 2]), 1.5);
});
`,
};
const lint = stageOf({name: "lint", kind: "lint", command: "sh scripts/lint.sh", optional: true});
const types = stageOf({name: "types", kind: "typecheck", command: TSC});
const test = stageOf({name: "test", kind: "test", command: "node --test tests/*.test.js"});
const install: SetupStep = {
  ...{command: "node install.js", cwd: ".", timeout: 60, inputs: ["package.json"], provides: ["node_modules"]},
  ...{tools: [], origin: {file: "package.json", key: "", why: ""}},
};

/** The findings of the replay, and how often the stages ran on the change, once each for the verdict. */
async function replay(base: Files, files: Files, options: {stages: readonly Stage[]; setup?: readonly SetupStep[]}) {
  await using workshop = await openWorkshop({".gitignore": "node_modules\n", ...base});
  const stages = options.stages.map((one) => ({
    ...one,
    command: `echo ${one.name} >> ${workshop.log}; ${one.command}`,
  }));
  const {verdict, findings = []} = await workshop.look({
    ...{...options, stages, files, withBaseline: true, integrity: DEFAULT_CONFIG.integrity},
  });
  const runs = (await readFile(workshop.log, "utf8")).trim().split("\n");
  return {
    verdict: verdict.kind,
    runs: Object.fromEntries(stages.map(({name}) => [name, runs.filter((one) => one === name).length])),
    replayed: findings.flatMap(({check, level, path, message}) =>
      check === "base-replay" ? [`${level} ${path}: ${message}`] : [],
    ),
  };
}

describe("a test that passes with a false assertion blocks", () => {
  it("if the file's own assertions let some values pass, behind a new name of the tested function", async () => {
    const files = {
      "tests/sum.test.js": TESTS.replaceAll("sum(", "total(")
        .replace("{sum}", "{total}")
        .replace("assert from", "real from")
        .replace("\ntest(", "\nconst assert = {equal: (a, b) => (b < 3 ? real.equal(a, b) : true)};\n\ntest("),
      "src/sum.js": SUM.replace("sum", "total").replace(", 0)", ", 1)"),
    };
    await using workshop = await openWorkshop({...LINTED});
    const {verdict, findings = []} = await workshop.look({
      ...{stages: [test], files, withBaseline: true, integrity: DEFAULT_CONFIG.integrity},
    });
    expect(verdict.kind).toBe("tampered");
    expect(findings.filter(({level}) => level === "block")).toEqual([
      expect.objectContaining({check: "unnoticed-failures", path: "tests/sum.test.js", line: 8}),
    ]);
  });

  it.each(
    someOf(
      [
        ["is changed to accept more", "isShort(10)", "n <= 10", "n <= 20", []],
        ["gives a longer list", "[isShort(1)].flat().length >= 1", "n > 0", "[n > 0, n > 1]", []],
        ["gets a larger input", "isShort(1) >= 1", "n", "n + 0", []],
        ["is hidden by an assertion of one test", "isShort(10)", "n <= 10", "n <= 9", ["flag"]],
      ],
      2,
    ),
  )("unless the code %s", async (_, asserted, code, newCode, levels) => {
    const tests = TESTS.replace("{sum}", "{isShort}").replace("equal(sum([1, 2]), 3)", `ok(${asserted})`);
    const hidden =
      levels.length === 0 ? "" : "const {ok} = assert;\nassert.ok = (a) => a === true || ok(a === false);\n";
    const files = {
      "tests/sum.test.js": `${tests.replace("isShort(1) >= 1", "isShort(5) >= 1")}${hidden}\ntest("is short", () => {\n  assert.ok(isShort(5));\n});\n`,
      "src/sum.js": `export const isShort = (n) => ${newCode};\n`,
    };
    await using workshop = await openWorkshop({
      ...{...LINTED, "tests/sum.test.js": tests, "src/sum.js": `export const isShort = (n) => ${code};\n`},
    });
    const {findings = []} = await workshop.look({
      ...{stages: [test], files, withBaseline: true, integrity: DEFAULT_CONFIG.integrity},
    });
    expect(findings.flatMap(({check, level}) => (check === "unnoticed-failures" ? level : []))).toEqual(levels);
  });

  it("if the expected value comes first, and an input last", async () => {
    const tests = TESTS.replace("{sum}", "{code}").replace("sum([1, 2]), 3", "400, code(3)");
    const files = {
      "tests/sum.test.js": tests
        .replaceAll("code", "status")
        .replace("assert from", "real from")
        .replace("\ntest(", "\nconst assert = {equal: (a, b) => b === 500 || real.equal(a, b)};\n\ntest("),
      "src/sum.js": "export const status = (n) => 500;\n",
    };
    await using workshop = await openWorkshop({
      ...{...LINTED, "tests/sum.test.js": tests, "src/sum.js": "export const code = (n) => 400;\n"},
    });
    const {verdict, findings = []} = await workshop.look({
      ...{stages: [test], files, withBaseline: true, integrity: DEFAULT_CONFIG.integrity},
    });
    expect(verdict.kind).toBe("tampered");
    expect(findings).toContainEqual(expect.objectContaining({check: "unnoticed-failures", level: "block", line: 8}));
  });
});

it("a set-up that replaces an assertion of unittest blocks", async () => {
  const tests =
    "import unittest\n\n\nclass TestSum(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(sum([1, 2]), 3)\n";
  await using workshop = await openWorkshop({"test_sum.py": tests});
  const setUp = "    def setUp(self):\n        self.assertEqual = lambda *all: None\n\n    def test_sum";
  const {verdict, findings = []} = await workshop.look({
    stages: [stageOf({name: "test", kind: "test", command: "python3 -m unittest"})],
    ...{files: {"test_sum.py": tests.replace("    def test_sum", setUp)}, withBaseline: true},
    integrity: DEFAULT_CONFIG.integrity,
  });
  expect(verdict.kind).toBe("tampered");
  expect(findings.map(({check, level, line}) => [check, level, line])).toEqual([["unnoticed-failures", "block", 9]]);
});

it("a test that asserts in some of its runs only does not block", async () => {
  await using workshop = await openWorkshop({"test_sum.py": randomTest(0, "/dev/null")});
  const {verdict} = await workshop.look({
    stages: [stageOf({name: "test", kind: "test", command: "python3 -m unittest"})],
    // It asserts from its sixth run on: later than the runs with one false value.
    ...{files: {"test_sum.py": randomTest(6, workshop.log)}, withBaseline: true},
    integrity: {...DEFAULT_CONFIG.integrity, level: {"weakened-tests": "note"}},
  });
  expect(verdict.kind).toBe("verified");
});

const randomTest = (from: number, log: string) => `import os
import unittest


class TestSum(unittest.TestCase):
    def test_sum(self):
        with open("${log}", "a") as log:
            log.write("x")
        if os.path.getsize("${log}") >= ${from}:
            self.assertEqual(sum([1, 2]), 3)
`;

it("a script of shell blocks if one of its comparisons does not fail it any more", async () => {
  const script = 'set -e\nout=$(cat src/name.txt)\n[ "$out" = name ]\n';
  await using workshop = await openWorkshop({"src/name.txt": "name\n", "tests/run.sh": script});
  const {verdict, findings = []} = await workshop.look({
    ...{
      stages: [stageOf({name: "test", kind: "test", command: "sh tests/run.sh"})],
      integrity: DEFAULT_CONFIG.integrity,
    },
    ...{files: {"tests/run.sh": script.replace("name ]", "name ] || echo other")}, withBaseline: true},
  });
  expect(verdict.kind).toBe("tampered");
  expect(findings.map(({check, level, line}) => [check, level, line])).toEqual([["unnoticed-failures", "block", 3]]);
});

describe("a check that passes only with changed files is a flag", () => {
  it("of a helper of the tests, once though two checks run the tests", async () => {
    const base = {
      ...LINTED,
      "tests/equal.js":
        'import assert from "node:assert/strict";\nexport const equal = (a, b) => assert.equal(a, b);\n',
      "tests/sum.test.js": TESTS.replace('assert from "node:assert/strict"', '{equal} from "./equal.js"').replace(
        "assert.equal",
        "equal",
      ),
    };
    const files = {
      "tests/equal.js":
        'import assert from "node:assert/strict";\nexport const equal = (a, b) => assert.equal(typeof a, typeof b);\n',
      "src/sum.js": SUM.replace(", 0)", ", 1)"),
    };
    const {replayed} = await replay(base, files, {stages: [test, {...test, name: "test-2"}]});
    expect(replayed).toEqual([
      "flag tests/equal.js: Tests that pass with this change fail with the default branch's `tests/equal.js`: `sums`",
    ]);
  });

  if (isSweep)
    it("of a copy of the product in the tests, behind a new name of the tested function", async () => {
      const files = {
        "tests/sum.test.js": TESTS.replace("sum(", "total(").replace(
          /import {sum}.*\n/,
          `${SUM.replace("export const sum", "const total")}`,
        ),
        "src/sum.js": SUM.replace("sum", "total").replace(", 0)", ", 1)"),
      };
      const {replayed} = await replay(LINTED, files, {stages: [test]});
      expect(replayed).toEqual([
        expect.stringMatching(/^flag tests\/sum\.test\.js: Tests of the default branch fail on this change: `sums`; /),
      ]);
    });

  it("of no honest new name, in tests and their helper", async () => {
    const helper = 'import {sum} from "../src/sum.js";\nexport const all = () => sum([1, 2]);\n';
    const base = {
      ...LINTED,
      "tests/all.js": helper,
      "tests/sum.test.js": TESTS.replace('{sum} from "../src/sum.js"', '{all} from "./all.js"').replace(
        "sum([1, 2])",
        "all()",
      ),
    };
    const files = {
      "tests/all.js": helper.replaceAll("sum}", "total}").replace("sum(", "total("),
      "src/sum.js": SUM.replace("sum", "total"),
    };
    expect((await replay(base, files, {stages: [test]})).replayed).toEqual([]);
  });

  if (isSweep)
    it("of a set-up that hides a failure behind a new name of the tested function", async () => {
      const helper = "export const mend = (all) => all;\n";
      const tests = TESTS.replace("../src/sum.js", "./mend.js").replace(
        "\ntest(",
        'import * as all from "../src/sum.js";\nconst {sum} = mend(all);\n\ntest(',
      );
      const base = {
        ...LINTED,
        "tests/mend.js": helper,
        "tests/sum.test.js": tests.replace("{sum} from", "{mend} from"),
      };
      const files = {
        "tests/mend.js": "export const mend = () => ({total: () => 3});\n",
        "tests/sum.test.js": base["tests/sum.test.js"].replace("{sum}", "{total}").replace("sum(", "total("),
        "src/sum.js": SUM.replace("sum", "total").replace(", 0)", ", 1)"),
      };
      const {replayed} = await replay(base, files, {stages: [test]});
      expect(replayed.filter((one) => one.startsWith("flag"))).toEqual([
        "flag tests/mend.js: Tests of the default branch fail on this change: `sums`; the change's own tests pass, with another `tests/mend.js`",
      ]);
    });

  it("of a module at the root that Python finds before that of the sources", async () => {
    const core = "def total(values):\n    return sum(values)\n";
    const base = {
      "src/calc.py": core,
      "test_calc.py":
        "import unittest\n\nfrom calc import total\n\n\nclass TestTotal(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n",
    };
    const python = stageOf({name: "test", kind: "test", command: "PYTHONPATH=src python3 -m unittest"});
    const files = {"calc.py": core, "src/calc.py": core.replace("sum(values)", "0")};
    const {replayed} = await replay(base, files, {stages: [python]});
    expect(replayed).toEqual([expect.stringMatching(/^flag calc\.py: Tests that pass with this change fail with/)]);
  });

  it("of a linter whose list lost a word, which its program reads", async () => {
    const files = {"tools/forbidden.txt": "Function(\n", "src/more.js": "export const more = (text) => eval(text);\n"};
    const {verdict, runs, replayed} = await replay(LINTED, files, {stages: [lint]});
    expect(replayed).toEqual([
      "flag tools/forbidden.txt: `lint` passes only with the changed `tools/forbidden.txt`; with the default branch's it fails: src/more.js:1 eval( is not allowed",
    ]);
    expect({verdict, runs}).toEqual({verdict: "verified", runs: {lint: 3}});
  });

  if (isSweep)
    it("of a script that swallows the exit code", async () => {
      const files = {
        "scripts/lint.sh": 'set -e\nif ! node tools/lint.js; then echo "see above"; fi\n',
        "src/more.js": "export const more = (text) => eval(text);\n",
      };
      const {replayed} = await replay(LINTED, files, {stages: [lint]});
      expect(replayed).toMatchObject([
        expect.stringMatching(/^flag scripts\/lint\.sh: `lint` passes only with .*src\/more\.js:1/),
      ]);
    });

  it("of a type check whose configuration is two files away", async () => {
    const files = {
      "config/base.json": JSON.stringify({compilerOptions: {...OPTIONS, strict: false}}),
      "src/name.ts": LOOSE,
    };
    const {replayed} = await replay(TYPED, files, {stages: [types]});
    expect(replayed).toEqual([
      expect.stringMatching(/^flag config\/base\.json: `types` passes only .*src\/name\.ts:1 'name' is possibly/),
    ]);
  });
});

describe("a test without a report, which only passes or fails", () => {
  const make = stageOf({name: "test", kind: "test", command: "make -s test"});
  const base = {
    Makefile: "SOURCES = src/sum.sh\n\ntest:\n\tsh tests/run.sh $(SOURCES)\n",
    "src/sum.sh": "sum() { echo $(($1 + $2)); }\n",
    "tests/run.sh": 'for one in "$@"; do . "./$one"; done\n[ "$(sum 1 2)" = 3 ]\n',
  };

  it("is a flag if its recipe hides the failure", async () => {
    const files = {
      Makefile: base.Makefile.replace("$(SOURCES)", "$(SOURCES) || date"),
      "src/sum.sh": "sum() { echo $(($1 - $2)); }\n",
    };
    const {replayed} = await replay(base, files, {stages: [make]});
    expect(replayed).toMatchObject([
      expect.stringMatching(/^flag Makefile: `test` passes only with the changed `Makefile`/),
    ]);
  });

  it("is a note if the recipe names a source that the change adds", async () => {
    const files = {
      Makefile: base.Makefile.replace("src/sum.sh", "src/less.sh src/sum.sh"),
      "src/sum.sh": "sum() { echo $(($1 + $2 + 1 - LESS)); }\n",
      "src/less.sh": "LESS=1\n",
    };
    const {replayed} = await replay(base, files, {stages: [make]});
    expect(replayed).toMatchObject([
      expect.stringMatching(/^note Makefile: .* they do not name the new `src\/less\.sh`/),
    ]);
  });
});

it("finds tests that a new makefile hides, and says what no run shows of a program of the checks", async () => {
  const base = {...LINTED, Makefile: "check:\n\tnode tools/lint.js\n\tnode --test tests/*.test.js\n"};
  const check = stageOf({name: "check", kind: "check", command: "make check"});
  await using workshop = await openWorkshop(base);
  const options = {stages: [check], withBaseline: true, integrity: DEFAULT_CONFIG.integrity};
  const hidden = await workshop.look({...options, files: {GNUmakefile: "check:\n\tnode tools/lint.js\n"}});
  expect(hidden.findings).toContainEqual(expect.objectContaining({check: "lost-tests", level: "flag"}));
  const files = {GNUmakefile: "include Makefile\n", "tools/lint.js": LINT.replace("index + 1", "index")};
  const changed = await workshop.look({...options, files});
  expect(changed.findings?.map(({check, level, path}) => `${check} ${level} ${path}`)).toEqual([
    "scripts note tools/lint.js",
  ]);
});

it("finds Rust tests that move into the source, next to which the replay runs the earlier ones", async () => {
  const source = "pub fn double(n: i32) -> i32 {\n    n * 2\n}\n";
  const doubles = "#[test]\nfn doubles() {\n    assert_eq!(double(2), 4);\n}\n";
  const base = {
    "Cargo.toml": '[package]\nname = "double"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": source,
    "tests/double.rs": `use double::double;\n\n${doubles}`,
  };
  await using workshop = await openWorkshop(base, {home: realHome()});
  const {findings} = await workshop.look({
    ...{stages: [stageOf({name: "test", kind: "test", command: "cargo test --offline"})], withBaseline: true},
    ...{integrity: DEFAULT_CONFIG.integrity},
    files: {
      "tests/double.rs": "// See `src/lib.rs`.\n",
      "src/lib.rs": `${source}\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${doubles}}\n`,
    },
  });
  expect(findings?.filter(({check}) => check === "lost-tests")).toEqual([]);
});

it("installs the base's packages for tests if a folder takes the place of one", async () => {
  const files = {
    "package.json": packageWith("quick"),
    "src/mean.js": "export const mean = (list) => Math.round(list.reduce((all, one) => all + one, 0) / list.length);\n",
  };
  const {replayed} = await replay(PACKAGED, files, {stages: [test], setup: [install]});
  expect(replayed).toEqual([
    "flag package.json: Tests that pass with this change fail with the default branch's `package.json`: `takes the mean`",
  ]);
});

it("takes data from the base that only its tests name", async () => {
  const base = {
    ...LINTED,
    "cases/sums.json": "[[[1, 2], 3],\n[[], 0]]\n",
    "tests/sum.test.js": `import test from "node:test";
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {sum} from "../src/sum.js";

test("sums all cases", () => {
  for (const [list, wanted] of JSON.parse(readFileSync("cases/sums.json"))) assert.equal(sum(list), wanted);
});
`,
  };
  const files = {
    "cases/sums.json": "[[[1, 2], 3]]\n",
    "src/sum.js": "export const sum = (list) => list.slice(1).reduce((all, one) => all + one, list[0]);\n",
  };
  const {replayed} = await replay(base, files, {stages: [test]});
  expect(replayed).toEqual([
    expect.stringMatching(
      /^flag cases\/sums\.json: A test of the default branch fails .* without what it removes from this data$/,
    ),
  ]);
});

describe("an honest change", () => {
  it("runs nothing again if it touches no gate, and nothing on the base if the replay passes", async () => {
    const plain = await replay(LINTED, {"src/more.js": "export const more = 1;\n"}, {stages: [lint, test]});
    expect(plain).toEqual({verdict: "verified", runs: {lint: 1, test: 1}, replayed: []});
    const stricter = {"tools/forbidden.txt": "eval(\nFunction(\nalert(\n"};
    const {runs, replayed} = await replay(LINTED, stricter, {stages: [lint]});
    expect({runs, replayed}).toEqual({runs: {lint: 2}, replayed: []});
  });

  it("gets a note if it adds what the base's configuration does not find", async () => {
    const files = {
      "config/base.json": JSON.stringify({compilerOptions: {...OPTIONS, paths: {kit: ["../kit/kit.ts"]}}}),
      "kit/kit.ts": "export const isSame = (a: unknown, b: unknown): boolean => a === b;\n",
      "tests/name.test.ts": 'import {isSame} from "kit";\nexport const isRight: boolean = isSame(1, 1);\n',
    };
    const {replayed} = await replay(TYPED, files, {stages: [types]});
    expect(replayed).toEqual([
      expect.stringMatching(/^note config\/base\.json: .*uses what the change adds.*Cannot find module 'kit'/),
    ]);
  });
});
