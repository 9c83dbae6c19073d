/** `assay try`: a whole run without GitHub. The work is a branch of the clone, whose files stay as they are. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {agentProgram} from "../rig/agent.ts";
import {gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {MODEL, startModel, writeFileAt} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";
import {isSweep} from "../sweep.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

/** Of a run that was killed. No process has this number. */
const LEFT = "assay-try-99999999-killed";

async function tryIn(folder: string, args: readonly string[], env: Record<string, string>) {
  const scratch = mkdtempSync(join(tmpdir(), "assay-command-"));
  mkdirSync(join(scratch, LEFT));
  const variables = {...process.env, NO_COLOR: "1", ...env, TMPDIR: scratch};
  const child = spawn(process.execPath, [CLI, "try", ...args], {cwd: folder, env: variables});
  const texts = {stdout: "", stderr: ""};
  child.stdout.on("data", (data) => (texts.stdout += data));
  child.stderr.on("data", (data) => (texts.stderr += data));
  const [status] = await once(child, "close");
  const bundles = globSync("**/*.bundle", {cwd: scratch});
  rmSync(scratch, {recursive: true, force: true});
  return {status, bundles, ...texts};
}

const FILES = Object.fromEntries(
  // The sandbox is required all the same: this is a person's machine.
  Object.entries(plain({verify: {sandbox: "off"}})).flatMap(([path, file]) =>
    typeof file === "string" ? [[path, file]] : [],
  ),
);

/** The agent as a person has installed it. */
function pathWith(folder: string): string {
  mkdirSync(join(folder, "bin"));
  symlinkSync(agentProgram(), join(folder, "bin", "pi"));
  return `${join(folder, "bin")}:${process.env["PATH"]}`;
}

/** A clone with an agent whose model answers as scripted. */
async function openTrial() {
  const model = await startModel();
  const folder = repositoryOf(FILES);
  const agentConfig = mkdtempSync(join(tmpdir(), "assay-agent-"));
  const env = await model.configure(agentConfig);
  put(folder, {"draft.txt": "not committed\n"});
  const options = ["--provider", MODEL.provider, "--model", MODEL.id, "--agent-config", agentConfig];
  const request = () => tryIn(folder, ["multiply, please", ...options], {...env, PATH: pathWith(agentConfig)});
  return {
    model,
    folder,
    git: gitIn(folder),
    request,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      for (const path of [folder, agentConfig]) rmSync(path, {recursive: true, force: true});
    },
  };
}

test("the verified work is on a branch, and the work tree is as it was", async () => {
  await using trial = await openTrial();
  const {model, git, folder} = trial;
  model.script([
    {when: "multiply", do: WRITES.wrong, say: "Done."},
    {when: /.*/, do: WRITES.right, say: "The product is right now."},
  ]);
  const end = await trial.request();
  expect(end.status).toBe(0);
  expect([git("status", "--short"), git("branch", "--show-current")]).toEqual(["?? draft.txt", "main"]);
  const message = git("log", "--format=%B", "main..assay/run-1");
  expect(message).toContain("Assay-Verified-Tree: ");
  // The person has no account here.
  expect(message).not.toContain("Co-authored-by");
  expect(git("diff", "--name-only", "main", "assay/run-1")).toBe("src/product.js\ntests/product.test.js");
  expect(end.stdout).toContain("The work is on the branch assay/run-1 of this clone. Your files are as they were.");
  const page = readFileSync(join(folder, ".git/assay/report.html"), "utf8");
  expect(page).toContain("The changes are in this clone, on the branch <code>assay/run-1</code>");
  expect(page).toContain("each stage in a sandbox");
  expect(page).not.toMatch(/href="(?!https:|#)|src=/);
  expect(model.prompts.join("")).not.toContain("not committed");
  expect(end.stderr).toMatch(new RegExp(`^An earlier .assay try. left its files in /\\S+/${LEFT}\\.\n$`));
  expect(git("for-each-ref", "refs/assay")).toBe("");
});

test("work that the clone does not take stays in the folder that the report names", async () => {
  await using trial = await openTrial();
  const {model, git} = trial;
  // A person's mirror of a folder, which Git applies to a fetch from a path too.
  git("config", "url./nowhere/.insteadOf", tmpdir());
  model.script([{when: "multiply", do: WRITES.right, say: "Done."}]);
  const end = await trial.request();
  expect(end.stdout).toContain("This clone did not take the work. It is a git bundle in ");
  expect(end.bundles).toHaveLength(1);
  expect(git("branch", "--list", "assay/*")).toBe("");
});

if (isSweep)
  test("work that never passes is on a branch of its own, and is called not verified", async () => {
    await using trial = await openTrial();
    const {model, git} = trial;
    const wrong = (number: number) => [writeFileAt("src/product.js", `export const product = () => ${number};\n`)];
    model.script([
      {when: "multiply", do: [...WRITES.wrong, ...wrong(1)], say: "Done."},
      ...[2, 3, 4, 5].map((number) => ({when: /.*/, do: wrong(number), say: "Done again."})),
    ]);
    const end = await trial.request();
    expect(end.status).toBe(1);
    expect(end.stdout).toContain("The work, which is not verified, is on the branch assay/parked/run-1 of this clone.");
    expect(end.stdout).not.toContain("git merge");
    expect(git("log", "--format=%B", "main..assay/parked/run-1")).toContain("Assay-Unverified-Tree: ");
    expect(git("status", "--short")).toBe("?? draft.txt");
  });

test("any program can be the agent, and gets its arguments", async () => {
  const folder = repositoryOf(FILES);
  const lines = ["bash", "-c", `cat >prompt; printf '%s\\n' "$1" >>README.md; rm prompt`, "agent", "a line"];
  const end = await tryIn(folder, ["multiply", "--agent", "command", "--agent-args", lines.join("\n")], {});
  const added = gitIn(folder)("show", "assay/run-1", "--", "README.md");
  rmSync(folder, {recursive: true, force: true});
  expect([end.status, added]).toEqual([0, expect.stringContaining("+a line")]);
});

test("an agent that does not exist is named with those that do", async () => {
  const folder = repositoryOf(FILES);
  const end = await tryIn(folder, ["multiply, please", "--agent", "clade"], {});
  rmSync(folder, {recursive: true, force: true});
  expect([end.status, end.stderr]).toEqual([
    3,
    expect.stringMatching(/^error: `--agent` must be one of pi, [^.]*\.\n$/),
  ]);
});
