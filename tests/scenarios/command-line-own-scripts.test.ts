/** `assay verify` of repositories whose own `postinstall` or `prepare` makes what the tests need. */
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {assay, put, repositoryOf} from "../rig/command-line.ts";

const GENERATE = `const {mkdirSync, readFileSync, writeFileSync} = require("node:fs");
const {model} = JSON.parse(readFileSync("schema.json", "utf8"));
for (const folder of ["generated", "node_modules/.client"]) {
  mkdirSync(folder, {recursive: true});
  writeFileSync(folder + "/client.js", "exports." + model + " = 1;\\n");
}
`;
const packageOf = (scripts: object) =>
  JSON.stringify({name: "shop", scripts: {test: "node --test", ...scripts}, dependencies: {dep: "file:dep"}});
const FILES = {
  "package.json": packageOf({postinstall: "node generate.js", lint: "node node_modules/.client/client.js"}),
  ".gitignore": "node_modules/\ngenerated/\n",
  "dep/package.json": JSON.stringify({name: "dep", version: "1.0.0"}),
  "generate.js": GENERATE,
  "schema.json": '{"model": "Order"}',
  "client.test.js": `const {test} = require("node:test");
const assert = require("node:assert");
for (const folder of ["./generated", "./node_modules/.client"])
  test(folder, () => assert.equal(require(folder + "/client.js").Order, 1));
`,
  "other.test.js": 'require("node:test")("other", () => {});\n',
};

function verify(change: Record<string, string>, files: Record<string, string> = FILES) {
  const folder = repositoryOf(files);
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  put(folder, change);
  const {status, record} = assay(folder, ["verify", "--json"]);
  const {setup = [], findings = []} = record?.attempts[0]?.verification ?? {};
  return {
    status,
    verdict: record?.verdict,
    findings: findings.map(({message}) => message),
    setup: setup.map(({command, outcome, optional}) => `${command.slice(0, 16)} ${outcome}${optional ? "?" : ""}`),
  };
}

test("the script runs on the base and on the change, also in an installed folder", () => {
  expect(verify({"note.js": "1;\n"})).toMatchObject({
    status: 0,
    verdict: {kind: "verified"},
    setup: ["npm install --no passed", "node generate.js passed"],
  });
  expect(verify({"schema.json": '{"model": "Invoice"}'})).toMatchObject({
    status: 1,
    verdict: {kind: "failed", stages: ["test"]},
  });
});

test("the line of the base decides, and a script that only the change breaks is its failure", () => {
  const other = packageOf({postinstall: "echo 'exports.Order = 1' > generated/client.js", prepare: "rm -rf src"});
  expect(verify({"package.json": other})).toMatchObject({
    setup: ["npm install --no passed", "node generate.js passed"],
    findings: expect.arrayContaining([
      "`postinstall` changed, and the checks ran with its old line: `node generate.js`",
      "`prepare` is new, and the checks ran without it",
    ]),
  });
  expect(verify({"schema.json": "{"})).toMatchObject({status: 1, verdict: {kind: "failed", stages: ["setup 2"]}});
});

test("a script that fails without the change too is a note if the checks pass", () => {
  const scripts = {prepare: "git rev-parse --verify no-such-branch", test: "node --test other.test.js"};
  expect(verify({"note.js": "1;\n"}, {...FILES, "package.json": packageOf(scripts)})).toMatchObject({
    status: 0,
    verdict: {kind: "verified"},
    setup: ["npm install --no passed", "git rev-parse -- failed?"],
  });
});

test("a script that fails in another way than without the change decides nothing", () => {
  const files = {...FILES, "generate.js": 'console.error("no database");\nprocess.exit(3);\n'};
  expect(verify({"generate.js": 'throw new Error("broken");\n'}, files)).toMatchObject({
    status: 2,
    verdict: {kind: "unverified", why: "setup-failed"},
  });
});

test("a program of the install that the change edits is a finding", () => {
  const {findings} = verify({"generate.js": `${GENERATE}// changed\n`});
  expect(findings).toEqual(["A program that the install runs is changed"]);
});

test("a module that is missing on both sides excuses nothing", () => {
  const files = {
    ...FILES,
    "package.json": packageOf({}),
    "client.test.js": `require("./generated/client.js");\n${FILES["client.test.js"]}`,
  };
  expect(verify({"schema.json": '{"model": "Invoice"}'}, files)).toMatchObject({
    status: 2,
    verdict: {kind: "unverified", why: "not-comparable"},
  });
});
