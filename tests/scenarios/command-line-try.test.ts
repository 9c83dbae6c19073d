/** `assay try`: a whole run without GitHub. The work is a branch of the clone, whose files stay as they are. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {agentProgram} from "../rig/agent.ts";
import {gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {MODEL, startModel} from "../rig/model.ts";
import {plain, WRITES} from "../rig/projects.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

async function tryIn(folder: string, args: readonly string[], env: Record<string, string>) {
  const scratch = mkdtempSync(join(tmpdir(), "assay-command-"));
  const variables = {...process.env, NO_COLOR: "1", ...env, TMPDIR: scratch};
  const child = spawn(process.execPath, [CLI, "try", ...args], {cwd: folder, env: variables});
  const texts = {stdout: "", stderr: ""};
  child.stdout.on("data", (data) => (texts.stdout += data));
  child.stderr.on("data", (data) => (texts.stderr += data));
  const [status] = await once(child, "close");
  rmSync(scratch, {recursive: true, force: true});
  return {status, ...texts};
}

const FILES = Object.fromEntries(
  Object.entries(plain()).flatMap(([path, file]) => (typeof file === "string" ? [[path, file]] : [])),
);

/** The agent as a person has installed it. */
function pathWith(folder: string): string {
  mkdirSync(join(folder, "bin"));
  symlinkSync(agentProgram(), join(folder, "bin", "pi"));
  return `${join(folder, "bin")}:${process.env["PATH"]}`;
}

test("the verified work is on a branch, and the work tree is as it was", async () => {
  await using model = await startModel();
  const folder = repositoryOf(FILES);
  const agentConfig = mkdtempSync(join(tmpdir(), "assay-agent-"));
  const env = await model.configure(agentConfig);
  model.script([
    {when: "multiply", do: WRITES.wrong, say: "Done."},
    {when: /.*/, do: WRITES.right, say: "The product is right now."},
  ]);
  put(folder, {"draft.txt": "not committed\n"});
  const options = ["--provider", MODEL.provider, "--model", MODEL.id, "--agent-config", agentConfig];
  const end = await tryIn(folder, ["multiply, please", ...options], {...env, PATH: pathWith(agentConfig)});
  const git = gitIn(folder);
  expect(end.status).toBe(0);
  expect(git("status", "--short")).toBe("?? draft.txt");
  const branch = git("branch", "--list", "assay/*").trim();
  expect(git("log", "--format=%B", `main..${branch}`)).toContain("Assay-Verified-Tree: ");
  expect(end.stdout).toContain(`is on the branch ${branch} of this clone`);
  const page = readFileSync(join(folder, ".git/assay/report.html"), "utf8");
  expect(page).toContain("Verified");
});
