/** P15 with the real runners and the built command line: a base run that was cut short excuses nothing, and nothing is blamed for it. */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {describe, expect, it, onTestFinished} from "vitest";
import {recordSchema} from "../../../src/record/record.ts";
import {missing} from "../../ecosystems/tools.ts";
import {isSweep} from "../../sweep.ts";

const CLI = new URL("../../../dist/cli.js", import.meta.url).pathname;
type Files = Readonly<Record<string, string>>;

/** Verifies `change` on a base of `files` with one required test stage. */
function verify(options: {files: Files; change: Files; command: string; kind?: string}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-cut-short-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const place = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), {recursive: true});
      writeFileSync(join(folder, path), text);
    }
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {cwd: folder});
  const stages = [{name: "test", kind: options.kind ?? "test", command: options.command, timeout: 120}];
  place({...options.files, "verify.json": JSON.stringify({stages, setup: false})});
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "First commit");
  place(options.change);
  const {status, stdout, stderr} = spawnSync(process.execPath, [CLI, "verify", "--json"], {
    cwd: folder,
    encoding: "utf8",
  });
  const record = recordSchema.parse(JSON.parse(stdout));
  return {status, stderr, verdict: record.verdict, stage: record.attempts[0]?.verification?.stages[0]};
}

const GO = {
  "go.mod": "module example.com/a\n\ngo 1.20\n",
  "a.go": "package a\n\nfunc Two() int { return 2 }\n",
  "a_test.go": `package a

import "testing"

func TestA(t *testing.T) { panic("boom") }
func TestB(t *testing.T) {
	if Two() != 2 {
		t.Fatal("no two")
	}
}
`,
};
const GO_BROKEN = {"a.go": "package a\n\nfunc Two() int { return 3 }\n"};
const PYTEST = {
  "e.py": "def two(): return 2\n",
  "tests/test_a.py": "import no_such_module\n\ndef test_a(): pass\n",
  "tests/test_b.py": "from e import two\n\ndef test_b(): assert two() == 2\n",
  "conftest.py": "",
};
const PYTEST_BROKEN = {"e.py": "def two(): return 3\n"};

if (isSweep)
  describe.skipIf(missing(["go"]).length > 0)("go", () => {
    it("a panic on the base hides a test that the change breaks: not comparable", () => {
      const {status, verdict, stage, stderr} = verify({
        files: GO,
        change: GO_BROKEN,
        command: "go test -vet=off ./...",
      });
      expect({status, verdict}, stderr).toMatchObject({
        status: 2,
        verdict: {kind: "unverified", why: "not-comparable"},
      });
      expect(stage?.baseline).toMatchObject({outcome: "not-comparable", new: []});
      expect(stage?.baseline?.why).toMatch(/^on the base, /);
      // A folder for caches that is empty: Go builds its library first.
    }, 300_000);
  });

const COMPLAINS = 'console.error("a.ts(1,1): error TS2322: wrong type");\nprocess.exitCode = 1;\n';

describe("a build", () => {
  it("a first command that fails on the base hides what the change breaks behind it: not comparable", () => {
    const files = {
      "package.json": JSON.stringify({name: "a", scripts: {build: "node types.js && node compile.js"}}),
      "types.js": COMPLAINS,
      "compile.js": "",
    };
    const change = {"compile.js": "throw new Error('broken');\n"};
    const {status, verdict} = verify({files, change, command: "npm run build", kind: "build"});
    expect({status, verdict}).toMatchObject({status: 2, verdict: {kind: "unverified", why: "not-comparable"}});
  });

  if (isSweep)
    it("one command that fails in the same way is as on the base", () => {
      const files = {"types.js": COMPLAINS};
      const {verdict} = verify({files, change: {"b.js": ""}, command: "node types.js", kind: "build"});
      expect(verdict).toEqual({kind: "verified-with-preexisting", stages: ["test"]});
    });
});

describe.skipIf(missing(["pytest"]).length > 0)("pytest", () => {
  it("a file of the base that cannot be loaded hides no regression", () => {
    const {status, verdict, stage} = verify({files: PYTEST, change: PYTEST_BROKEN, command: "python3 -m pytest"});
    expect(verdict).toEqual({kind: "failed", stages: ["test"]});
    expect(status).toBe(1);
    expect(stage?.baseline?.new.map(({testId}) => testId)).toEqual([expect.stringContaining("test_b")]);
    expect(stage?.baseline?.preexisting).toHaveLength(1);
  });

  it("an innocent change next to it is no failure, and excuses nothing, as a file could not be loaded on both sides", () => {
    const {status, verdict, stage} = verify({files: PYTEST, change: {"f.py": "F = 1\n"}, command: "python3 -m pytest"});
    expect(verdict).toMatchObject({kind: "unverified", why: "not-comparable"});
    expect({status, tests: stage?.tests}).toEqual({status: 2, tests: {passed: 1, failed: 1, skipped: 0}});
  });

  const starters: readonly [string, string, Files][] = [
    ["a shell file", "bash run.sh", {"run.sh": "set -e\npython3 -m pytest unit\npython3 -m pytest tests\n"}],
    [
      "a makefile",
      "make test",
      {Makefile: ".PHONY: test\ntest:\n\tpython3 -m pytest unit\n\tpython3 -m pytest tests\n"},
    ],
  ];
  it.each(isSweep ? starters : [])(
    "a run that %s starts before another one is not comparable",
    (_name, command, more) => {
      const unit = "def test_good(): pass\n\ndef test_bad(): assert False\n";
      const files = {...PYTEST, "tests/test_a.py": "", "unit/test_u.py": unit, ...more};
      const {status, verdict} = verify({files, change: PYTEST_BROKEN, command});
      expect({status, verdict}).toMatchObject({status: 2, verdict: {kind: "unverified", why: "not-comparable"}});
    },
  );

  if (isSweep)
    it("behind a script that Assay cannot ask to go on, it is not comparable", () => {
      const files = {...PYTEST, "run.sh": "exec python3 -m pytest\n"};
      const {status, verdict} = verify({files, change: PYTEST_BROKEN, command: "bash run.sh", kind: "check"});
      expect(verdict).toMatchObject({kind: "unverified", why: "not-comparable"});
      expect(status).toBe(2);
    });
});
