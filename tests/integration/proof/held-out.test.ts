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
