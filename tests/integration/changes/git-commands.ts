/** The git commands that the product has: as its sources write them down, and as they come by when it runs. */
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {chmod, mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {PRODUCT} from "../../rig/runner.ts";

/** A file that runs git: in others, lists of words may begin with `push` too, or name git among other programs. */
const CALLS_GIT = /\b\w*[gG]it\(|\bfind\("git"\)|\[\s*"git",/;

/**
 * Every list in the sources that begins with a git command, as far as its words are written out: `fetch --quiet --depth=1`.
 * Found by form, so a new command is found wherever it is written.
 */
export function writtenCommands(): string[][] {
  const names = new Set(execFileSync("git", ["--list-cmds=main"], {encoding: "utf8"}).split("\n").filter(Boolean));
  const found = new Map<string, string[]>();
  for (const file of ["src", "lifecycle"].flatMap(sourcesIn)) {
    const text = readFileSync(file, "utf8");
    if (!CALLS_GIT.test(text)) continue;
    for (const [, list = ""] of text.matchAll(
      /(?:(?<![\w)\]])\[(?:\.\.\.\w+,)?|\bconfig\()\s*((?:"[^"\n]*"(?:,\s*|(?=[\])])))+)/g,
    )) {
      const words = [...list.matchAll(/"([^"]*)"/g)].map((one) => (one[1] ?? "").replaceAll("\\0", "\0"));
      if (words[0] === "git") words.shift();
      const [name = ""] = words;
      if (names.has(name)) found.set(words.join(" "), words);
    }
  }
  return [...found.values()];
}

function sourcesIn(root: string): string[] {
  const names = readdirSync(join(PRODUCT, root), {recursive: true, encoding: "utf8"});
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(PRODUCT, root, name));
}

/** A folder for the front of the PATH with a `git` that notes each call and goes on as the real one; and its notes. */
export async function traceGit(folder: string): Promise<{path: string; seen: () => Promise<string[][]>}> {
  const real = execFileSync("sh", ["-c", "command -v git"], {encoding: "utf8"}).trim();
  const file = join(folder, "calls");
  await mkdir(join(folder, "bin"), {recursive: true});
  const note = `{ printf '%s\\037' "$@"; printf '\\036'; } >> '${file}'`;
  const tracer = join(folder, "bin/git");
  await writeFile(tracer, `#!/bin/sh\n${note}\nTRACED_GIT="$*"\nexport TRACED_GIT\nexec '${real}' "$@"\n`);
  await chmod(tracer, 0o755);
  return {
    path: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    async seen() {
      const text = await readFile(file, "utf8").catch(() => "");
      return text
        .split("\x1e")
        .filter(Boolean)
        .map((call) => withoutOptions(call.split("\x1f").slice(0, -1)));
    },
  };
}

/** Without the options of git itself, which stand before the command. */
function withoutOptions(words: string[]): string[] {
  const [first = "", , ...rest] = words;
  if (first === "-c") return withoutOptions(rest);
  return first.startsWith("--literal") ? withoutOptions(words.slice(1)) : words;
}

/** The written commands that none of the calls was. */
export function notExercised(calls: readonly (readonly string[])[]): string[] {
  const wanted = writtenCommands().filter((words) => !calls.some((call) => isCallOf(words, call)));
  return wanted.map((words) => words.join(" "));
}

/** A written command is the beginning of a call. */
function isCallOf(words: readonly string[], call: readonly string[]): boolean {
  return words.every((word, at) => call[at] === word);
}
