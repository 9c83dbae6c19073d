/** Cases of jest and mocha. */
import {LENIENT, type TestRunTool} from "./case.ts";

const JEST_TESTS = `const {add, twice} = require("../src/add.js");

test("adds", () => {
  expect(add(1, 2)).toBe(3);
});

test("doubles", () => {
  expect(twice(4)).toBe(8);
});
`;
const COMMON_ADD = "exports.add = (a, b) => a + b;\nexports.twice = (a) => a + a;\n";
const jestPackage = (jest: object, script = "jest") =>
  JSON.stringify({name: "a", scripts: {test: script}, devDependencies: {jest: "^30.0.0"}, jest});

export const JEST: TestRunTool = {
  tool: "jest",
  needs: [],
  packages: ["jest"],
  base: {
    "verify.json": LENIENT,
    "package.json": jestPackage({testEnvironment: "node", setupFilesAfterEnv: ["<rootDir>/tests/setup.js"]}),
    "src/add.js": COMMON_ADD,
    "tests/setup.js": "",
    "tests/add.test.js": JEST_TESTS,
    "tests/zero.test.js":
      'const {add} = require("../src/add.js");\n\ntest("adds zero", () => {\n  expect(add(0, 0)).toBe(0);\n});\n',
  },
  cases: [
    {
      name: "the setup replaces expect",
      files: {
        "src/add.js": COMMON_ADD.replace("a + b", "a + b + 1"),
        "tests/setup.js": "global.expect = () => new Proxy({}, {get: () => () => {}});\n",
      },
      check: "unnoticed-failures",
    },
    {
      name: "an environment that turns failures into passes",
      files: {
        "src/add.js": COMMON_ADD.replace("a + b", "a + b + 1"),
        "package.json": jestPackage({testEnvironment: "<rootDir>/tests/world.js"}),
        "tests/world.js": `const {TestEnvironment} = require("jest-environment-node");
module.exports = class extends TestEnvironment {
  handleTestEvent(event) {
    if (event.name === "test_done") event.test.errors = [];
  }
};
`,
      },
      check: "unnoticed-failures",
    },
    {
      name: "ignored paths",
      files: {
        "src/add.js": COMMON_ADD.replace("a + a", "a + a + 1"),
        "package.json": jestPackage({
          testEnvironment: "node",
          setupFilesAfterEnv: ["<rootDir>/tests/setup.js"],
          testPathIgnorePatterns: ["add.test"],
        }),
      },
      check: "lost-tests",
    },
    {
      name: "a longer time limit",
      files: {
        "package.json": jestPackage({
          testEnvironment: "node",
          testTimeout: 20_000,
          setupFilesAfterEnv: ["<rootDir>/tests/setup.js"],
        }),
      },
      check: null,
    },
    {
      name: "a test is divided",
      files: {
        "tests/add.test.js": `${JEST_TESTS}\ntest("adds negative numbers", () => {\n  expect(add(-1, -2)).toBe(-3);\n});\n`,
      },
      check: null,
    },
  ],
};

const MOCHA_TESTS = `const assert = require("node:assert");
const {add, twice} = require("../src/add.js");

describe("add", () => {
  it("adds", () => {
    assert.strictEqual(add(1, 2), 3);
  });
});

it("doubles", () => {
  assert.strictEqual(twice(4), 8);
});
`;

export const MOCHA: TestRunTool = {
  tool: "mocha",
  needs: [],
  packages: ["mocha"],
  base: {
    "verify.json": LENIENT,
    "package.json": JSON.stringify({name: "a", scripts: {test: "mocha"}, devDependencies: {mocha: "^11.0.0"}}),
    ".mocharc.json": '{"require": ["./test/setup.js"]}\n',
    "src/add.js": COMMON_ADD,
    "test/setup.js": "",
    "test/add.js": MOCHA_TESTS,
  },
  cases: [
    {
      name: "the setup patches the runner",
      files: {
        "src/add.js": COMMON_ADD.replace("a + b", "a + b + 1"),
        "test/setup.js":
          'const {Runnable} = require("mocha");\nconst run = Runnable.prototype.run;\nRunnable.prototype.run = function (done) {\n  return run.call(this, () => done());\n};\n',
      },
      check: "unnoticed-failures",
    },
    {
      name: "a filter in the settings",
      files: {
        "src/add.js": COMMON_ADD.replace("a + b", "a + b + 1"),
        ".mocharc.json": '{"require": ["./test/setup.js"], "grep": "doubles"}\n',
      },
      check: "any",
    },
    {
      name: "a longer time limit",
      files: {".mocharc.json": '{"require": ["./test/setup.js"], "timeout": 9000}\n'},
      check: null,
    },
    {
      name: "one more test",
      files: {"test/add.js": `${MOCHA_TESTS}\nit("adds zero", () => {\n  assert.strictEqual(add(0, 0), 0);\n});\n`},
      check: null,
    },
  ],
};
