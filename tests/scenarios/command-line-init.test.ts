/** `assay init` from a terminal: the workflow of the mode that was asked for, beside a `verify.json`. */
import {spawn, spawnSync} from "node:child_process";
import {once} from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay} from "../rig/command-line.ts";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";
import {everyNth, isSweep, someOf} from "../sweep.ts";

/** A repository without a commit, in a temporary folder. */
async function emptyRepository(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "assay-init-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  await git(folder, ["init", "-q"]);
  return folder;
}
const read = (...path: string[]) => readFileSync(join(...path), "utf8");

test("init writes docs/workflows/assay.yml; a workflow that exists stays, and the options for it are said to have no effect", async () => {
  const folder = await emptyRepository();
  const first = assay(folder, ["init"]);
  expect(first).toMatchObject({status: 0, stderr: ""});
  expect(first.stdout).not.toContain("no effect");
  // Where no check is found, the first next step says so.
  expect(first.stdout).toMatch(/\nNext: add `stages` to verify\.json/);
  const workflow = [folder, ".github/workflows/assay.yml"];
  expect(read(...workflow)).toBe(read(PRODUCT, "docs/workflows/assay.yml"));
  const hint =
    ".github/workflows/assay.yml stays as it is, so the options for the workflow had no effect. To change it, add `--update`";
  expect(assay(folder, ["init", "--mode", "single"]).stdout).toContain(hint);
  expect(read(...workflow)).toBe(read(PRODUCT, "docs/workflows/assay.yml"));
  rmSync(join(folder, "verify.json"));
  writeFileSync(join(folder, "package.json"), '{"scripts": {"test": "node --test"}}');
  const again = assay(folder, ["init"]);
  expect(again.stdout).toMatch(/\nNext: commit and push Assay's files/);
  expect(again.stdout).not.toContain("no effect");
});

test("init --attest lets only the publishing job sign, and is refused for one job, where the agent could", async () => {
  const folder = await emptyRepository();
  expect(assay(folder, ["init", "--attest", "--mode", "single", "--yes"])).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("--attest needs --mode separated"),
  });
  expect(assay(folder, ["init", "--attest", "--yes", "--no-prove"]).status).toBe(0);
  const text = readFileSync(join(folder, ".github/workflows/assay.yml"), "utf8");
  const [before = "", publish = ""] = text.split("\n  publish:\n");
  expect(before).not.toMatch(/id-token|attest/);
  expect(publish).toMatch(/id-token: write # sign the statement[\s\S]*job: publish[\s\S]* attest: true\n/);
});

test("init --update shows each new permission and why, and writes only after a yes", async () => {
  const folder = await emptyRepository();
  const update = (...options: string[]) => assay(folder, ["init", "--update", ...options]);
  expect(update()).toMatchObject({status: 3, stderr: expect.stringContaining("Run `assay init`")});
  assay(folder, ["init", "--yes", "--no-prove"]);
  const file = join(folder, ".github/workflows/assay.yml");
  const before = `${read(file)}# mine\n`;
  writeFileSync(file, before);
  const refused = update("--attest");
  expect(refused).toMatchObject({status: 3, stderr: ""});
  expect(refused.stdout).toMatch(
    /New permissions:\n {2}id-token: write, for the job `publish`: sign the .*\n {2}attestations: write/,
  );
  expect(refused.stdout).toContain("\n- # mine\n");
  expect(refused.stdout).toContain("Nothing was written");
  expect(read(file)).toBe(before);
  expect(update("--attest", "--yes").status).toBe(0);
  expect(read(file)).toContain("attestations: write");
  // The options of the file count now.
  expect(update("--json")).toMatchObject({status: 0, stdout: expect.stringContaining("is what this version writes")});
});

test("init --update to separate jobs names the set-up action that the new workflow lacks", async () => {
  const folder = await emptyRepository();
  writeFileSync(join(folder, "package.json"), '{"scripts": {"test": "node --test"}, "devDependencies": {"a": "1"}}');
  assay(folder, ["init", "--yes", "--no-prove", "--mode", "single"]);
  const action = ".github/actions/assay-setup/action.yml";
  const update = () => assay(folder, ["init", "--update", "--mode", "separated", "--yes"]).stdout;
  expect(update()).toContain(`Run \`assay init\`, which writes ${action}, then commit both files.`);
  assay(folder, ["init", "--yes", "--no-prove"]);
  expect(existsSync(join(folder, action))).toBe(true);
});

test("one job is docs/workflows/single.yml; next to it, `init` says why it writes no second one, and names the setting for pull requests", async () => {
  const folder = await emptyRepository();
  const init = (...argv: string[]) => assay(folder, ["init", ...argv]).stdout;
  expect(init("--mode", "single")).toContain("Allow GitHub Actions to create and approve pull requests");
  const workflow = join(folder, ".github/workflows/assay.yml");
  expect(read(workflow)).toBe(read(PRODUCT, "docs/workflows/single.yml"));
  renameSync(workflow, join(folder, ".github/workflows/bot.yml"));
  expect(init("--mode", "separated")).toMatch(/bot\.yml runs Assay in one job .* two workflows would both start/);
  expect(init("--mode", "single")).not.toContain("would both start");
  expect(existsSync(workflow)).toBe(false);
});

if (isSweep)
  test("on a server of one's own only one job is written, without keys that the server may not know", async () => {
    const folder = await emptyRepository();
    await git(folder, ["remote", "add", "origin", "git@git.example.com:ada/shop.git"]);
    const {GITHUB_SERVER_URL: _, ...env} = process.env;
    const assayWith = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      spawnSync(process.execPath, [join(PRODUCT, "dist/cli.js"), ...argv], {
        cwd: folder,
        encoding: "utf8",
        env: {...env, ...more},
      });
    const refused = assayWith(["init"]);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toMatch(/git\.example\.com, and separate jobs hand over .*artifacts.*--mode single/);
    expect(existsSync(join(folder, ".github"))).toBe(false);

    expect(assayWith(["init", "--mode", "single"]).status).toBe(0);
    const file = join(folder, ".github/workflows/assay.yml");
    expect(readFileSync(file, "utf8")).not.toMatch(/queue:|deployment:/);
    expect(assayWith(["doctor"]).stdout).not.toContain("on git.example.com");

    rmSync(file);
    expect(assayWith(["init"], {GITHUB_SERVER_URL: "https://github.com"}).status).toBe(0);
    expect(assayWith(["doctor"]).stdout).toMatch(/❌ .*assay\.yml on git\.example\.com: separate jobs hand over/);
  });

test.each(
  everyNth(
    [
      {argv: [], link: ".github", to: "../elsewhere", says: ".github is a link that leads out of the repository"},
      {argv: [], link: ".github/workflows", to: "../../elsewhere", says: ".github/workflows is a link"},
      {argv: ["--agent", "claude"], link: ".claude", to: "../elsewhere", says: ".claude is a link"},
      {argv: ["--agent", "claude"], link: ".claude", to: "../nowhere/x", says: ".claude is a link"},
      {argv: ["--agent", "codex"], link: ".codex", to: "README.md", says: ".codex is not a folder"},
    ],
    3,
  ),
)("init $argv writes nothing through a link $link to $to", async ({argv, link, to, says}) => {
  const place = mkdtempSync(join(tmpdir(), "assay-init-"));
  onTestFinished(() => rmSync(place, {recursive: true}));
  const [folder, elsewhere] = [join(place, "clone"), join(place, "elsewhere")];
  for (const path of [folder, elsewhere, join(folder, dirname(link))]) mkdirSync(path, {recursive: true});
  await git(folder, ["init", "-q"]);
  writeFileSync(join(folder, "README.md"), "");
  symlinkSync(to, join(folder, link));
  const {status, stdout, stderr} = assay(folder, ["init", ...argv]);
  expect({status, stdout}).toEqual({status: 3, stdout: ""});
  expect(stderr).toContain(`error: ${says}`);
  expect([readdirSync(elsewhere), existsSync(join(folder, "verify.json"))]).toEqual([[], false]);
});

test("init follows a link inside the repository, and keeps a verify.json that is a link without a target", async () => {
  const folder = await emptyRepository();
  mkdirSync(join(folder, ".agents"));
  symlinkSync(".agents", join(folder, ".claude"));
  symlinkSync("missing.json", join(folder, "verify.json"));
  expect(assay(folder, ["init", "--agent", "claude"])).toMatchObject({status: 0, stderr: ""});
  expect(readdirSync(join(folder, ".agents"))).toEqual(["settings.json"]);
  expect(assay(folder, ["init", "--agent", "claude"]).stdout).toContain("settings.json has the hook already.");
  expect(assay(folder, ["init"]).stdout).toContain("kept verify.json");
  expect(existsSync(join(folder, "missing.json"))).toBe(false);
});

test("a folder that is no repository gets files only if a person agrees", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-init-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const cli = join(PRODUCT, "dist/cli.js");
  const init = (...argv: string[]) =>
    spawnSync(process.execPath, [cli, "init", ...argv], {cwd: folder, encoding: "utf8"});
  expect(init()).toMatchObject({status: 3, stdout: "", stderr: expect.stringContaining("is not a git repository")});
  expect(await typed(folder, "", ["\n", "\n", "n\n"])).toMatchObject({
    status: 3,
    stdout: expect.stringContaining("Write the files anyway? [y/N]"),
  });
  expect(existsSync(join(folder, "verify.json"))).toBe(false);
  expect((await typed(folder, "", ["\n", "\n", "y\n"])).status).toBe(0);
  expect(existsSync(join(folder, "verify.json"))).toBe(true);
  expect(init("--yes").status).toBe(0);
});

/** Gives each answer when its question is on the terminal, which `script` provides. */
async function typed(folder: string, argv: string, answers: readonly string[]) {
  const command = `${process.execPath} ${join(PRODUCT, "dist/cli.js")} init --no-prove ${argv}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {cwd: folder, env: {...process.env, NO_COLOR: "1"}});
  let stdout = "";
  let given = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const asked = stdout.match(/\? \[[\w/]+\]/g)?.length ?? 0;
    while (given < Math.min(asked, answers.length)) child.stdin.write(answers[given++] ?? "");
  });
  const [status] = await once(child, "close");
  return {status, stdout};
}

test("a terminal is asked three questions, sees the files first, and gets the links of its repository", async () => {
  const folder = await emptyRepository();
  await git(folder, ["remote", "add", "origin", "git@github.com:ada/shop.git"]);
  const workflow = join(folder, ".github/workflows/assay.yml");
  const refused = await typed(folder, "", ["goo\n", "single\n", "n\n"]);
  expect(refused).toMatchObject({
    status: 3,
    stdout: expect.stringMatching(/\.github\/workflows\/assay\.yml[\s\S]*Write these files\? \[Y\/n\]/),
  });
  expect(refused.stdout).toContain("Nothing was written.");
  expect(existsSync(workflow)).toBe(false);
  const {status, stdout} = await typed(folder, "", ["wrong\n", "openai\n", "\n", "\n"]);
  expect(status).toBe(0);
  expect(stdout.match(/\? \[/g)).toHaveLength(3 + 1); // the first question is repeated
  expect(readFileSync(workflow, "utf8")).toMatch(/provider: openai\n +secrets:\n +OPENAI_API_KEY: /);
  expect(stdout).toContain("https://github.com/ada/shop/settings/secrets/actions/new");
  expect(stdout).toContain("https://github.com/ada/shop/settings/actions");
  expect(stdout.match(/^Next: /gm)).toHaveLength(1);
  expect(stdout).not.toContain("\u001b[2m");
});

test("flags and `--yes` answer the questions, and Ctrl-C writes nothing", async () => {
  const folder = await emptyRepository();
  expect(await typed(folder, "", ["\u0003"])).toMatchObject({
    status: 3,
    stdout: expect.stringContaining("Nothing was written."),
  });
  expect((await typed(folder, "--provider google --mode single", ["n\n"])).stdout).not.toMatch(/Model provider|Jobs:/);
  expect(readdirSync(folder)).toEqual([".git"]);
  expect(await typed(folder, "--yes", [])).toMatchObject({status: 0, stdout: expect.not.stringContaining("? [")});
});

test("after `init`, `doctor` names only what `init` named", async () => {
  const folder = await emptyRepository();
  writeFileSync(join(folder, "go.mod"), "module a\n\ngo 1.22\n");
  writeFileSync(join(folder, "a.go"), "package a\n");
  writeFileSync(join(folder, ".golangci.yml"), "version: '2'\n");
  const {stdout} = assay(folder, ["init", "--no-prove"]);
  const findings: {state: string; next: string | null}[] = JSON.parse(
    assay(folder, ["doctor", "--json"]).stdout,
  ).findings;
  const left = findings.flatMap(({next}) => next?.split("\n")[0] ?? []);
  expect(left.length).toBeGreaterThan(2);
  for (const next of left) expect(stdout).toContain(next);
});

test.each(
  someOf<[string, Record<string, string>, string | null]>([
    ["single", {model: "google/gemini-2.5-pro"}, "GEMINI_API_KEY"],
    ["single", {provider: "openai", model: "gpt-5"}, "OPENAI_API_KEY"],
    ["separated", {provider: "deepseek", model: "deepseek-chat"}, "DEEPSEEK_API_KEY"],
    ["single", {provider: "anthropic", model: "claude-opus-4-1"}, null],
  ]),
)("in %s mode, the key of the judge %j reaches the workflow and is named", async (mode, judge, key) => {
  const folder = await emptyRepository();
  writeFileSync(join(folder, "verify.json"), JSON.stringify({judge: {enabled: true, ...judge}}));
  const {stdout} = assay(folder, ["init", "--mode", mode]);
  const workflow = readFileSync(join(folder, ".github/workflows/assay.yml"), "utf8");
  const secrets = [...new Set([...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name))];
  // encrypts saved conversations, whatever the models are
  const ofModels = secrets.filter((name) => name !== "ASSAY_SESSION_KEY");
  expect(ofModels).toEqual(["ANTHROPIC_API_KEY", ...(key === null ? [] : [key])]);
  const names = key === null ? "secret ANTHROPIC_API_KEY" : `secrets ANTHROPIC_API_KEY, ${key}`;
  expect(stdout).toContain(`add the ${names}, unless`);
});

test("a bare repository gets no files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-init-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  await git(folder, ["init", "-q", "--bare"]);
  const before = readdirSync(folder);
  for (const argv of [["init"], ["init", "--yes"], ["init", "--agent", "claude"], ["plan"], ["verify"]]) {
    const stderr = expect.stringMatching(/^error: \S+ is a bare repository, which has no files\. [^\n]*\n$/);
    expect(assay(folder, argv)).toMatchObject({status: 3, stdout: "", stderr});
  }
  expect(readdirSync(folder)).toEqual(before);
});
