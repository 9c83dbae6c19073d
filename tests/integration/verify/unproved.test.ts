/** A check that CI does not have decides as soon as a run shows that it can pass, with the built command line. */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, it, onTestFinished} from "vitest";
import {recordSchema} from "../../../src/record/record.ts";

const CLI = new URL("../../../dist/cli.js", import.meta.url).pathname;

const WORKFLOW = `on: pull_request
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: node --check a.js
      - run: npm run build
`;
const FILES = {
  ".github/workflows/ci.yml": WORKFLOW,
  "package.json": JSON.stringify({
    name: "a",
    version: "1.0.0",
    private: true,
    scripts: {build: "node --check a.js", test: "node --test"},
  }),
  "a.js": "exports.two = () => 2;\n",
  "a.test.js":
    'const {test} = require("node:test");\ntest("two", () => require("node:assert").equal(require("./a.js").two(), 2));\n',
};

/** Verifies `change` on a base of `FILES` and `more`. */
function verify(change: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-unproved-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const place = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), {recursive: true});
      writeFileSync(join(folder, path), text);
    }
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {cwd: folder});
  place({...FILES, ...more});
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "First commit");
  place(change);
  const {stdout} = spawnSync(process.execPath, [CLI, "verify", "--json"], {cwd: folder, encoding: "utf8"});
  const record = recordSchema.parse(JSON.parse(stdout));
  const test = record.attempts[0]?.verification?.stages.find(({kind}) => kind === "test");
  return {planned: record.plan?.stages.find(({kind}) => kind === "test"), test, verdict: record.verdict};
}

it("fails a change that breaks tests which only the manifest names", () => {
  const {planned, test, verdict} = verify({"a.js": "exports.two = () => 3;\n"});
  expect(planned).toMatchObject({optional: true, unproved: true});
  expect(test).toMatchObject({outcome: "failed", optional: false});
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
});

it("fails a change that adds failures to those of the base", () => {
  const broken = {"b.test.js": 'require("node:test").test("b", () => { throw new Error("no server"); });\n'};
  const {test, verdict} = verify({"a.js": "exports.two = () => 3;\n"}, broken);
  expect(test).toMatchObject({outcome: "failed", optional: false, baseline: {outcome: "new"}});
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
});

it("decides nothing if the base cannot be compared and the change adds a failure", () => {
  const script = `for (const one of require("node:fs").readdirSync("docs"))
  if (require("node:fs").readFileSync("docs/" + one, "utf8") !== "ok") {
    console.log("docs/" + one + ":1: error: not ok");
    process.exitCode = 1;
  }
`;
  const manifest = {...JSON.parse(FILES["package.json"]), scripts: {test: "node docs.js"}};
  const more = {"package.json": JSON.stringify(manifest), "docs.js": script, "docs/a": "bad", "docs/b": "ok"};
  const {test, verdict} = verify({"docs/b": "bad"}, more);
  expect(test).toMatchObject({outcome: "failed", optional: false, baseline: {outcome: "not-comparable"}});
  expect(verdict).toMatchObject({kind: "unverified", why: "not-comparable"});
});

it("counts them as required where they pass", () => {
  const {test, verdict} = verify({"a.js": "exports.two = () => 1 + 1;\n"});
  expect(test).toMatchObject({outcome: "passed", optional: false});
  expect(verdict).toEqual({kind: "verified"});
});

it("lets nothing depend on them where the base fails them too", () => {
  const broken = {"b.test.js": 'require("node:test").test("b", () => { throw new Error("no server"); });\n'};
  const {test, verdict} = verify({"a.js": "exports.two = () => 1 + 1;\n"}, broken);
  expect(test).toMatchObject({outcome: "failed", optional: true});
  expect(verdict).toEqual({kind: "verified"});
});
