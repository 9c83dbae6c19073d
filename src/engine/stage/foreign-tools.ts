/** Detects a tool that only the machine has, and not the project's environment, where it should be. */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {findProgram, isFolder} from "../../process/isolation.ts";
import {splitShell} from "../../shell/split.ts";
import {programsWith} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";

/** Tools that a project installs as packages, by the kind of environment. */
const PYTHON = programsWith("python package");
const NODE = programsWith("node package");

/** These commands provide their own tool, or another environment. */
const BRINGS_ITS_TOOL = new Set(["uvx", "pipx", "pnpx", "source", "."]);
const INSTALLS = /\b(?:pip3?|npm|pnpm|yarn|bun|uv|poetry|pdm)\b.*\s(?:install|add|sync|ci|dlx)\b|\s--with[\s=]/;

/**
 * Names a tool of the command that the project's environment lacks; null if it has all. An environment counts if it
 * exists: a virtual environment with a `pyvenv.cfg`, or a folder `node_modules/.bin`. `folders` are the first folders
 * of PATH.
 */
export function foreignTool(options: {
  command: string;
  cwd: string;
  folders: readonly string[];
}): {name: string; environment: string} | null {
  const python = options.folders.filter((folder) => existsSync(join(dirname(folder), "pyvenv.cfg")));
  const node = options.folders.filter((folder) => folder.endsWith("node_modules/.bin") && isFolder(folder));
  for (const {words, env} of splitShell(options.command) ?? []) {
    if (BRINGS_ITS_TOOL.has(words[0] ?? "") || INSTALLS.test(words.join(" ")) || "PATH" in env) return null;
    const [name = ""] = unwrap(words);
    if (words.some((word) => word.endsWith(`/${name}`))) continue;
    const environments = PYTHON.has(name) ? python : NODE.has(name) ? node : [];
    const [first] = environments;
    if (first !== undefined && findProgram(name, {cwd: options.cwd, path: environments.join(":")}) === null)
      return {name, environment: first};
  }
  return null;
}
