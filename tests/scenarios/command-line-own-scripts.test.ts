/** `assay verify` of repositories whose own `postinstall` or `prepare` makes what the tests need. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep, someOf} from "../sweep.ts";

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

function verify(change: Record<string, string>, files: Record<string, string | Buffer> = FILES) {
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

if (isSweep)
  test("a script that fails without the change too is a note if the checks pass", () => {
    const scripts = {prepare: "git rev-parse --verify no-such-branch", test: "node --test other.test.js"};
    expect(verify({"note.js": "1;\n"}, {...FILES, "package.json": packageOf(scripts)})).toMatchObject({
      status: 0,
      verdict: {kind: "verified"},
      setup: ["npm install --no passed", "git rev-parse -- failed?"],
    });
  });

if (isSweep)
  test("a script that fails in another way than without the change decides nothing", () => {
    const files = {...FILES, "generate.js": 'console.error("no database");\nprocess.exit(3);\n'};
    expect(verify({"generate.js": 'throw new Error("broken");\n'}, files)).toMatchObject({
      status: 2,
      verdict: {kind: "unverified", why: "setup-failed"},
    });
  });

if (isSweep)
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

/** A test runner from an archive; its programs are copied into `node_modules`. */
function runnerArchive(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "assay-archive-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  put(folder, {
    "package.json": JSON.stringify({name: "tiny", version: "1.0.0", bin: "cli.js"}),
    "cli.js": `#!/usr/bin/env node
const {spawnSync} = require("node:child_process");
process.exitCode = spawnSync(process.execPath, ["--test"], {stdio: "inherit"}).status;
`,
  });
  execFileSync("npm", ["pack", "--silent"], {cwd: folder});
  return readFileSync(join(folder, "tiny-1.0.0.tgz"));
}

const REMOVES = {"clean.sh": "rm -rf node_modules\n"};

test.each(
  someOf([
    ["in an overlay", {}],
    ["in a copy", REMOVES],
  ]),
)("a script may not change installed packages otherwise than on the base, %s", (_, more) => {
  const scripts = {test: "tiny", postinstall: "node setup.js"};
  const manifest = {...JSON.parse(packageOf(scripts)), dependencies: {tiny: "file:tiny.tgz"}};
  const files = {
    "package.json": JSON.stringify(manifest),
    ".gitignore": "node_modules/\n",
    "tiny.tgz": runnerArchive(),
    // A patch of the runner is the same on both sides, and generated code is not compared.
    "setup.js": `const {appendFileSync, mkdirSync, readFileSync, writeFileSync} = require("node:fs");
appendFileSync("node_modules/tiny/cli.js", "// patched in " + __dirname);
mkdirSync("node_modules/.client");
writeFileSync("node_modules/.client/index.js", readFileSync("schema.txt"));
for (const line of readFileSync("written.txt", "utf8").trim().split("\\n"))
  if (line !== "") writeFileSync(line, "#!/usr/bin/env node\\nconsole.log('ok 1 - adds\\\\n1..1\\\\n# tests 1\\\\n# pass 1\\\\n# fail 0');");
`,
    "schema.txt": "exports.one = 1;\n",
    "written.txt": "\n",
    "src/add.js": "exports.add = (a, b) => a + b;\n",
    "test/add.test.js": `require("node:test")("adds", () => require("node:assert").equal(require("../src/add.js").add(1, 2), 3));\n`,
    ...more,
  };
  const honest = verify({"schema.txt": "exports.two = 2;\n"}, files);
  expect(honest).toMatchObject({verdict: {kind: "verified"}, findings: []});
  const bug = {"src/add.js": "exports.add = (a, b) => a - b;\n"};
  expect(verify({...bug, "written.txt": "node_modules/tiny/cli.js\nnode_modules/.bin/node\n"}, files)).toMatchObject({
    status: 1,
    verdict: {kind: "tampered"},
    // In a copy, the folder with a new file has changed, too.
    findings: [
      expect.stringMatching(
        /change (?:node_modules\/\.bin, )?node_modules\/\.bin\/node, node_modules\/tiny\/cli\.js, and/,
      ),
    ],
  });
});
