/** Decides whether a failing test prevents later tests from running: such a base cannot be compared (P15). */

import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf} from "../../tools/command-name.ts";
import {isCommandIn, nameSet} from "../../tools/names.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import {valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {enter} from "../scripts/shell-values.ts";
import {
  applyShellOptions,
  type CommandContext,
  readScriptBodies,
  type ShellMode,
  STAGE_SHELL,
} from "./script-bodies.ts";

/**
 * Settings with which a runner stops at a failing test without reporting it. Other runners report it in their output.
 */
const BAIL_SETTINGS = COMMANDS.flatMap(({bail}) => bail ?? []);
/** Commands that check nothing. */
const NO_CHECKS = nameSet("echo printf true : cd pushd popd set export exit mkdir rm cp mv sleep test [");
const MAX_COMMANDS = 200;

interface PlainCommand {
  readonly words: readonly string[];
  readonly cwd: string;
  /** its failure does not stop later commands */
  readonly isContinued: boolean;
  /** it is in a file that the line starts; the line itself and its scripts are examined when outputs are compared */
  readonly isInFile: boolean;
}

/**
 * Explains why a failing test may prevent later tests; empty if each test starts even after a failure, or if nothing
 * shows otherwise.
 */
export function explainEarlyStop(line: string, context: CommandContext): string {
  const commands = expandCommands(line, {...context, mode: STAGE_SHELL, isInFile: false, depth: 0});
  for (const [i, {words, cwd, isContinued, isInFile}] of commands.entries()) {
    const setting = findBailSetting(words, {...context, cwd});
    if (setting !== null) return `\`${toolOf(words)}\` stops at the first failure (${setting})`;
    const isTest = kindOfWords(words) === "test";
    if (isTest && isInFile && !isContinued && i < commands.length - 1)
      return `what comes after \`${words.join(" ")}\` may not have run`;
  }
  return "";
}

interface ExpansionContext extends CommandContext {
  readonly mode: ShellMode;
  readonly isInFile: boolean;
  readonly depth: number;
}

/** The plain commands of a text and of the scripts that it starts, in order. */
function expandCommands(text: string, context: ExpansionContext): PlainCommand[] {
  const {project, isInFile, depth} = context;
  const commands = splitShell(text) ?? [];
  const expandedCommands: PlainCommand[] = [];
  let {cwd, mode} = context;
  for (const [i, {words, joint}] of commands.entries()) {
    const [name = ""] = words;
    if (name === "set") mode = applyShellOptions(words.slice(1), mode);
    if (name === "cd") cwd = enter(cwd, words[1] ?? "") ?? cwd;
    if (joint === "|" || words.length === 0 || NO_CHECKS.has(name) || expandedCommands.length > MAX_COMMANDS) continue;
    const isContinued = !mode.stopsAtFailure && commands[i + 1]?.joint !== "&&";
    const bodies = depth > 5 ? null : readScriptBodies(words, {project, cwd});
    if (bodies === null) expandedCommands.push({words, cwd, isContinued, isInFile});
    for (const [k, body] of (bodies ?? []).entries()) {
      const inner = expandCommands(body.text, {
        project,
        cwd: body.cwd,
        mode: body.mode,
        isInFile: isInFile || !body.place.startsWith("script `"),
        depth: depth + 1,
      });
      // If a body fails, later bodies do not run (like the lines of a recipe), and neither do the commands after this
      // one.
      const isStopping = !body.isIgnored && (k < (bodies ?? []).length - 1 || !isContinued);
      const last = inner.pop();
      expandedCommands.push(...inner, ...(last === undefined ? [] : [{...last, isContinued: !isStopping}]));
    }
  }
  return expandedCommands;
}

/** The file, or the key of package.json, that makes the tool stop at the first failure; null if there is none. */
function findBailSetting(words: readonly string[], {project, cwd}: CommandContext): string | null {
  const tool = toolOf(words);
  for (const {files, says, key} of BAIL_SETTINGS.filter(({commands}) => isCommandIn(commands, tool))) {
    for (const folder of new Set([cwd, "."])) {
      const file = files.map((name) => inside(folder, name)).find((path) => says.test(project.text(path) ?? ""));
      if (file !== undefined) return file;
      const value = key === undefined ? undefined : valueAt(project.json(inside(folder, "package.json")), ...key);
      if (value !== undefined && value !== false && value !== 0) return `${key?.join(".")} of package.json`;
    }
  }
  return null;
}
