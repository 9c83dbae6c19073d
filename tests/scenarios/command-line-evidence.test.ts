/** `assay verify` on test stages whose exit code 0 shows nothing: it is never enough for `verified` (P6). */
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put} from "../rig/command-line.ts";
import {isSweep, someOf} from "../sweep.ts";

type Files = Readonly<Record<string, string>>;

/** Commits `base`, writes `change` over it, and gives what the command line says. */
function repository(base: Files, change: Files) {
  const folder = mkdtempSync(join(tmpdir(), "evidence-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const git = gitIn(folder);
  put(folder, base);
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "First commit");
  put(folder, change);
  return (...args: string[]) => assay(folder, args);
}

/** A test program of the project's own that prints nothing. */
const SUM = {
  "sum.js": "exports.sum = (a, b) => a + b;\n",
  "check.js": 'if (require("./sum.js").sum(1, 2) !== 3) process.exit(1);\n',
};
const BROKEN = {"sum.js": "exports.sum = (a, b) => a - b;\n"};
const stages = (command: string) => JSON.stringify({stages: [{name: "test", kind: "test", command}]});

describe("an exit code that is lost", () => {
  const NPM = JSON.stringify({name: "sum", scripts: {test: "bash run.sh"}});
  test.each(
    someOf<[string, Files, string]>([
      ["in a shell file", {"run.sh": "node check.js || true\n", "verify.json": stages("bash run.sh")}, "`run.sh`"],
      ["in a recipe", {Makefile: "test:\n\t-node check.js\n"}, "target `test` of Makefile"],
      ["in a shell file behind a script", {"package.json": NPM, "run.sh": "node check.js\necho done\n"}, "`run.sh`"],
    ]),
  )("%s is no evidence, and `plan` names the place", (_, files, place) => {
    const run = repository({...SUM, ...files}, BROKEN);
    const {status, record} = run("verify", "--json");
    expect(record?.verdict).toMatchObject({kind: "unverified", why: "no-tests-ran"});
    expect(status).toBe(2);
    expect(record?.attempts[0]?.verification?.stages[0]?.reason).toContain(place);
    expect(run("plan").stdout).toContain(place);
  });

  if (isSweep)
    test("passes with tests that are counted", () => {
      const counted =
        'require("node:test").test("sum", () => { if (require("./sum.js").sum(1, 2) !== 3) throw 1; });\n';
      const files = {"sum.test.js": counted, "run.sh": "node --test || true\n", "verify.json": stages("bash run.sh")};
      expect(repository({...SUM, ...files}, {"sum.js": "exports.sum = (a, b) => b + a;\n"})("verify").status).toBe(0);
      expect(repository({...SUM, ...files}, BROKEN)("verify").status).toBe(1);
    });
});

const NODE = JSON.stringify({name: "sum", scripts: {test: "node --test"}});
const testOf = (body: string) => `const {test} = require("node:test");\nconst {sum} = require("./sum.js");\n${body}\n`;
const TESTS = testOf('test("adds", () => { if (sum(1, 2) !== 3) throw 1; });\ntest("more", () => { sum(2, 2); });');
const ENDS = {"sum.js": "process.exit(0);\nexports.sum = (a, b) => a - b;\n"};

describe("a change that ends the tests early", () => {
  test.each(
    someOf<[string, Files, Files]>([
      ["node:test, before all tests of a file", {"package.json": NODE, "sum.test.js": TESTS}, ENDS],
      [
        "node:test, behind the first test of a file",
        {"package.json": NODE, "sum.test.js": TESTS},
        {"sum.js": "exports.sum = (a, b) => (a === 2 ? process.exit(0) : a + b);\n"},
      ],
      [
        "node:test, one file of two",
        {
          "package.json": NODE,
          "sum.test.js": TESTS,
          "other.test.js": testOf("").replace(/.*sum.*\n/, 'test("other", () => {});'),
        },
        ENDS,
      ],
      [
        "node:test, in one process",
        {"verify.json": stages("node --test --test-isolation=none"), "sum.test.js": TESTS},
        ENDS,
      ],
      [
        "a program that prints TAP",
        {
          "verify.json": stages("node check.js"),
          "check.js":
            'console.log("ok 1 - loads");\nrequire("./sum.js").sum(1, 2);\nconsole.log("ok 2 - adds");\nconsole.log("1..2");\n',
        },
        ENDS,
      ],
      [
        "a program that prints TAP, its plan first",
        {
          "verify.json": stages("node check.js"),
          "check.js":
            'console.log("1..2\\nok 1 - loads");\nrequire("./sum.js").sum(1, 2);\nconsole.log("ok 2 - adds");\n',
        },
        ENDS,
      ],
    ]),
  )("%s", (_, base, change) => {
    const {status, record} = repository({...SUM, ...base}, change)("verify", "--json");
    expect(record?.verdict).toMatchObject({kind: "unverified", why: "no-tests-ran"});
    expect(status).toBe(2);
  });

  test.each(
    someOf<[string, Files]>([
      [
        "a file that ends its own process when its tests are done",
        {"sum.test.js": `${TESTS}require("node:test").after(() => process.exit(0));\n`},
      ],
      [
        "a file of plain assertions",
        {"sum.test.js": 'require("node:assert").equal(require("./sum.js").sum(1, 2), 3);\n'},
      ],
    ]),
  )("%s passes as on the base", (_, base) => {
    const run = repository({...SUM, "package.json": NODE, ...base}, {"sum.js": "exports.sum = (a, b) => b + a;\n"});
    expect(run("verify", "--json")).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
  });

  if (isSweep)
    test("a new test file without a test passes next to others", () => {
      const run = repository(
        {...SUM, "package.json": NODE, "sum.test.js": TESTS},
        {"plain.test.js": 'require("./sum.js");\n'},
      );
      expect(run("verify", "--json")).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
    });
});

test("a summary that a test prints counts nothing next to the runner's report", () => {
  const printed = testOf('test("adds", () => { console.log("\u2139 pass 100"); sum(1, 2); });');
  const run = repository(
    {...SUM, "package.json": NODE, "sum.test.js": printed},
    {"sum.js": "exports.sum = (a, b) => b + a;\n"},
  );
  const {status, record} = run("verify", "--json");
  expect(status).toBe(0);
  expect(record?.attempts[0]?.verification?.stages[0]?.tests).toEqual({passed: 1, failed: 0, skipped: 0});
});
