/** Reads shell scripts of the tree: which script a command starts, and which commands it runs. */
import {unwrap} from "../../tools/command-name.ts";
import {inside, type Project} from "../files/project.ts";
import {type CiCommand, commandsOf} from "./shell-lines.ts";
import {isPlain} from "./shell-values.ts";

const MAX_LINES = 100;

/** The shell script of the tree that a command starts, as a path from the root; null if it starts none. */
export function scriptPath(project: Project, cwd: string, words: readonly string[]): string | null {
  const [first = "", second = ""] = words;
  const bare = unwrap(words);
  const scriptWords = ["sh", "bash", "dash", "zsh"].includes(bare[0] ?? "")
    ? bare.slice(1).find((word) => !word.startsWith("-"))
    : first === "uv" && second === "run"
      ? bare[0]
      : first;
  const path = inside(cwd, (scriptWords ?? "").replace(/^\.\//, ""));
  return scriptWords !== undefined && (scriptWords.includes("/") || scriptWords.endsWith(".sh")) && project.has(path)
    ? path
    : null;
}

/** The start of a shell script of the tree: its path, the folder it runs in, and its words. */
interface ScriptCall {
  readonly path: string;
  readonly cwd: string;
  readonly words: readonly string[];
}

/** The commands of a tracked shell script. A script in another language counts as one unknown command. */
export function shellBody(project: Project, call: ScriptCall): string[] | null {
  return shellCommands(project, call)?.map((command) => command.raws.join(" ")) ?? null;
}

/** The branches of `case $1 in`. */
const BRANCHES = /^case ["']?\$\{?1\b[^\n]* in\n(.*?)^esac\b/ms;

/** The script with only the branch that its first argument selects. */
function selectBranch(text: string, {words}: ScriptCall): string {
  const operands = words.filter((word) => !word.startsWith("-"));
  return text.replace(BRANCHES, (all, branches: string) => {
    const selected = branches
      .split(";;")
      .map((branch) => /^\s*\(?([\w|"' -]+)\)(.*)$/s.exec(branch))
      .find((branch) => branch?.[1]?.split("|").some((label) => operands.includes(label.replace(/["' ]/g, ""))));
    return selected?.[2] ?? all;
  });
}

/** In a function, `$1` and `$@` are the function's arguments. After `shift`, they are others. */
const MOVES_ARGUMENTS = /^\s*(?:function\s+\w|[\w-]+\s*\(\))|\b(?:shift|set --)\b/m;

/** Replaces `$1` and `$@` in the script by its arguments. */
function fillArguments(text: string, {path, words}: ScriptCall): string {
  const at = words.findIndex((word) => path.endsWith(word.replace(/^(?:\.{1,2}\/)+/, "")));
  const given = words.slice(at + 1);
  if (at < 0 || given.length === 0 || !given.every(isPlain) || MOVES_ARGUMENTS.test(text)) return text;
  return text
    .replace(/"\$@"|\$[@*]|\$\{[@*]\}/g, given.join(" "))
    .replace(
      /\$(?:([1-9])(?!\d)|\{([1-9])\})/g,
      (whole, bare?: string, braced?: string) => given[Number(bare ?? braced) - 1] ?? whole,
    );
}

/** As `shellBody`, with each command's folder and the reason why it cannot run by itself. */
export function shellCommands(project: Project, call: ScriptCall): CiCommand[] | null {
  const {path, cwd} = call;
  const text = project.text(path);
  if (text === null || (text.startsWith("#!") && !/^#!.*\b(ba|da|z|k)?sh\b/.test(text))) return null;
  const shell = fillArguments(selectBranch(text.replace(/^#!.*\n/, ""), call), call);
  return commandsOf({text: shell, cwd, values: new Map()})
    .filter((command) => command.words[0] !== "set" && command.words[0] !== "echo")
    .slice(0, MAX_LINES);
}
