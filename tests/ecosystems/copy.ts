/** A fixture project as a repository of its own, and the built command line run in it. */
import {spawn, spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {TOOLS_PATH} from "./tools.ts";

const root = join(import.meta.dirname, "../..");
/** Marks of a workflow's environment, which would make the tools behave differently on CI. */
const NOT_HANDED_ON = /^(GITHUB_|ACTIONS_|INPUT_|CI$|VITEST|NODE_ENV$)/;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_HANDED_ON.test(name)));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Copies a folder of tests/fixtures/ecosystems/ and commits it. `remove` takes the copy away. */
export function copyOf(folder: string): {readonly folder: string; remove(): void} {
  const copy = mkdtempSync(join(tmpdir(), `assay-${folder}-`));
  cpSync(join(root, "tests/fixtures/ecosystems", folder), copy, {recursive: true});
  git(copy, "init", "--quiet", "--initial-branch=main");
  commitAll(copy);
  return {folder: copy, remove: () => rmSync(copy, {recursive: true, force: true, maxRetries: 3})};
}

export function commitAll(folder: string): void {
  git(folder, "add", "--all");
  git(folder, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=Start");
}

function git(folder: string, ...args: string[]): void {
  const ran = spawnSync("git", args, {cwd: folder, encoding: "utf8"});
  if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
}

/** Runs `assay …` as it is shipped, in `folder`. */
export function assay(folder: string, ...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
    cwd: folder,
    env: {...environment, PATH: TOOLS_PATH},
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({code, stdout, stderr}));
  });
}
