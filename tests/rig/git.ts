/** Runs the real git with nobody's configuration, for the rig's own questions to a repository. */
import {spawn} from "node:child_process";
import {tmpdir} from "node:os";
import {NOWHERE} from "../../src/process/own-programs.ts";

/** What git sees of this machine: the PATH, and nothing that a developer or a runner has configured. */
export function bareGitEnvironment(): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: tmpdir(),
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: NOWHERE,
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Ada Owner",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada Owner",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
}

/** Gives git's stdout as bytes; throws with its stderr when the exit code is not 0. */
export const gitBytes = (cwd: string, args: readonly string[], input: string | Buffer = ""): Promise<Buffer> =>
  run({cwd, program: "git", args, input});

/** As `gitBytes`, as text without the final line break. */
export async function git(cwd: string, args: readonly string[], input: string | Buffer = ""): Promise<string> {
  return (await gitBytes(cwd, args, input)).toString().replace(/\n$/, "");
}

/**
 * Several commands in order, up to the first that fails; the first reads `input`. One shell starts them, because a start out of a test's
 * large process costs more than what git then does.
 */
export async function gitInOrder(
  cwd: string,
  commands: readonly (readonly string[])[],
  input: string | Buffer = "",
): Promise<string> {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  const script = commands.map((words) => ["git", ...words].map(quoted).join(" ")).join(" && ");
  return (await run({cwd, program: "sh", args: ["-c", script], input})).toString().replace(/\n$/, "");
}

interface Command {
  readonly cwd: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string | Buffer;
}

async function run({cwd, program, args, input}: Command): Promise<Buffer> {
  const child = spawn(program, [...args], {cwd, env: bareGitEnvironment()});
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // a git that refuses early closes its stdin: its exit code says so, the broken pipe adds nothing
  child.stdin.on("error", (error) => err.push(Buffer.from(`stdin: ${error.message}`)));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${Buffer.concat(err).toString()}`);
  return Buffer.concat(out);
}
