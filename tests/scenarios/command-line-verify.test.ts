/** `assay verify` in a folder of a developer's: the record on stdout, the exit codes, and what is taken from the folder. */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {recordSchema} from "../../src/record/record.ts";
import {repositoryOf} from "../rig/command-line.ts";
import {plain} from "../rig/projects.ts";
import {isSweep, someOf} from "../sweep.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

/** A folder with the plain project; with `git`, committed in a repository of its own. */
function project(options: {git: boolean; verify?: Record<string, unknown>}): string {
  const folder = mkdtempSync(join(tmpdir(), "plain-project-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (const [path, content] of Object.entries(plain(options.verify === undefined ? {} : {verify: options.verify}))) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), String(content));
  }
  if (!options.git) return folder;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {cwd: folder});
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "First commit");
  return folder;
}

function assay(cwd: string, ...args: string[]) {
  const scratch = mkdtempSync(join(tmpdir(), "plain-scratch-"));
  onTestFinished(() => rmSync(scratch, {recursive: true}));
  // CI asks for colors, which would stand between the words
  const env = {...process.env, NO_COLOR: "1", TMPDIR: scratch};
  const ended = spawnSync(process.execPath, [CLI, ...args], {cwd, encoding: "utf8", env});
  expect(readdirSync(scratch), "temporary folders left").toEqual([]);
  const record = ended.stdout.startsWith("{") ? recordSchema.parse(JSON.parse(ended.stdout)) : null;
  return {...ended, record};
}

test("outside of a repository, nothing is read, and the message says what to do", () => {
  for (const folder of someOf([project({git: false}), "/", homedir()])) {
    const {status, stderr} = assay(folder, "verify", "--json");
    expect(status).toBe(3);
    expect(stderr).toContain(`${folder} is not in a git repository`);
    expect(stderr).toContain("git init");
  }
});

test.each(someOf(["--json 2>&1", "2>&1", "--json"]))(
  "a reader that has seen enough does not change the end: %s",
  (how) => {
    const folder = project({git: true});
    const scratch = mkdtempSync(join(tmpdir(), "plain-scratch-"));
    onTestFinished(() => rmSync(scratch, {recursive: true}));
    const script = `"$0" "$1" verify ${how} | head -c 1 >/dev/null; exit "\${PIPESTATUS[0]}"`;
    const env = {...process.env, TMPDIR: scratch};
    const {status} = spawnSync("bash", ["-c", script, process.execPath, CLI], {cwd: folder, encoding: "utf8", env});
    expect(status).toBe(0);
    expect(readdirSync(scratch)).toEqual([]);
  },
);

test("a repository without a commit: verified, with a note that there is no base", () => {
  const folder = project({git: false});
  execFileSync("git", ["init", "-q"], {cwd: folder});
  const {status, record} = assay(folder, "verify", "--json");
  expect(status).toBe(0);
  expect(record).toMatchObject({schema: "assay.record/1", thread: null, verdict: {kind: "verified"}});
  expect(record?.attempts[0]?.turn).toBeNull();
  expect(record?.notes[0]?.text).toContain("no base commit");
});

test("files that cannot be taken are named, each on a line of its own", () => {
  const folder = project({git: true});
  execFileSync("git", ["init", "-q", join(folder, "inner")]);
  const {status, stderr} = assay(folder, "verify");
  expect(status).toBe(2);
  expect(stderr.split("\n")).toContain("  inner: it is a git repository of its own");
});

if (isSweep)
  test("a failure in files that nobody changed is not charged to a change", () => {
    const stages = [{name: "test", command: "exit 4", kind: "test"}];
    const {status, stdout} = assay(project({git: true, verify: {stages}}), "verify");
    expect(status).toBe(1);
    expect(stdout).toContain("fails on these files, without any change");
    expect(stdout).not.toContain("because of this change");
  });

test("an untracked file that breaks a test: failed, exit 1, and the base's verify.json counts", () => {
  const folder = project({git: true});
  writeFileSync(
    join(folder, "tests/more.test.js"),
    'import {test} from "node:test";\ntest("no", () => { throw new Error("no"); });\n',
  );
  writeFileSync(join(folder, "verify.json"), '{"enabled": false}');
  const {status, record} = assay(folder, "verify", "--json");
  expect(status).toBe(1);
  expect(record?.verdict).toEqual({kind: "failed", stages: ["test"]});
  expect(record?.attempts[0]?.changes.map(({path}) => path)).toEqual(["tests/more.test.js", "verify.json"]);
  expect(record?.notes.map(({about}) => about)).toContain("verify.json");
});

test("nothing that can be claimed: exit 2; a mistake in verify.json: exit 3, on stderr", () => {
  const missing = {stages: [{name: "check", command: "no-such-program-anywhere"}]};
  expect(assay(project({git: true, verify: missing}), "verify", "--json")).toMatchObject({
    status: 2,
    record: {verdict: {kind: "unverified", why: "unavailable"}},
  });
  const broken = assay(project({git: true, verify: {stagse: [], timeout: 3}}), "verify", "--json");
  expect(broken).toMatchObject({status: 3, stdout: ""});
  expect(broken.stderr).toMatch(/stagse[\s\S]*timeout/);
});

if (isSweep)
  test("one stage, a commit instead of the folder, and in place", () => {
    const folder = project({git: true});
    writeFileSync(join(folder, "src/sum.js"), "export const sum = () => 0;\n");
    const part = assay(folder, "verify", "--stage", "syntax", "--json");
    expect(part).toMatchObject({
      status: 2,
      record: {
        verdict: {kind: "partial", notRun: ["test"], preexisting: []},
        request: {kind: "verify", only: ["syntax"]},
      },
    });
    expect(assay(folder, "verify", "--stage", "syntax").stdout).toMatch(
      /☑️ Requested checks passed[\s\S]*Not run: test/,
    );
    expect(assay(folder, "verify", "--stage", "syntax", "--in-place", "--json").record?.verdict.kind).toBe("partial");
    expect(assay(folder, "verify", "--stage", "syntax", "--stage", "test", "--json").status).toBe(1);
    expect(assay(folder, "verify", "--head", "HEAD", "--json").status).toBe(0);
    expect(assay(folder, "verify", "--json").status).toBe(1);
    const inPlace = assay(folder, "verify", "--in-place", "--json");
    expect(inPlace.status).toBe(1);
    expect(inPlace.record?.attempts[0]?.verification).toMatchObject({where: "in-place", candidate: null});
    expect(readFileSync(join(folder, "src/sum.js"), "utf8")).toContain("=> 0");
  });

if (isSweep)
  test("all required stages by name verify the change; an optional one is not needed", () => {
    const stages = [
      {name: "one", command: "true", kind: "check"},
      {name: "two", command: "true", kind: "check"},
      {name: "style", command: "exit 1", kind: "lint", optional: true},
    ];
    const folder = project({git: true, verify: {stages}});
    const byName = assay(folder, "verify", "--stage", "one", "--stage", "two", "--json");
    expect(byName).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
    const optional = assay(folder, "verify", "--stage", "style", "--json");
    expect(optional).toMatchObject({status: 1, record: {verdict: {kind: "failed", stages: ["style"]}}});
  });

if (isSweep)
  test("a rename out of a folder concerns the stages of that folder", () => {
    const stages = [
      {name: "always", command: "true", kind: "check"},
      {name: "site", command: "test -e website/a.js", kind: "check", when: ["website/**"]},
    ];
    const folder = project({git: true, verify: {stages}});
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], {cwd: folder});
    mkdirSync(join(folder, "website"));
    writeFileSync(join(folder, "website/a.js"), "export const page = 'a page that is long enough to be a rename';\n");
    git("add", "-A");
    git("commit", "-qm", "A page");
    writeFileSync(join(folder, "src/sum.js"), "export const sum = () => 1;\n");
    expect(assay(folder, "verify", "--json").record?.attempts[0]?.verification?.stages).toMatchObject([
      {name: "always", outcome: "passed"},
      {name: "site", outcome: "skipped", reason: "no change matches `when` (website/**)"},
    ]);
    git("checkout", "-q", "src/sum.js");
    git("mv", "website/a.js", "a.js");
    const {status, record} = assay(folder, "verify", "--json");
    expect(record?.attempts[0]?.changes).toEqual([{path: "a.js", status: "renamed", from: "website/a.js"}]);
    expect(record?.verdict).toEqual({kind: "failed", stages: ["site"]});
    expect(status).toBe(1);
  });

test("a failure that the base has too is excused, and without --json a person reads a table and the verdict", () => {
  const command = "grep -q sum src/sum.js; echo 'src/old.js:3:1: old [Error/no-old]'; exit 1";
  const folder = project({git: true, verify: {stages: [{name: "lint", command, kind: "lint", optional: false}]}});
  writeFileSync(join(folder, "src/sum.js"), "export const sum = () => 0;\n");
  const {status, stdout} = assay(folder, "verify");
  expect(status).toBe(0);
  expect(stdout).toMatch(/lint[\s\S]*Verified, no new failures/);
});

/** Each start of git takes about as long as a small check. Eight of them read the person's settings and compare the tree. */
const MOST_GIT_CALLS = 41;

test("one changed file and one stage start git few times", () => {
  const folder = repositoryOf({
    "verify.json": JSON.stringify({stages: [{name: "test", kind: "check", command: "true"}]}),
    "a.js": "1;\n",
  });
  const bin = mkdtempSync(join(tmpdir(), "counted-git-"));
  onTestFinished(() => {
    for (const one of [folder, bin]) rmSync(one, {recursive: true});
  });
  const program = execFileSync("sh", ["-c", "command -v git"], {encoding: "utf8"}).trim();
  const script = `#!/bin/sh\necho "$*" >> ${bin}/calls\nexec ${program} "$@"\n`;
  writeFileSync(join(bin, "git"), script, {mode: 0o755});
  writeFileSync(join(folder, "a.js"), "2;\n");
  const env = {...process.env, PATH: `${bin}:${process.env["PATH"]}`};
  expect(spawnSync(process.execPath, [CLI, "verify"], {cwd: folder, env}).status).toBe(0);
  const calls = readFileSync(join(bin, "calls"), "utf8").trim().split("\n");
  expect(calls.length, calls.join("\n")).toBeLessThanOrEqual(MOST_GIT_CALLS);
});

test("a verify.json that the change breaks ends with all its mistakes, also unknown overrides, and nothing runs", () => {
  const folder = project({git: true, verify: {stages: undefined}});
  const broken = {overrides: {tset: {timeout: 5}, test: {timeout: "long", optinal: true}}, maxFixAttempts: -1};
  writeFileSync(join(folder, "verify.json"), JSON.stringify(broken));
  writeFileSync(join(folder, "package.json"), '{"scripts": {"test": "node --test"}}');
  for (const args of [["verify", "--json"], ["plan"]]) {
    const {status, stdout, stderr} = assay(folder, ...args);
    expect([status, stdout]).toEqual([3, ""]);
    expect(
      stderr
        .match(/^ {2}[\w.]+(?=: )/gm)
        ?.map((path) => path.trim())
        .toSorted(),
    ).toEqual(["maxFixAttempts", "overrides.test.optinal", "overrides.test.timeout", "overrides.tset"]);
  }
});

if (isSweep)
  test("a new verify.json is not said to replace one that the base does not have", () => {
    const folder = project({git: true});
    const author = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"];
    execFileSync("git", ["rm", "-q", "verify.json"], {cwd: folder});
    execFileSync("git", [...author, "commit", "-qm", "Remove the file"], {cwd: folder});
    writeFileSync(join(folder, "verify.json"), '{"maxFixAttempts": 2}');
    expect(assay(folder, "verify", "--json").record?.notes).toMatchObject([
      {about: "verify.json", text: expect.stringContaining("because the base has no verify.json")},
    ]);
  });

test("a judge in verify.json is never asked: no connection is opened, and the record has no opinion", () => {
  const verify = {judge: {enabled: true, provider: "openai", model: "m", effect: "hold", when: "always"}};
  const folder = project({git: true, verify});
  writeFileSync(join(folder, "src/sum.js"), `${readFileSync(join(folder, "src/sum.js"), "utf8")}// changed\n`);
  const own = mkdtempSync(join(tmpdir(), "plain-calls-"));
  onTestFinished(() => rmSync(own, {recursive: true}));
  const [calls, preload] = [join(own, "calls"), join(own, "preload.cjs")];
  const lines = [
    'const {Socket} = require("node:net");',
    "const {connect} = Socket.prototype;",
    "Socket.prototype.connect = function (...args) {",
    `  require("node:fs").appendFileSync(${JSON.stringify(calls)}, "called");`,
    "  return connect.apply(this, args);",
    "};",
  ];
  writeFileSync(preload, lines.join("\n"));
  const env = {...process.env, NO_COLOR: "1", OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:4999/v1"};
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--require", preload, ...args], {cwd: folder, encoding: "utf8", env});
  const ended = run(CLI, "verify", "--json");
  const record = recordSchema.parse(JSON.parse(ended.stdout));
  expect([ended.status, record.verdict.kind]).toEqual([0, "verified"]);
  expect(record.attempts[0]?.opinion).toBeUndefined();
  expect(existsSync(calls)).toBe(false);
  run("-e", 'fetch("http://127.0.0.1:4999/v1").catch(() => {})');
  expect(existsSync(calls), "a connection leaves its trace").toBe(true);
});

test("paths choose the stages of their projects, and the rest is named as not run", () => {
  const script = JSON.stringify({scripts: {test: "node --test"}});
  const files = ["web", "api"].flatMap((name) => [
    [`${name}/package.json`, script],
    [`${name}/a.test.js`, 'import {test} from "node:test";\ntest("a", () => {});\n'],
  ]);
  const folder = repositoryOf(Object.fromEntries(files));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const {status, record} = assay(join(folder, "web"), "verify", "--json", "a.test.js");
  expect(status).toBe(2);
  expect(record?.verdict).toMatchObject({kind: "partial", notRun: [expect.stringContaining("api")]});
  const ran = record?.attempts[0]?.verification?.stages.filter(({outcome}) => outcome === "passed");
  expect(ran?.map(({cwd}) => cwd)).toEqual(["web"]);
  expect(assay(folder, "verify", "--json", "web", "api").record?.verdict).toEqual({kind: "verified"});
});
