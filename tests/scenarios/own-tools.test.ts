/** `assay verify` where only the machine has a tool that the project's environment should have. */
import {execFileSync} from "node:child_process";
import {chmodSync, existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, put, repositoryOf} from "../rig/command-line.ts";
import {everyNth, someOf} from "../sweep.ts";

/** A machine whose tools are always content. */
function contentMachine(names: readonly string[]): {PATH: string} {
  const folder = mkdtempSync(join(tmpdir(), "assay-machine-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (const name of names) {
    put(folder, {[name]: "#!/bin/sh\necho '1 passed in 0.01s'\n"});
    chmodSync(join(folder, name), 0o755);
  }
  return {PATH: `${folder}:${process.env["PATH"] ?? ""}`};
}

function verify(files: Record<string, string>, tools: readonly string[]) {
  const folder = repositoryOf(files);
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const {status, record, stderr} = assay(folder, ["verify", "--json"], contentMachine(tools));
  const [stage] = record?.attempts[0]?.verification?.stages ?? [];
  return {status, stderr, outcome: stage?.outcome, reason: stage?.reason};
}

const VENV = "mkdir -p .venv/bin && touch .venv/pyvenv.cfg";
const PYTHON = {"pytest.ini": "[pytest]\n", "tests/test_a.py": "def test_a(): assert False\n", "a.py": ""};
const config = (command: string, provides: string) => JSON.stringify({setup: [{command, provides: [provides]}]});

test("a pytest from outside the virtual environment tests nothing", () => {
  const missing = verify({...PYTHON, "verify.json": config(VENV, ".venv")}, ["pytest"]);
  expect(missing).toMatchObject({status: 2, outcome: "unavailable"});
  expect(missing.reason).toMatch(/`pytest` is not in the project's environment \(`\.venv\/bin`\)/);
  const own = `${VENV} && printf '#!/bin/sh\\necho 2 passed in 1s\\n' > .venv/bin/pytest && chmod +x .venv/bin/pytest`;
  expect(verify({...PYTHON, "verify.json": config(own, ".venv")}, ["pytest"])).toMatchObject({status: 0});
});

test("without an environment the machine's tools are the project's", () => {
  expect(verify({...PYTHON, "verify.json": '{"setup": false}'}, ["pytest"])).toMatchObject({status: 0});
});

test.each(someOf(["npx vitest run", "vitest run", "cd . && vitest run"]))(
  "`%s` from outside node_modules tests nothing",
  (command) => {
    const stages = [{name: "test", kind: "test", command}];
    const setup = [
      {command: "mkdir -p node_modules/.bin && touch node_modules/.bin/other", provides: ["node_modules"]},
    ];
    const files = {
      "package.json": "{}",
      ".gitignore": "node_modules/\n",
      "verify.json": JSON.stringify({stages, setup}),
    };
    expect(verify(files, ["vitest", "npx"])).toMatchObject({status: 2, outcome: "unavailable"});
  },
);

test.each(
  everyNth(
    [
      ["plan", "--json"],
      ["plan", "--changed", "a.js"],
      ["verify", "--json"],
      ["inspect", "--base", "HEAD~1", "--head", "HEAD"],
    ],
    2,
  ),
)("`assay %s %s` uses the git that the terminal finds", (...args) => {
  const folder = repositoryOf({
    "verify.json": '{"setup": false, "stages": [{"name": "check", "command": "true"}]}',
    "a.js": "1;\n",
  });
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  execFileSync(
    "git",
    ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "Second"],
    {cwd: folder},
  );
  const machine = mkdtempSync(join(tmpdir(), "assay-machine-"));
  onTestFinished(() => rmSync(machine, {recursive: true}));
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], {encoding: "utf8"}).trim();
  put(machine, {git: `#!/bin/sh\necho "$@" >> ${machine}/calls\nexec ${real} "$@"\n`});
  chmodSync(join(machine, "git"), 0o755);
  const {stderr} = assay(folder, args, {PATH: `${machine}:${process.env["PATH"] ?? ""}`});
  expect(existsSync(join(machine, "calls")), stderr).toBe(true);
});
