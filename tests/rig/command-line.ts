/** Runs the built command line in a folder, and makes small repositories for it to run in. */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {type RunRecord, recordSchema} from "../../src/record/record.ts";
import {COMPILE_CACHE} from "./compile-cache.ts";
import {bareGitEnvironment} from "./git.ts";

export const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

export interface CommandEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** of a command with `--json` that printed one */
  readonly record: RunRecord | null;
  /** temporary files that are still there */
  readonly left: readonly string[];
}

/** Runs `assay` with these arguments, on the program that runs this; `under` stands before the command. */
export function assay(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
): CommandEnd {
  const scratch = mkdtempSync(join(tmpdir(), "assay-command-"));
  try {
    // CI asks for colors, which would stand between the words
    const variables = {...process.env, NO_COLOR: "1", NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, TMPDIR: scratch};
    const [program = process.execPath, ...rest] = [...under, process.execPath, CLI, ...args];
    const {status, stdout, stderr} = spawnSync(program, rest, {
      cwd,
      encoding: "utf8",
      env: variables,
    });
    const record = stdout.startsWith('{\n  "schema": "assay.record') ? recordSchema.parse(JSON.parse(stdout)) : null;
    return {status, stdout, stderr, record, left: readdirSync(scratch)};
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}

/** git as nobody's configuration has it, in one folder. */
export const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: folder,
      env: bareGitEnvironment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();

/** Writes files below a folder. */
export function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), content);
  }
}

/** A repository with one commit of these files, in a temporary folder that the caller removes. */
export function repositoryOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-repository-"));
  const git = gitIn(folder);
  git("init", "-q", "-b", "main");
  put(folder, files);
  git("add", "-A");
  git("commit", "-qm", "First commit");
  return folder;
}
