/** `assay verify` on changes that no code extension announces: a text file that code reads, and files that no stage reads. */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {recordSchema} from "../../src/record/record.ts";
import {isSweep, someOf} from "../sweep.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

/** Commits `base`, writes `change` over it, and gives what `assay verify` says. */
function verify(base: Readonly<Record<string, string>>, change: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "coverage-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const put = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), {recursive: true});
      writeFileSync(join(folder, path), text);
    }
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {cwd: folder});
  put(base);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "First commit");
  put(change);
  const run = (...args: string[]) => spawnSync(process.execPath, [CLI, ...args], {cwd: folder, encoding: "utf8"});
  const {status, stdout} = run("verify", "--json");
  return {status, record: recordSchema.parse(JSON.parse(stdout)), run, folder};
}

const PACKAGE = JSON.stringify({name: "words", type: "module", scripts: {test: "node --test"}});
const WORDS_TEST = `import {readFileSync} from "node:fs";
import {test} from "node:test";
import assert from "node:assert";
test("words", () => assert.equal(readFileSync(new URL(FILE, import.meta.url), "utf8"), "one\\n"));
`;

test.each(someOf(["README.md", "words.txt", "docs/words.md"]))("a broken %s that a test reads fails", (path) => {
  const base = {"package.json": PACKAGE, "words.test.js": WORDS_TEST.replace("FILE", `"./${path}"`), [path]: "one\n"};
  const {status, record} = verify(base, {[path]: "two\n"});
  expect(record.verdict).toMatchObject({kind: "failed", stages: ["test"]});
  expect(status).toBe(1);
});

const SHOP = {
  "package.json": PACKAGE,
  "sum.js": "export const sum = (a, b) => a + b;\n",
  "sum.test.js":
    'import {test} from "node:test";\nimport assert from "node:assert";\nimport {sum} from "./sum.js";\ntest("sum", () => assert.equal(sum(1, 2), 3));\n',
  "examples/shop/package.json": '{"name": "shop"}\n',
  "examples/shop/main.js": "export {};\n",
};

test("a nested project that no stage reads is not covered", () => {
  const {status, record, run} = verify(SHOP, {"examples/shop/main.js": "export {\n"});
  const detail = "read by no known check: examples/shop/main.js";
  expect(record.verdict).toEqual({kind: "unverified", why: "not-covered", detail});
  expect(status).toBe(2);
  const shown = run("plan", "--changed", "sum.js", "examples/shop/main.js").stdout;
  expect(shown).toContain("sum.js: test");
  expect(shown).toContain("examples/shop/main.js: none (no stage reads the project in examples/shop)");
});

if (isSweep)
  test("a script in another language is listed as not checked, and with strict coverage it counts", () => {
    const change = {"sum.js": "export const sum = (a, b) => b + a;\n", "tools/run.py": "print(1)\n"};
    const lenient = verify(SHOP, change);
    expect(lenient.record.verdict).toEqual({kind: "verified"});
    expect(lenient.run("verify").stdout).toContain(
      "No check that ran is known to read these changed files:\n  tools/run.py",
    );
    const strict = verify({...SHOP, "verify.json": '{"coverage": "strict"}'}, change);
    expect(strict.record.verdict).toMatchObject({kind: "unverified", why: "not-covered"});
  });

test("plan warns of a path that is neither in the folder nor in the last commit, and says where it narrows nothing", () => {
  const {run, folder} = verify({...SHOP, "gone.js": "1;\n"}, {"new.js": "2;\n"});
  rmSync(join(folder, "gone.js"));
  const named = run("plan", "--json", "--changed", "new.js", "gone.js", "examples/shop", "no/such.js");
  expect(named.stderr).toBe("warning: no/such.js is neither in this repository nor in the last commit\n");
  expect(named.status).toBe(0);
  expect(JSON.parse(named.stdout).notes).toContainEqual({
    about: "changed paths",
    text: "all stages run: they all run in the root folder, where each may read every path",
  });
  expect(run("plan", "--changed", "sum.js").stderr).toBe("");
});

if (isSweep)
  test("a Go file of another system is not checked, which the report says", () => {
    const go = {
      "go.mod": "module example.org/a\n\ngo 1.21\n",
      "a.go": "package a\n\nfunc A() int { return 1 }\n",
      "a_plan9.go": "package a\n",
      "verify.json": JSON.stringify({
        stages: [{name: "vet", kind: "typecheck", command: "go vet ./..."}],
        setup: false,
      }),
    };
    const broken = {"a_plan9.go": "package a\n\nfunc B() int {\n"};
    const {status, record, run} = verify(go, broken);
    expect(record.verdict).toEqual({kind: "verified"});
    expect(status).toBe(0);
    expect(run("verify").stdout).toContain("No check that ran is known to read these changed files:\n  a_plan9.go");
    const strict = {...go, "verify.json": go["verify.json"].replace("{", '{"coverage": "strict", ')};
    expect(verify(strict, broken)).toMatchObject({status: 2, record: {verdict: {why: "not-covered"}}});
  });
