/** Reads shell scripts of the tree: which script a command starts, and which commands it runs. */
import {plainPath} from "../../git/paths.ts";
import {unwrap} from "../../tools/command-name.ts";
import {inside, type Project} from "../files/project.ts";
import {type CiCommand, commandsOf} from "./shell-lines.ts";

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
  const path = inside(cwd, plainPath(scriptWords ?? ""));
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

/** As `shellBody`, with each command's folder and the reason why it cannot run by itself. */
function shellCommands(project: Project, {path, cwd}: ScriptCall): CiCommand[] | null {
  const text = project.text(path);
  if (text === null || (text.startsWith("#!") && !/^#!.*\b(ba|da|z|k)?sh\b/.test(text))) return null;
  return commandsOf({text: text.replace(/^#!.*\n/, ""), cwd, values: new Map()})
    .filter((command) => command.words[0] !== "set" && command.words[0] !== "echo")
    .slice(0, MAX_LINES);
}
