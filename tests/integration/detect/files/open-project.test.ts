/** The files of a real folder: which are listed, and which are read. */
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterEach, describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {openProject} from "../../../../src/detect/files/open-project.ts";
import {plan} from "../../../../src/detect/plan.ts";
import {cpuClock} from "../../../unit/report/cpu-time.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true, force: true});
});

function folderOf(tree: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-plan-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {stdio: "pipe"});
const planned = async (folder: string) => plan({project: await openProject(folder), config: DEFAULT_CONFIG});

describe("listing", () => {
  it("takes tracked and untracked files, and leaves ignored ones", async () => {
    const folder = folderOf({".gitignore": "out/\n", "a.txt": "", "out/b.txt": "", "odd name\n.txt": ""});
    git(folder, "init", "-q");
    git(folder, "add", "a.txt");
    expect((await openProject(folder)).files).toEqual([".gitignore", "a.txt", "odd name\n.txt"]);
  });
  it("walks a folder without git, past installed packages", async () => {
    const folder = folderOf({"b/c": "", a: "", "node_modules/x/package.json": "{}"});
    expect((await openProject(folder)).files).toEqual(["a", "b/c"]);
  });
  it("runs nothing that a repository's own config names", async () => {
    const folder = folderOf({"a.txt": ""});
    git(folder, "init", "-q");
    const trap = join(folder, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(folder, "sprung")}\n`, {mode: 0o755});
    git(folder, "config", "core.fsmonitor", trap);
    git(folder, "config", "core.hooksPath", folder);
    expect((await openProject(folder)).has("sprung")).toBe(false);
    expect((await openProject(folder)).files).toContain("a.txt");
  });
  it("survives loops of links, and a folder that is not there", async () => {
    const folder = folderOf({"a/b": ""});
    symlinkSync("..", join(folder, "a/up"));
    symlinkSync("self", join(folder, "self"));
    expect((await openProject(folder)).files).toEqual(["a/b", "a/up", "self"]);
    expect((await openProject(folder)).text("self")).toBeNull();
    expect((await openProject(join(folder, "nowhere"))).files).toEqual([]);
  });
});

describe("reading", () => {
  it("refuses what leads out, pipes, and what is too large; each with a note", async () => {
    const folder = folderOf({"big.json": `"${"x".repeat(1_000_001)}"`});
    const outside = folderOf({"secret.json": '{"a": 1}'});
    symlinkSync(join(outside, "secret.json"), join(folder, "link.json"));
    symlinkSync(outside, join(folder, "dir"));
    git(folder, "init", "-q");
    const project = await openProject(folder);
    for (const path of ["big.json", "link.json", "dir"]) expect([path, project.json(path)]).toEqual([path, undefined]);
    expect(project.notes.map((note) => note.about)).toEqual(["big.json", "link.json", "dir"]);
  });
  it("does not wait at a pipe that stands where git knows a file", async () => {
    const folder = folderOf({"package.json": "{}"});
    git(folder, "init", "-q");
    git(folder, "add", "package.json");
    rmSync(join(folder, "package.json"));
    execFileSync("mkfifo", [join(folder, "package.json")]);
    const project = await openProject(folder);
    expect(project.files).toEqual(["package.json"]);
    expect(project.text("package.json")).toBeNull();
    expect(project.notes).toEqual([{about: "package.json", text: "not read: it is not a regular file"}]);
  });
  it("says of a file that git lists that it is not in the folder, and of a link that it leads nowhere", async () => {
    const folder = folderOf({"a/ci.yml": "on: push\n", "package.json": "{}"});
    symlinkSync("nowhere", join(folder, "link.json"));
    git(folder, "init", "-q");
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "x");
    unlinkSync(join(folder, "a/ci.yml"));
    const project = await openProject(folder);
    for (const path of ["a/ci.yml", "link.json"]) expect(project.text(path)).toBeNull();
    expect(project.notes.map(({text}) => text)).toEqual([
      expect.stringContaining("a sparse checkout leaves it out"),
      "not read: it is a link to a file that does not exist",
    ]);
  });
  it("reads from git what a sparse checkout leaves out, but no deleted file", async () => {
    const folder = folderOf({"a/ci.yml": "on: push\n", "package.json": "{}"});
    for (const command of ["init -q", "add .", "commit -qm x", "sparse-checkout set b"])
      git(folder, ...command.split(" "));
    unlinkSync(join(folder, "package.json"));
    const leftOut: string[] = [];
    const project = await openProject(folder, {}, undefined, (path) => leftOut.push(path));
    expect([project.text("a/ci.yml"), project.text("package.json"), leftOut]).toEqual([
      "on: push\n",
      null,
      ["a/ci.yml"],
    ]);
  });
  it("decodes marks and UTF-16", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":2}', "utf16le")]);
    const project = await openProject(
      folderOf({"bom.json": '\ufeff{"a":1}', "wide.json": utf16, "nul.json": '{"a":\0}'}),
    );
    expect([project.json("bom.json"), project.json("wide.json"), project.json("nul.json")]).toEqual([
      {a: 1},
      {a: 2},
      undefined,
    ]);
    expect(project.notes.map((note) => note.about)).toEqual(["nul.json"]);
  });
});

describe("hostile manifests", () => {
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
    .split("")
    .map((name, i) => `${name}: &${name} [${`*${"abcdefghi"[i]},`.repeat(9)}]`)
    .join("\n")}\n`;
  it.each<[string, Record<string, string | Uint8Array>]>([
    ["truncated", {"package.json": '{"scripts": {"test": "moc'}],
    ["deeply nested", {"package.json": deep('{"a":', "}"), "turbo.json": deep("[", "]")}],
    [
      "of other types",
      {"package.json": '{"scripts": [1], "workspaces": {"packages": 7}, "packageManager": 3, "devDependencies": "x"}'},
    ],
    [
      "prototype keys",
      {
        "package.json":
          '{"scripts": {"__proto__": "x", "constructor": "y", "toString": "z"}, "workspaces": ["__proto__"]}',
      },
    ],
    ["a YAML bomb", {"package.json": "{}", "pnpm-workspace.yaml": `${bomb}packages: *j\n`}],
    [
      "workspaces that hold each other",
      {
        "package.json": '{"workspaces": ["a", "."]}',
        "a/package.json": '{"workspaces": ["..", "../a"], "scripts": {"test": "npm test -w a"}}',
      },
    ],
    [
      "a glob bomb",
      {
        "package.json": JSON.stringify({
          workspaces: [
            ...Array.from({length: 8}, (_, i) => `p${i}/${"{a,b}".repeat(40)}`),
            `${"*".repeat(500)}x`,
            "(".repeat(5000),
            "!".repeat(3000),
          ],
        }),
        [`${"a".repeat(200)}/package.json`]: "{}",
      },
    ],
    [
      "scripts that start each other",
      {
        "package.json": JSON.stringify({
          scripts: Object.fromEntries(
            Array.from({length: 60}, (_, i) => [
              i === 0 ? "test" : `s${i}`,
              Array.from({length: 60}, (__, j) => `npm run s${j}`).join(" && "),
            ]),
          ),
        }),
      },
    ],
    ["a script of a megabyte", {"package.json": JSON.stringify({scripts: {test: "a && ".repeat(190_000)}})}],
    [
      "a Makefile of odd lines",
      {Makefile: `${"(".repeat(50_000)}\ntest: ${"x ".repeat(50_000)}\n\t$(A)\nA=$(A)$(A)\n${"a:=".repeat(50_000)}`},
    ],
  ])("%s: a plan in time, without a throw", async (_, tree) => {
    const started = cpuClock();
    const made = await planned(folderOf(tree));
    expect(made.ok).toBe(true);
    expect(cpuClock() - started).toBeLessThan(3000);
  });
  it("tells what it could not understand, without quoting it", async () => {
    const made = await planned(folderOf({"package.json": '{"token": ghp_secret'}));
    expect(made.ok && made.value.notes).toEqual([{about: "package.json", text: "not parsed: this is not valid JSON"}]);
  });
});
