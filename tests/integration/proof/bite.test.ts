/** New tests are run on the base's sources, with the real runner of each language. */
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {readChange} from "../../../src/integrity/read-change.ts";
import {findBite} from "../../../src/proof/bite/bite.ts";
import {runChosenTests} from "../../../src/proof/bite/run-chosen-tests.ts";
import type {BiteTest} from "../../../src/record/bite.ts";
import {isSweep} from "../../sweep.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

/** The bite of a change, after a real run of its tests on the candidate. */
async function biteOf(options: {command: string; base: Files; files: Files; cwd?: string}): Promise<BiteTest[] | null> {
  await using shop = await openWorkshop(options.base, {home: realHome()});
  const stage = stageOf({name: "test", kind: "test", command: options.command, timeout: 300});
  const opened = await shop.open({stages: [stage], files: options.files});
  const {candidate, checkouts, plan, signal, repository} = opened;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) throw new Error("no change");
  const commit = candidate.commit;
  const ran = await runChosenTests({
    checkouts,
    repository,
    plan,
    commit,
    runs: [{stage, command: stage.command}],
    signal,
  });
  if (!ran.ok) throw new Error(ran.failure);
  expect(ran.value).toMatchObject([{outcome: "passed"}]);
  const bite = await findBite({
    candidate,
    change: change.value,
    plan,
    stages: ran.value,
    checkouts,
    repository,
    signal,
  });
  await checkouts.dispose();
  return bite?.tests ?? null;
}

const briefly = (tests: BiteTest[] | null) =>
  tests?.map(({name, onBase}) => `${name}: ${onBase.kind === "passes" ? "passes" : onBase.why}`);

const NODE = {
  "package.json": '{"type": "module"}',
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "test/add.test.js": `import {test} from "node:test";
import assert from "node:assert";
import {add} from "../src/add.js";
test("adds nothing", () => assert.equal(add(1, 0), 1));
`,
};

test("JavaScript: a test of the fix fails on the base, one of what worked passes there", async () => {
  const bite = await biteOf({
    command: "node --test",
    base: NODE,
    files: {
      "src/add.js": "export const add = (a, b) => a + b;\nexport const twice = (a) => a + a;\n",
      "test/add.test.js": `${NODE["test/add.test.js"]}
test("adds", () => assert.equal(add(1, 2), 3));
test("adds zero", () => assert.equal(add(2, 0), 2));
`,
      "test/twice.test.js": `import {test} from "node:test";
import assert from "node:assert";
import {twice} from "../src/add.js";
test("doubles", () => assert.equal(twice(2), 4));
`,
    },
  });
  expect(briefly(bite)).toEqual(["adds: assertion", "adds zero: passes", "doubles: not-loaded"]);
});

test("nothing is run if only tests change", async () => {
  const files = {"test/more.test.js": 'import {test} from "node:test";\ntest("more", () => {});\n'};
  expect(await biteOf({command: "node --test", base: NODE, files})).toBeNull();
});

if (isSweep)
  test("Python: assertion, missing attribute and failed import are told apart", async () => {
    const bite = await biteOf({
      command: "python3 -m pytest -q",
      base: {
        "calc.py": "def add(a, b):\n    return a - b\n",
        "test_calc.py": "import calc\n\n\ndef test_none():\n    assert calc.add(0, 0) == 0\n",
      },
      files: {
        "calc.py": "def add(a, b):\n    return a + b\n\n\ndef twice(a):\n    return 2 * a\n",
        "test_calc.py":
          "import calc\n\n\ndef test_none():\n    assert calc.add(0, 0) == 0\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n\n\ndef test_twice():\n    assert calc.twice(2) == 4\n\n\ndef test_zero():\n    assert calc.add(3, 0) == 3\n",
        "test_more.py":
          "from calc import twice\n\n\nclass TestMore:\n    def test_more(self):\n        assert twice(1) == 2\n",
      },
    });
    expect(briefly(bite)?.sort()).toEqual([
      "TestMore > test_more: not-loaded",
      "test_add: assertion",
      "test_twice: missing",
      "test_zero: passes",
    ]);
  });

if (isSweep)
  test("Go: a test of the fix fails, and a missing function does not compile", async () => {
    const base = {
      "go.mod": "module example.com/calc\n\ngo 1.21\n",
      "calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n",
      "calc_test.go":
        'package calc\n\nimport "testing"\n\nfunc TestNone(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal("none")\n\t}\n}\n',
    };
    const added =
      'func TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d, want 3", got)\n\t}\n}\n';
    const fixed = "package calc\n\nfunc Add(a, b int) int { return a + b }\n";
    const files = {"calc.go": fixed, "calc_test.go": `${base["calc_test.go"]}\n${added}`};
    expect(briefly(await biteOf({command: "go test ./...", base, files}))).toEqual(["TestAdd: assertion"]);
    const twice = 'func TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal("no")\n\t}\n}\n';
    const more = {
      "calc.go": `${fixed}\nfunc Twice(a int) int { return 2 * a }\n`,
      "calc_test.go": `${base["calc_test.go"]}\n${twice}`,
    };
    expect(briefly(await biteOf({command: "go test ./...", base, files: more}))).toEqual(["TestTwice: not-loaded"]);
  });

if (isSweep)
  test("Rust: tests inside of a source are moved to the base's source", async () => {
    const source = (body: string, tests: string) =>
      `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n${tests}}\n`;
    const none = "    #[test]\n    fn none() {\n        assert_eq!(add(0, 0), 0);\n    }\n";
    const fix = "    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n";
    const bite = await biteOf({
      command: "cargo test --offline",
      base: {
        "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": source("a - b", none),
      },
      files: {"src/lib.rs": source("a + b", none + fix)},
    });
    expect(briefly(bite)).toEqual(["tests > adds: assertion"]);
  });

test("a verification has the result, and `require` does not accept a change whose new tests pass without it", async () => {
  await using shop = await openWorkshop(NODE, {home: realHome()});
  const stages = [stageOf({name: "test", kind: "test", command: "node --test"})];
  const look = (title: string, expression: string, bite: "off" | "report" | "require") =>
    shop.look({
      stages,
      files: {
        "src/add.js": "export const add = (a, b) => a + b;\n",
        "test/add.test.js": `${NODE["test/add.test.js"]}test("${title}", () => assert.equal(${expression}));\n`,
      },
      integrity: {...DEFAULT_CONFIG.integrity, bite},
    });
  const good = await look("adds", "add(1, 2), 3", "require");
  expect([good.verdict.kind, briefly(good.bite?.tests ?? null)]).toEqual(["verified", ["adds: assertion"]]);
  const idle = await look("adds zero", "add(2, 0), 2", "require");
  expect([idle.verdict.kind, briefly(idle.bite?.tests ?? null)]).toEqual(["tampered", ["adds zero: passes"]]);
  expect(idle.findings).toMatchObject([{check: "new-tests", level: "block", path: "test/add.test.js", line: 5}]);
  expect(idle.bite?.faults).toEqual({noticed: 0, notNoticed: 1});
  const off = await look("adds zero", "add(2, 0), 2", "off");
  expect([off.verdict.kind, off.bite]).toEqual(["verified", undefined]);
});

if (isSweep)
  test("`require` accepts new tests of a refactoring, which notice a fault, also next to a test that notices it", async () => {
    const source = {"src/add.js": "export const add = (a, b) => a - -b;\n"};
    const older = `${NODE["test/add.test.js"]}test("adds", () => assert.equal(add(1, 2), 3));\n`;
    await using shop = await openWorkshop({...NODE, ...source, "test/add.test.js": older}, {home: realHome()});
    const look = (expression: string) =>
      shop.look({
        stages: [stageOf({name: "test", kind: "test", command: "node --test"})],
        files: {
          "src/add.js": "export const add = (a, b) => a + b;\n",
          "test/add.test.js": `${older}test("adds more", () => assert.equal(${expression}));\n`,
        },
        integrity: {...DEFAULT_CONFIG.integrity, bite: "require"},
      });
    const tested = await look("add(2, 2), 4");
    expect([tested.verdict.kind, tested.bite?.faults]).toEqual(["verified", {noticed: 1, notNoticed: 0}]);
    expect(tested.findings?.filter(({check}) => check === "new-tests")).toEqual([]);
    // The fault makes the older test fail, which says nothing about the new one.
    const vacuous = await look("add(2, 0), 2");
    expect([vacuous.verdict.kind, vacuous.bite?.faults]).toEqual(["tampered", {noticed: 0, notNoticed: 1}]);
  });
