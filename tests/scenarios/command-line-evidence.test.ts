/** `assay verify` on test stages whose exit code 0 shows nothing: it is never enough for `verified` (P6). */
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put} from "../rig/command-line.ts";

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
  test.each<[string, Files, string]>([
    ["in a shell file", {"run.sh": "node check.js || true\n", "verify.json": stages("bash run.sh")}, "`run.sh`"],
    ["in a recipe", {Makefile: "test:\n\t-node check.js\n"}, "target `test` of Makefile"],
    ["in a shell file behind a script", {"package.json": NPM, "run.sh": "node check.js\necho done\n"}, "`run.sh`"],
  ])("%s is no evidence, and `plan` names the place", (_, files, place) => {
    const run = repository({...SUM, ...files}, BROKEN);
    const {status, record} = run("verify", "--json");
    expect(record?.verdict).toMatchObject({kind: "unverified", why: "no-tests-ran"});
    expect(status).toBe(2);
    expect(record?.attempts[0]?.verification?.stages[0]?.reason).toContain(place);
    expect(run("plan").stdout).toContain(place);
  });

  test("passes with tests that are counted", () => {
    const counted = 'require("node:test").test("sum", () => { if (require("./sum.js").sum(1, 2) !== 3) throw 1; });\n';
    const files = {"sum.test.js": counted, "run.sh": "node --test || true\n", "verify.json": stages("bash run.sh")};
    expect(repository({...SUM, ...files}, {"sum.js": "exports.sum = (a, b) => b + a;\n"})("verify").status).toBe(0);
    expect(repository({...SUM, ...files}, BROKEN)("verify").status).toBe(1);
  });
});
