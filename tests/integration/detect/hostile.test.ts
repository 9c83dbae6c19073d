/** Planning looks at files that somebody else wrote: odd ones give a note each, and never a crash, a hang or a process. */

import {spawn, spawnSync} from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterAll, expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {ECOSYSTEMS} from "../../../src/detect/ecosystems/index.ts";
import {createFileList} from "../../../src/detect/files/file-list.ts";
import {parseYaml} from "../../../src/detect/files/parse-yaml.ts";
import {viewFiles} from "../../../src/detect/files/project.ts";
import {plan} from "../../../src/detect/plan.ts";
import {type Plan, planSchema} from "../../../src/record/plan.ts";
import {everyNth} from "../../sweep.ts";
import {cpuClock} from "../../unit/report/cpu-time.ts";

const CLI = new URL("../../../dist/cli.js", import.meta.url).pathname;
/** Far more than any of these takes, far less than a hang. */
const LONGEST_MS = 20_000;
const scratch = mkdtempSync(join(tmpdir(), "assay-hostile-"));
afterAll(() => rmSync(scratch, {recursive: true, force: true}));

type Content = string | Uint8Array;
const bytes = (content: Content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

/** The plan of files in memory; throws what planning throws. */
function planned(files: Readonly<Record<string, Content>>): Plan {
  const project = viewFiles({
    files: createFileList(Object.keys(files)),
    parseYaml,
    read: (path) => ({kind: "bytes", bytes: Buffer.from(bytes(files[path] ?? ""))}),
  });
  const made = plan({project, config: DEFAULT_CONFIG});
  if (!made.ok) throw new Error(made.failure.kind);
  return planSchema.parse(made.value);
}

/** A name for each manifest that some ecosystem asks for. */
const MANIFESTS = [...new Set(ECOSYSTEMS.flatMap(({manifests}) => manifests))].map((name) => name.replaceAll("*", "x"));
const deep = (open: string, close: string, times = 50_000) => open.repeat(times) + close.repeat(times);
const bomb = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ..."bcdefghijk".split("").map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghijk"[i]}`).join(",")}]`),
].join("\n");
const expression = "${{ fromJSON(github.event.comment.body)['x'] || format('{0}', secrets.A) }}";

const CONTENTS: Readonly<Record<string, Content>> = {
  nothing: "",
  "a cut-off object": '{"name": "x", "scripts": {"te',
  "NUL bytes": "\0\0\0\0",
  "a NUL inside": '{"scripts": {"test": "a\0b"}}',
  "bytes that are no UTF-8": new Uint8Array([0x7b, 0xff, 0xfe, 0x80, 0x22, 0xc3, 0x28, 0x7d]),
  "UTF-16": new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0, 0x00, 0xd8]),
  "nested arrays": deep("[", "]"),
  "nested objects": deep('{"a":', "}"),
  "nested tables": `[${"a.".repeat(20_000)}a]\nx = 1`,
  "nested YAML": deep("[", ""),
  "nested XML": deep("<a>", "</a>"),
  "a list": "[1, 2, null]",
  "a number": "7",
  null: "null",
  "the wrong types":
    '{"scripts": [1], "workspaces": {"packages": 7}, "dependencies": "x", "project": 3, "tool": [], "tasks": 1, "jobs": []}',
  "odd keys":
    '{"__proto__": {"scripts": {"test": "x"}}, "constructor": 1, "scripts": {"__proto__": "a", "toString": "b", "test": "c"}}',
  "a YAML bomb": bomb,
  "an anchor that holds itself": "a: &a\n  b: *a\njobs: *a\n",
  "YAML tags": "jobs: !!js/function 'function(){}'\na: !<tag:x> 1\n",
  "one very long line": `test: ${"x".repeat(900_000)}`,
  "many short lines": "a:\n".repeat(200_000),
  expressions: `on: push\njobs:\n  a:\n    runs-on: ${expression}\n    strategy: {matrix: ${expression}}\n    steps:\n      - run: ${expression}\n      - uses: ${expression}\n        working-directory: ${expression}\n      - run: npm ${expression} test\n        env: ${expression}\n`,
};

test.each(everyNth(Object.entries(CONTENTS), 3))("%s in every manifest", {timeout: 120_000}, (_, content) => {
  for (const manifest of MANIFESTS) {
    const from = cpuClock();
    expect(() => planned({[manifest]: content, "src/a.test.ts": ""}), manifest).not.toThrow();
    expect(cpuClock() - from, `${manifest} took too long`).toBeLessThan(LONGEST_MS);
  }
  const all = planned(Object.fromEntries(MANIFESTS.map((manifest) => [manifest, content])));
  expect(all.notes.length).toBeLessThanOrEqual(201);
});

test.each([
  ["a cut-off object", "package.json"],
  ["NUL bytes", "package.json"],
  ["nested arrays", "package.json"],
  ["a cut-off object", "pyproject.toml"],
  ["a YAML bomb", ".github/workflows/x.yml"],
  ["a cut-off object", ".pre-commit-config.yaml"],
])("%s in %s gives a note that quotes nothing of it", (name, file) => {
  const content = CONTENTS[name] ?? "";
  const {notes} = planned({[file]: content});
  const about = notes.filter((note) => note.about.startsWith(file));
  expect(about.length).toBeGreaterThan(0);
  for (const note of about) expect(note.text).not.toContain("scripts");
});

test("a byte order mark changes nothing", () => {
  const manifest = '{"name": "a", "scripts": {"test": "node --test"}}';
  const marked = planned({"package.json": `\uFEFF${manifest}`});
  expect(marked.stages).toEqual(planned({"package.json": manifest}).stages);
  expect(marked.stages.length).toBe(1);
});

test("tasks of which each needs all of the next layer are read once each", () => {
  const layers = Array.from({length: 10}, (_, layer) => Array.from({length: 20}, (_, i) => `t${layer}x${i}`));
  const all = layers.flatMap((names, layer) => names.map((name) => ({name, needs: layers[layer + 1] ?? []})));
  const top = {name: "test", needs: layers[0] ?? []};
  const recipes = [top, ...all].map(({name, needs}) => `${name}: ${needs.join(" ")}\n\tpytest ${name}\n`).join("");
  const tasks = Object.fromEntries(
    [top, ...all].map(({name, needs}) => [name, {deps: needs, cmds: [`pytest ${name}`]}]),
  );
  const scripts = Object.fromEntries([top, ...all].map(({name, needs}) => [name, [...needs.map((n) => `@${n}`), "x"]]));
  const started = cpuClock();
  const made = planned({
    Makefile: recipes,
    justfile: recipes,
    "Taskfile.yml": JSON.stringify({version: "3", tasks}),
    "composer.json": JSON.stringify({scripts}),
    ".github/workflows/x.yml": "on: push\njobs: {a: {steps: [{run: make test}, {run: composer test}]}}\n",
  });
  expect(cpuClock() - started).toBeLessThan(5000);
  expect(made.stages.length).toBeGreaterThan(0);
});

test("circles end", () => {
  const circles = planned({
    "package.json":
      '{"workspaces": ["a", ".", "../x", "a/../a"], "scripts": {"test": "npm run test:a", "test:a": "npm test"}}',
    "a/package.json": '{"workspaces": ["..", "."], "scripts": {"test": "npm --prefix .. test"}}',
    "tsconfig.json": '{"extends": "./tsconfig.b.json", "references": [{"path": "."}, {"path": "a"}]}',
    "tsconfig.b.json": '{"extends": "./tsconfig.json"}',
    "a/tsconfig.json": '{"extends": "../tsconfig.json", "references": [{"path": ".."}]}',
    Makefile: "test: check\ncheck: test\n\t$(MAKE) test\ninclude Makefile\n",
    justfile: "test: check\ncheck: test\nimport 'justfile'\n",
    "Taskfile.yml": "version: '3'\nincludes: {a: ./Taskfile.yml}\ntasks: {test: {cmds: [{task: test}]}}\n",
    ".github/workflows/x.yml":
      "on: push\njobs: {a: {needs: b, uses: ./.github/workflows/x.yml}, b: {needs: a, steps: [{uses: ./.github/actions/a}]}}\n",
    ".github/actions/a/action.yml": "runs: {using: composite, steps: [{uses: ./.github/actions/a}]}\n",
    "composer.json": '{"scripts": {"test": "@check", "check": ["@test"]}}',
    "Cargo.toml": "[workspace]\nmembers = ['.', 'a/..', '*']\n[package]\nname='a'\n",
    "go.work": "go 1.22\nuse (\n  .\n  ./.\n)\n",
    "settings.gradle": "include ':'\nincludeBuild '.'\n",
    "pom.xml":
      "<project><parent><relativePath>pom.xml</relativePath></parent><modules><module>.</module></modules></project>",
  });
  expect(planSchema.parse(circles)).toEqual(circles);
});

interface Placed {
  readonly code: number | null;
  readonly stdout: string;
  readonly ms: number;
}

/** `assay plan --json` as it is shipped. */
function planIn(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Placed> {
  const from = cpuClock();
  const child = spawn(process.execPath, [CLI, "plan", "--json"], {
    cwd: folder,
    env: {...process.env, ...env},
    stdio: ["ignore", "pipe", "ignore"],
    timeout: LONGEST_MS,
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({code, stdout, ms: cpuClock() - from})));
}

function place(name: string, files: Readonly<Record<string, Content>>): string {
  const folder = join(scratch, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

test("files of 100 MB, pipes, and links to devices, to themselves and out of the project are noted, not read", async () => {
  const folder = place("links", {"package.json": "{}", Makefile: "", "go.mod": "", "a/x": ""});
  for (const big of ["package.json", "go.mod"]) truncateSync(join(folder, big), 100 * 1024 * 1024);
  rmSync(join(folder, "Makefile"));
  spawnSync("mkfifo", [join(folder, "Makefile")]);
  symlinkSync("/dev/zero", join(folder, "pyproject.toml"));
  symlinkSync("Cargo.toml", join(folder, "Cargo.toml"));
  symlinkSync("..", join(folder, "a/up"));
  const outside = place("outside", {"composer.json": '{"scripts": {"test": "phpunit"}}'});
  symlinkSync(join(outside, "composer.json"), join(folder, "composer.json"));
  spawnSync("git", ["init", "--quiet"], {cwd: folder});

  const ran = await planIn(folder);
  expect(ran.code).toBe(0);
  const {stages, notes} = planSchema.parse(JSON.parse(ran.stdout));
  expect(stages).toEqual([]);
  for (const file of ["package.json", "go.mod", "pyproject.toml", "Cargo.toml", "composer.json"])
    expect(notes.map(({about}) => about)).toContain(file);
});

test("planning starts nothing of the repository: not its programs, hooks, monitors, filters or scripts", async () => {
  const trace = join(scratch, "trace");
  mkdirSync(trace);
  const script = (name: string) => `#!/bin/sh\ntouch '${trace}/${name}'\n`;
  const programs = [
    "npm",
    "node",
    "make",
    "python3",
    "cargo",
    "go",
    "mvn",
    "mvnw",
    "gradlew",
    "just",
    "bash",
    "sh",
    "ls",
  ];
  const folder = place("planted", {
    "package.json": '{"scripts": {"test": "node --test", "prepare": "./evil"}, "dependencies": {"a": "*"}}',
    Makefile: `X := $(shell touch '${trace}/make')\ntest:\n\ttrue\n`,
    "setup.py": `open('${trace}/setup', 'w')\n`,
    "conftest.py": `open('${trace}/conftest', 'w')\n`,
    "eslint.config.js": `require('fs').writeFileSync('${trace}/eslint', '')\n`,
    "build.gradle": `new File('${trace}/gradle').text = ''\n`,
    Gemfile: `File.write('${trace}/gem', '')\n`,
    "mix.exs": `File.write!("${trace}/mix", "")\n`,
    ".gitattributes": "* filter=evil diff=evil\n",
    evil: script("evil"),
    ...Object.fromEntries(
      programs.flatMap((name) => [
        [name, script(name)],
        [`node_modules/.bin/${name}`, script(name)],
      ]),
    ),
  });
  for (const name of ["evil", ...programs, ...programs.map((one) => `node_modules/.bin/${one}`)])
    chmodSync(join(folder, name), 0o755);
  spawnSync("git", ["init", "--quiet"], {cwd: folder});
  const evil = join(folder, "evil");
  const config = `[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${folder}\n\tsshCommand = ${evil}\n\tpager = ${evil}\n[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\tprocess = ${evil}\n[diff "evil"]\n\ttextconv = ${evil}\n`;
  writeFileSync(join(folder, ".git/config"), `[core]\n\trepositoryformatversion = 0\n${config}`);
  for (const hook of ["post-index-change", "fsmonitor-watchman"]) {
    writeFileSync(join(folder, ".git/hooks", hook), script(hook));
    chmodSync(join(folder, ".git/hooks", hook), 0o755);
  }

  // The trap works: git itself walks into it.
  spawnSync("git", ["status"], {cwd: folder});
  expect(readdirSync(trace)).toContain("evil");
  rmSync(join(trace, "evil"));

  const ran = await planIn(folder);
  expect(ran.code).toBe(0);
  expect(planSchema.parse(JSON.parse(ran.stdout)).stages.length).toBeGreaterThan(0);
  expect(readdirSync(trace)).toEqual([]);
});
