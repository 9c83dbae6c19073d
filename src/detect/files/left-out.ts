/** Reads tracked files that a sparse checkout leaves out of the folder, as git's index has them. */
import {spawnSync} from "node:child_process";
import {existsSync, readFileSync, statSync} from "node:fs";
import {join, resolve} from "node:path";
import {NOWHERE, type OwnPrograms, ownPrograms} from "../../process/own-programs.ts";

/** Each file is read by a call of git, which takes some milliseconds. */
const MAX_FILES = 300;
const MAX_BYTES = 1_000_000;
const MAX_LISTING = 256_000_000;
const LIMIT_MS = 30_000;
const ENTRY = /^S 100(?:644|755) ([0-9a-f]+) 0\t(.*)$/s;

/**
 * The function that reads a left-out file of `folder`, or returns null. Null instead of the function if the folder is no
 * sparse checkout. It lists the files at the first call.
 */
export function leftOutReader(
  folder: string,
  programs: OwnPrograms = ownPrograms(),
): ((path: string) => Buffer | null) | null {
  if (!isSparse(folder)) return null;
  let ids: ReadonlyMap<string, string> | null = null;
  let count = 0;
  return (path) => {
    ids ??= new Map(
      (runGit(folder, programs, ["ls-files", "-s", "-t", "-z"])?.toString() ?? "").split("\0").flatMap((entry) => {
        const [, id = "", name = ""] = ENTRY.exec(entry) ?? [];
        return name === "" ? [] : [[name, id] as const];
      }),
    );
    const id = ids.get(path);
    if (id === undefined || ++count > MAX_FILES) return null;
    const content = runGit(folder, programs, ["cat-file", "blob", id]);
    return content !== null && content.length <= MAX_BYTES ? content : null;
  };
}

/** True if the work tree has patterns of a sparse checkout, which also remain after it is disabled. */
function isSparse(folder: string): boolean {
  const git = join(folder, ".git");
  try {
    const [, linked] = statSync(git).isFile() ? (/^gitdir: (.*)/.exec(readFileSync(git, "utf8")) ?? []) : [];
    return existsSync(join(linked === undefined ? git : resolve(folder, linked), "info/sparse-checkout"));
  } catch {
    return false;
  }
}

/** No program that the repository's settings name runs, and nothing is fetched. */
function runGit(folder: string, programs: OwnPrograms, args: readonly string[]): Buffer | null {
  const program = programs.find("git");
  if (!program.ok) return null;
  const safe = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${NOWHERE}`, "-c", "protocol.allow=never"];
  const {status, stdout} = spawnSync(program.value, [...safe, ...args], {
    cwd: folder,
    env: {GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C", PATH: programs.path},
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: MAX_LISTING,
    timeout: LIMIT_MS,
  });
  return status === 0 ? stdout : null;
}
