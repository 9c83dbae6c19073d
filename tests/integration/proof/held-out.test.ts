/** Of the tests that a second session writes, exactly those count that fail on the base because of what the request asks for. */
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {judgeHeldOut, runHeldOut} from "../../../src/proof/held-out/judge-tests.ts";
import {countedTests, type HeldOutTest} from "../../../src/record/held-out.ts";
import {isSweep} from "../../sweep.ts";
import {openWorkshop, realHome, stageOf} from "../verify/workshop.ts";

type Files = Readonly<Record<string, string>>;

interface World {
  readonly command: string;
  readonly base: Files;
  readonly tests: Files;
  readonly request: string;
  readonly env?: Readonly<Record<string, string>>;
}

const REQUEST =
  "Add `double` to the file of `sum`: twice its argument, and `half` in src/half.js. `sum` adds all of its arguments, not only two.";

async function openWorld({command, base, tests, request, env = {}}: World) {
  const shop = await openWorkshop(base, {home: realHome()});
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const stage = stageOf({name: "test", kind: "test", command, timeout: 300, env});
  const opened = await shop.open({stages: [stage], files: tests});
  onTestFinished(() => opened.checkouts.dispose());
  const about = {...opened, base: opened.candidate.base, commit: opened.candidate.commit, request};
  return {shop, stage, about};
}

const judge = async (world: World) => judgeHeldOut((await openWorld(world)).about);

const reasons = (rows: readonly HeldOutTest[]) =>
  Object.fromEntries(rows.map((row) => [row.name || row.path, row.uncounted?.reason ?? "counts"]));

const SUM = "export function sum(a, b) {\n  return a + b;\n}\n\nexport const product = (a, b) => a * b;\n";
const NODE_HEAD = `import assert from "node:assert/strict";
import {existsSync, writeFileSync} from "node:fs";
import {test} from "node:test";
import * as calc from "../src/sum.js";

const {sum, product} = calc;
`;

const NODE: World = {
  command: "node --test",
  base: {"package.json": '{"type": "module"}', "src/sum.js": SUM, "src/other.js": "export const other = 1;\n"},
  request: REQUEST,
  tests: {
    "tests/loads.test.js": `${NODE_HEAD}
test("right", () => assert.equal(sum(1, 2, 3), 6));
test("right and only a part of it is missing", () => assert.equal(sum(2, 2) + sum(1, 1, 1), 7));
test("right by a missing function", () => assert.equal(calc.double(4), 8));
test("passes", () => assert.equal(sum(1, 2), 3));
const twoAndOne = () => sum(1, 1, 1);
test("right through a helper", () => assert.equal(twoAndOne(), 3));
test("flaky", () => {
  const isSecond = existsSync("ran-before");
  writeFileSync("ran-before", "");
  assert.equal(sum(1, 2), isSecond ? 3 : 4);
});
test("about another function", () => assert.equal(product(2, 3), 7));
test("about a name of its own", () => assert.equal(calc.triple(2), 6));
test("throws before its assertion", () => {
  const all = JSON.parse("expected");
  assert.equal(sum(1, 2, 3), all);
});
test("asserts nothing", () => void sum(1, 2, 3));
test("is skipped", {skip: true}, () => assert.equal(sum(1, 2, 3), 6));
test("uses an undefined name", () => assert.equal(sum(1, 2, missing), 6));
`,
    "tests/import.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {double, product} from "../src/sum.js";

test("right by a missing export", () => assert.equal(double(4), 8));
test("other in the file of a missing export", () => assert.equal(product(2, 3), 7));
`,
    "tests/wrong.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {double} from "../src/double.js";

test("wrong import", () => assert.equal(double(4), 8));
`,
    "tests/other.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../src/other.js";

test("import of a name that another file has", () => assert.equal(sum(1, 2, 3), 6));
`,
    "tests/half.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {half} from "../src/half.js";

test("right by a missing file", () => assert.equal(half(4), 2));
`,
    "tests/root.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {half} from "../half.js";

test("a missing file in another folder", () => assert.equal(half(4), 2));
`,
    "tests/package.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import sinon from "sinon";
import {sum} from "../src/sum.js";

test("a package that is not installed", () => assert.equal(sum(sinon.fake(), 2, 3), 6));
`,
    "tests/syntax.test.js": 'import {test} from "node:test";\n\ntest("syntax", () => {\n',
    "tests/twice.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../src/sum.js";

const all = sum(1, 2, 3);
export const one = 1;
export const one = 2;
test("declared twice", () => assert.equal(all, 6));
`,
  },
};

test("node:test: exactly the right ones count", async () => {
  expect(reasons(await judge(NODE))).toEqual({
    right: "counts",
    "right and only a part of it is missing": "counts",
    "right by a missing function": "counts",
    passes: "passes",
    "right through a helper": "counts",
    flaky: "flaky",
    "about another function": "unrelated",
    "about a name of its own": "missing-name",
    "throws before its assertion": "error",
    "asserts nothing": "cannot-fail",
    "is skipped": "cannot-fail",
    "uses an undefined name": "missing-name",
    "right by a missing export": "counts",
    "other in the file of a missing export": "unrelated",
    "wrong import": "import",
    "import of a name that another file has": "import",
    "right by a missing file": "counts",
    "a missing file in another folder": "import",
    "a package that is not installed": "import",
    "tests/syntax.test.js": "syntax",
    "declared twice": "syntax",
  });
});

const PYTEST: World = {
  command: "python3 -m pytest -q",
  base: {
    "calc.py": "def sum_all(a, b):\n    return a + b\n\n\ndef product(a, b):\n    assert a > 0\n    return a * b\n",
  },
  request:
    "Add `double` to calc.py. `sum_all(1, 2, c=3)` is 6, and sum_all(2, 2) is 5. Product of a negative number: `product`.",
  tests: {
    "test_loads.py": `import os
import calc


def test_right():
    assert calc.sum_all(2, 2) == 5


def test_right_by_an_attribute():
    assert calc.double(4) == 8


class TestGroup:
    def test_right_in_a_class(self):
        assert calc.sum_all(2, 2) == 5, "with a message"


def test_passes():
    assert calc.sum_all(1, 2) == 3


def test_flaky():
    is_second = os.path.exists("ran-before")
    open("ran-before", "w").close()
    assert calc.sum_all(1, 2) == (3 if is_second else 4)


def test_asserted_by_the_code():
    assert calc.product(-1, 2) == -2


def test_own_name():
    assert calc.triple(2) == 6


def test_raises():
    assert calc.sum_all(2, int("assert")) == 5
`,
    "test_import.py": "from calc import double\n\n\ndef test_right_by_an_import():\n    assert double(4) == 8\n",
    "test_wrong.py": "from double import double\n\n\ndef test_wrong_import():\n    assert double(4) == 8\n",
    "test_syntax.py": "def test_syntax(:\n    assert double(4) == 8\n",
  },
};

test("pytest: exactly the right ones count", async () => {
  expect(reasons(await judge(PYTEST))).toEqual({
    test_right: "counts",
    test_right_by_an_attribute: "counts",
    "TestGroup > test_right_in_a_class": "counts",
    test_passes: "passes",
    test_flaky: "flaky",
    test_asserted_by_the_code: "error",
    test_own_name: "missing-name",
    test_raises: "error",
    test_right_by_an_import: "counts",
    test_wrong_import: "import",
    "test_syntax.py": "syntax",
  });
});

const VITEST: World = {
  command: "vitest run",
  base: NODE.base,
  request: REQUEST,
  tests: {
    "tests/loads.test.js": `import {expect, test} from "vitest";
import {double, product, sum} from "../src/sum.js";

test("right", () => expect(sum(1, 2, 3)).toBe(6));
test("right by a missing export", () => expect(double(4)).toBe(8));
test("passes", () => expect(sum(1, 2)).toBe(3));
test("about another function", () => expect(product(2, 3)).toBe(7));
test("throws before its assertion", () => expect(sum(1, 2, JSON.parse("expected"))).toBe(6));
`,
    "tests/wrong.test.js": `import {expect, test} from "vitest";
import {sum} from "../src/sums.js";

test("wrong import", () => expect(sum(1, 2, 3)).toBe(6));
`,
  },
};

if (isSweep)
  test("Vitest: exactly the right ones count", async () => {
    expect(reasons(await judge(VITEST))).toEqual({
      right: "counts",
      "right by a missing export": "counts",
      passes: "passes",
      "about another function": "unrelated",
      "throws before its assertion": "error",
      "wrong import": "import",
    });
  });

const goTest = (name: string, body: string) => `func ${name}(t *testing.T) {\n\t${body}\n}\n`;
const goFile = (...tests: string[]) => ["package calc\n", 'import "testing"\n', ...tests].join("\n");
const GO: World = {
  command: "go test ./...",
  base: {
    "go.mod": "module example.com/calc\n\ngo 1.21\n",
    "calc.go":
      "package calc\n\nfunc Add(a, b int) int { return a - b }\n\nfunc Product(a, b int) int { return a * b }\n",
  },
  request: "`Add` subtracts. Add `Double` as well.",
  tests: {
    "loads_test.go": goFile(
      goTest("TestRight", 'if got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d, want 3", got)\n\t}'),
      goTest("TestPasses", 'if Add(1, 0) != 1 {\n\t\tt.Error("no")\n\t}'),
      goTest("TestOther", 'if Product(2, 3) != 7 {\n\t\tt.Error("no")\n\t}'),
    ),
    "panics_test.go": goFile(
      goTest("TestPanics", 'var none []int\n\tif Add(1, none[2]) != 3 {\n\t\tt.Error("expected 3")\n\t}'),
    ),
    "double_test.go": goFile(goTest("TestDouble", 'if Double(4) != 8 {\n\t\tt.Error("no")\n\t}')),
    "triple_test.go": goFile(goTest("TestTriple", 'if Double(4) != 8 || Triple(2) != 6 {\n\t\tt.Error("no")\n\t}')),
    "unused_test.go": goFile(goTest("TestUnused", 'left := 1\n\tif Double(4) != 8 {\n\t\tt.Error("no")\n\t}')),
  },
};

if (isSweep)
  test("Go: exactly the right ones count", async () => {
    const cache = await mkdtemp(join(tmpdir(), "assay-go-"));
    onTestFinished(() => rm(cache, {recursive: true, force: true}));
    expect(reasons(await judge({...GO, env: {GOCACHE: cache}}))).toEqual({
      TestRight: "counts",
      TestPasses: "passes",
      TestOther: "unrelated",
      TestPanics: "error",
      TestDouble: "counts",
      TestTriple: "import",
      TestUnused: "syntax",
    });
  });

const DOUBLE = "\nexport const double = (a) => 2 * a;\n";
const RIGHT_SUM = SUM.replace("(a, b) {\n  return a + b;", "(...all) {\n  return all.reduce((a, b) => a + b);");

test.each([
  ["right one passes", `${RIGHT_SUM}${DOUBLE}`, ["passes", "passes", "passes", "passes"]],
  ["one without the requested name fails", RIGHT_SUM, ["passes", "passes", "fails", "fails"]],
  ["wrong one fails", `${SUM}${DOUBLE}`, ["fails", "fails", "passes", "passes"]],
  ["one that cannot be loaded shows nothing", "export const {", ["unknown", "unknown", "unknown", "unknown"]],
])("of the candidates, the %s", async (_, sum, results) => {
  const {shop, stage, about} = await openWorld(NODE);
  const rows = COUNTED.map((row) => ({...row, text: "", about: [], uncounted: null}));
  const {head} = await shop.open({
    stages: [stage],
    // A test of the agent with the same name has no effect.
    files: {"src/sum.js": sum, "tests/import.test.js": "throw new Error();\n"},
  });
  const ran = await runHeldOut(about, {candidate: head.commit, rows});
  expect(countedTests({tests: ran}).map(({onCandidate}) => onCandidate)).toEqual(results);
});

const COUNTED = [
  {path: "tests/loads.test.js", name: "right", line: 8},
  {path: "tests/loads.test.js", name: "right and only a part of it is missing", line: 9},
  {path: "tests/loads.test.js", name: "right by a missing function", line: 10},
  {path: "tests/import.test.js", name: "right by a missing export", line: 5},
];

const COMMON: World = {
  command: "node --test",
  base: {"package.json": "{}", "src/sum.js": "exports.sum = (a, b) => a + b;\nexports.product = (a, b) => a * b;\n"},
  request: REQUEST,
  tests: {
    "tests/loads.test.js": `const assert = require("node:assert/strict");
const {test} = require("node:test");
const {double, product, sum} = require("../src/sum.js");

test("right", () => assert.equal(sum(1, 2, 3), 6));
test("right by a missing export", () => assert.equal(double(4), 8));
test("passes", () => assert.equal(sum(1, 2), 3));
test("about another function", () => assert.equal(product(2, 3), 7));
`,
  },
};

test("functions that are assigned to exports: exactly the right ones count", async () => {
  expect(reasons(await judge(COMMON))).toEqual({
    right: "counts",
    "right by a missing export": "counts",
    passes: "passes",
    "about another function": "unrelated",
  });
});

const RUST: World = {
  command: "cargo test",
  base: {
    "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
    "src/lib.rs":
      "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\npub fn product(a: i32, b: i32) -> i32 {\n    a * b\n}\n",
  },
  request: "`add` subtracts. Add `double` as well.",
  tests: {
    "tests/loads.rs": `use calc::{add, product};

#[test]
fn right() {
    assert_eq!(add(1, 2), 3);
}

#[test]
fn right_by_a_message() {
    assert!(add(1, 2) == 3, "1 and 2 are 3");
}

#[test]
fn passes() {
    assert_eq!(add(1, 0), 1);
}

#[test]
fn other() {
    assert_eq!(product(2, 3), 7);
}

#[test]
fn panics() {
    let none: Vec<i32> = Vec::new();
    assert_eq!(add(1, none[2]), 3);
}
`,
    "tests/double.rs": "use calc::double;\n\n#[test]\nfn by_a_missing_function() {\n    assert_eq!(double(4), 8);\n}\n",
    "tests/triple.rs": "use calc::triple;\n\n#[test]\nfn own_name() {\n    assert_eq!(triple(4), 12);\n}\n",
    "tests/types.rs": 'use calc::add;\n\n#[test]\nfn wrong_type() {\n    assert_eq!(add(1, "2"), 3);\n}\n',
  },
};

// A message of its own hides whether a comparison failed, and the tests of a binary that did not start are not told apart.
if (isSweep)
  test("cargo: no wrong one counts", async () => {
    expect(reasons(await judge(RUST))).toEqual({
      right: "counts",
      right_by_a_message: "error",
      passes: "not-run",
      other: "unrelated",
      panics: "error",
      by_a_missing_function: "counts",
      own_name: "import",
      wrong_type: "syntax",
    });
  });

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>demo</groupId><artifactId>calc</artifactId><version>1</version>
  <properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.12.2</version><scope>test</scope></dependency></dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version></plugin>
  <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
  <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin></plugins></build>
</project>
`;
const javaTest = (name: string, ...tests: string[]) =>
  `package demo;\n\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n\nclass ${name} {\n${tests.join("\n")}}\n`;
const junit = (name: string, body: string) => `  @Test\n  void ${name}() {\n    ${body}\n  }\n`;
const JAVA: World = {
  command: "mvn -B -ntp test",
  base: {
    "pom.xml": POM,
    "src/main/java/demo/Calc.java":
      "package demo;\n\npublic class Calc {\n  public static int add(int a, int b) {\n    return a - b;\n  }\n\n  public static int product(int a, int b) {\n    return a * b;\n  }\n}\n",
  },
  request: "`add` subtracts. Add `twice` as well.",
  tests: {
    "src/test/java/demo/LoadsTest.java": javaTest(
      "LoadsTest",
      junit("right", "assertEquals(3, Calc.add(1, 2));"),
      junit("passes", "assertEquals(1, Calc.add(1, 0));"),
      junit("other", "assertEquals(7, Calc.product(2, 3));"),
      junit("raises", "int[] none = {};\n    assertEquals(3, Calc.add(1, none[2]));"),
    ),
    "src/test/java/demo/TwiceTest.java": javaTest(
      "TwiceTest",
      junit("byAMissingMethod", "assertEquals(8, Calc.twice(4));"),
    ),
    "src/test/java/demo/ThriceTest.java": javaTest("ThriceTest", junit("ownName", "assertEquals(12, Calc.thrice(4));")),
    "src/test/java/demo/TypesTest.java": javaTest(
      "TypesTest",
      junit("wrongType", 'assertEquals(3, Calc.add(1, "2"));'),
    ),
  },
};

if (isSweep)
  test("Maven: exactly the right ones count", async () => {
    expect(reasons(await judge(JAVA))).toEqual({
      "LoadsTest > right": "counts",
      "LoadsTest > passes": "passes",
      "LoadsTest > other": "unrelated",
      "LoadsTest > raises": "error",
      "TwiceTest > byAMissingMethod": "counts",
      "ThriceTest > ownName": "import",
      "TypesTest > wrongType": "syntax",
    });
  });
