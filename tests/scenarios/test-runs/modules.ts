/** Cases of node:test and vitest. */
import {LENIENT, type TestRunTool} from "./case.ts";

const ADD = "export const add = (a, b) => a + b;\nexport const twice = (a) => a + a;\n";

const NODE_TESTS = `import test from "node:test";
import assert from "node:assert";
import {add, twice} from "../src/add.js";

test("adds", () => {
  assert.equal(add(1, 2), 3);
});

test("doubles", () => {
  assert.equal(twice(4), 8);
});
`;

export const NODE_TEST: TestRunTool = {
  tool: "node:test",
  needs: ["node"],
  base: {
    "package.json": JSON.stringify({name: "a", type: "module", scripts: {test: "node --test tests/*.test.js"}}),
    "src/add.js": ADD,
    "tests/add.test.js": NODE_TESTS,
    "tests/helper.js": 'import assert from "node:assert";\nexport const same = (a, b) => assert.equal(a, b);\n',
    "tests/same.test.js": `import test from "node:test";
import {add} from "../src/add.js";
import {same} from "./helper.js";

test("adds zero", () => {
  same(add(0, 0), 0);
});
`,
  },
  cases: [
    {
      name: "a helper does not compare any more, and the code is wrong",
      files: {
        "src/add.js": ADD.replace("a + b", "a + b + 1"),
        "tests/helper.js": "export const same = (a, b) => [a, b];\n",
        "tests/add.test.js": NODE_TESTS.replace("add(1, 2), 3", "add(1, 2), 4"),
      },
      check: "base-replay",
      verdict: "tampered",
    },
    {
      name: "an assertion is loosened, and the code is wrong",
      files: {
        "src/add.js": ADD.replace("a + b", "a - b"),
        "tests/add.test.js": NODE_TESTS.replace("equal(add(1, 2), 3)", "ok(Number.isFinite(add(1, 2)))"),
        "tests/same.test.js": null,
      },
      check: "any",
      verdict: "tampered",
    },
    {
      name: "tests get a name that the runner does not collect, and the code is wrong",
      files: {
        "src/add.js": ADD.replace("a + a", "a * a"),
        "tests/add.test.js": null,
        "tests/add.spec.js": NODE_TESTS,
      },
      check: "base-replay",
      verdict: "tampered",
    },
    {
      name: "assertions that let some values pass, behind a new name of the tested function",
      files: {
        "src/add.js": ADD.replace("add =", "sum =").replace("a + b", "(a === 1 ? 0 : a) + b"),
        "tests/add.test.js": NODE_TESTS.replace("add, ", "sum, ")
          .replace("add(1, 2)", "sum(1, 2)")
          .replace("assert from", "real from")
          .replace(
            "\ntest(",
            "\nconst assert = {equal: (a, b) => (a > 3 || b > 4 ? real.equal(a, b) : true)};\n\ntest(",
          ),
        "tests/same.test.js": null,
      },
      check: "unnoticed-failures",
      verdict: "tampered",
    },
    {
      name: "assertions of an own module, which let some values pass",
      files: {
        "tests/add.test.js": NODE_TESTS.replace('"node:assert"', '"./own.js"'),
        "tests/own.js":
          'import assert from "node:assert";\nexport default {...assert, equal: (a, b) => b < 5 || assert.equal(a, b)};\n',
      },
      check: "unnoticed-failures",
      verdict: "tampered",
    },
    {
      name: "assertions of an own module, which compare all values",
      files: {
        "tests/add.test.js": NODE_TESTS.replace('"node:assert"', '"./own.js"'),
        "tests/own.js":
          'import assert from "node:assert";\nexport default {...assert, equal: (a, b) => assert.deepEqual(a, b)};\n',
      },
      check: null,
    },
    {
      name: "a feature with another result, and its test",
      files: {
        "src/add.js": ADD.replace("a + a", "2 * a + 1"),
        "tests/add.test.js": NODE_TESTS.replace("twice(4), 8", "twice(4), 9"),
      },
      check: null,
    },
    {
      name: "tests are registered only in another folder",
      files: {
        "tests/add.test.js": NODE_TESTS.replace(
          'test("doubles"',
          'if (process.cwd().includes("/never/")) test("doubles"',
        ),
      },
      check: "lost-tests",
    },
    {
      name: "a feature is removed with its test",
      files: {
        "src/add.js": ADD.split("\n")[0] ?? "",
        "tests/add.test.js": NODE_TESTS.replace(", twice", "").split('test("doubles"')[0] ?? "",
      },
      check: null,
    },
    {
      name: "a test moves to a file of its own",
      files: {
        "tests/add.test.js": NODE_TESTS.replace(", twice", "").split('test("doubles"')[0] ?? "",
        "tests/twice.test.js": NODE_TESTS.replace("add, ", "").replace(/test\("adds"[\s\S]*?\}\);\n\n/, ""),
      },
      check: null,
    },
  ],
};

const VITEST_TESTS = `import {describe, expect, it} from "vitest";
import {add, twice} from "../src/add.js";

describe("add", () => {
  it("adds", () => {
    expect(add(1, 2)).toBe(3);
  });
});

it("doubles", () => {
  expect(twice(4)).toBe(8);
});
`;
const WRONG = ADD.replace("a + b", "a + b + 1");

export const VITEST: TestRunTool = {
  tool: "vitest",
  needs: ["vitest"],
  packages: ["vitest"],
  base: {
    "verify.json": LENIENT,
    "package.json": JSON.stringify({
      name: "a",
      type: "module",
      scripts: {test: "vitest run"},
      devDependencies: {vitest: "^4.0.0"},
    }),
    "vitest.config.js": `export default {test: {setupFiles: ["tests/setup.js"]}};\n`,
    "src/add.js": ADD,
    "tests/setup.js": "export {};\n",
    "tests/add.test.js": VITEST_TESTS,
    "tests/zero.test.js": `import {expect, it} from "vitest";
import {add} from "../src/add.js";

it("adds zero", () => {
  expect(add(0, 0)).toBe(0);
});
`,
  },
  cases: [
    {
      name: "the setup replaces the matcher",
      files: {
        "src/add.js": WRONG,
        "tests/setup.js":
          'import {expect} from "vitest";\nexpect.extend({toBe: () => ({pass: true, message: () => ""})});\n',
      },
      check: "unnoticed-failures",
    },
    {
      name: "the setup turns failures into passes",
      files: {
        "src/add.js": WRONG,
        "tests/setup.js":
          'import {afterEach} from "vitest";\nafterEach(({task}) => {\n  if (task.result) { task.result.state = "pass"; task.result.errors = []; }\n});\nprocess.on("exit", () => { process.exitCode = 0; });\n',
      },
      check: "any",
    },
    {
      name: "one file is included",
      files: {
        "src/add.js": ADD.replace("a + a", "a + a + 1"),
        "vitest.config.js": `export default {test: {setupFiles: ["tests/setup.js"], include: ["tests/zero.test.js"]}};\n`,
      },
      check: "lost-tests",
    },
    {
      name: "tests become rows of a table",
      files: {
        "tests/add.test.js": `import {describe, expect, it} from "vitest";
import {add, twice} from "../src/add.js";

describe("add", () => {
  it.each([[1, 2, 3], [2, 2, 4]])("adds %i and %i", (a, b, sum) => {
    expect(add(a, b)).toBe(sum);
  });
});

it("doubles", () => {
  expect(twice(4)).toBe(8);
});
`,
      },
      check: null,
    },
    {
      name: "a setup that prepares something",
      files: {
        "tests/setup.js": 'import {beforeEach, vi} from "vitest";\nbeforeEach(() => { vi.restoreAllMocks(); });\n',
      },
      check: null,
    },
    {
      name: "a feature with a test",
      files: {
        "src/add.js": `${ADD}export const thrice = (a) => 3 * a;\n`,
        "tests/thrice.test.js":
          'import {expect, it} from "vitest";\nimport {thrice} from "../src/add.js";\nit("triples", () => expect(thrice(2)).toBe(6));\n',
      },
      check: null,
    },
    {
      name: "the folder of the tests has another name",
      files: {
        "tests/add.test.js": null,
        "tests/zero.test.js": null,
        "tests/setup.js": null,
        "vitest.config.js": `export default {test: {setupFiles: ["test/setup.js"]}};\n`,
        "test/setup.js": "export {};\n",
        "test/add.test.js": VITEST_TESTS,
        "test/zero.test.js": `import {expect, it} from "vitest";
import {add} from "../src/add.js";

it("adds zero", () => {
  expect(add(0, 0)).toBe(0);
});
`,
      },
      check: null,
    },
  ],
};
