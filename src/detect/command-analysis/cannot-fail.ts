/** Decides whether a shell line can fail, from its words and from the scripts that it starts. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import type {Project} from "../files/project.ts";
import {enter} from "../scripts/shell-values.ts";
import {
  applyShellOptions,
  type CommandContext,
  readScriptBodies,
  type ScriptBody,
  type ShellMode,
  STAGE_SHELL,
} from "./script-bodies.ts";

const ALWAYS_PASS = new Set(["true", ":", "echo", "printf"]);
/** Filters that end with 0 for any input. */
const FILTERS = new Set(["cat", "tee", "tail", "head", "sort", "uniq", "tr", "cut", "nl", "sed", "awk"]);
/** Filters that may change a runner's summary. */
const REWRITERS = new Set(["sed", "awk", "perl", "tr"]);
/** These may end the text with any code; inside a block, `exit` and `set` may too. */
const EXITS = new Set(["exec", "return", "trap", "eval", "source", ".", "kill"]);
const EXITS_BLOCK = new Set(["exit", "set"]);
const MAX_BODIES = 200;

/** A reason why the exit code does not show a failure, or why the output does not show test counts. */
export interface Weakness {
  /** where the exit code is lost; null if the line can fail, or this is uncertain */
  readonly swallowedIn: string | null;
  /** the filter that rewrites a test's output; null if there is none */
  readonly rewrittenBy: string | null;
}

/** Stands for the stage's own line, in contrast to a script of the tree. */
export const OWN_COMMAND = "its command";

/** A line that cannot be parsed has no weakness. `cwd` is the folder in which the line runs. */
export function findWeakness(line: string, {project, cwd}: CommandContext): Weakness {
  const context: ExitContext = {project, cwd, mode: STAGE_SHELL, place: OWN_COMMAND, answers: new Map()};
  return {swallowedIn: whyTextPasses(line, context), rewrittenBy: findRewriter(line, {project, cwd}, new Set())};
}

interface ExitContext {
  readonly project: Project;
  /** null after a change to a folder that only the shell knows */
  readonly cwd: string | null;
  readonly mode: ShellMode;
  readonly place: string;
  /** results by body; null while a body is analysed, so that scripts that start each other terminate */
  readonly answers: Map<string, string | null>;
}

/** The place that makes the text always end with 0; null if the text may fail. */
function whyTextPasses(text: string, context: ExitContext): string | null {
  const commands = splitShell(text);
  if (commands === null || commands.length === 0) return null;
  if (commands.some(({words: [name = ""], inside}) => EXITS.has(name) || (inside.length > 0 && EXITS_BLOCK.has(name))))
    return null;
  if (commands.some(({inside}) => inside.some(({kind}) => kind === "subshell"))) return null;
  const lists = listsOf(commands);
  let {cwd, mode} = context;
  let reason: string | null = null;
  for (const [i, list] of lists.entries()) {
    const words = list[0]?.words ?? [];
    const isLast = i === lists.length - 1;
    if (list.length === 1 && words[0] === "exit")
      return words[1] === "0" ? (reason ?? context.place) : words[1] === undefined ? reason : null;
    if (words[0] === "set") mode = applyShellOptions(words.slice(1), mode);
    if (words[0] === "cd" || words[0] === "pushd" || words[0] === "popd") cwd = enter(cwd, words[1] ?? "");
    reason = list.at(-1)?.isBackground ? context.place : whyListPasses(list, {...context, cwd, mode}, isLast);
    if (reason === null && (mode.stopsAtFailure || list.some((command) => command.words[0] === "exit"))) return null;
  }
  return commands.at(-1)?.inside.length === 0 ? reason : null;
}

function listsOf(commands: readonly SimpleCommand[]): SimpleCommand[][] {
  const lists: SimpleCommand[][] = [];
  for (const command of commands) {
    const isJoined = ["&&", "||", "|"].includes(command.joint);
    if (isJoined && lists.length > 0) lists.at(-1)?.push(command);
    else lists.push([command]);
  }
  return lists;
}

/**
 * For commands joined by `&&`, `||` and `|`. Before other lists, only a failure of the last command stops the line
 * (bash, `set -e`).
 */
function whyListPasses(list: readonly SimpleCommand[], context: ExitContext, isLast: boolean): string | null {
  const {pipefail} = context.mode;
  let reason: string | null = null;
  for (const command of list) {
    const whyCommand = whyCommandPasses(command, context);
    if (command.joint === "||") reason ??= whyCommand;
    else if (command.joint === "|") reason = pipefail && reason === null ? null : whyCommand;
    else if (command.joint === "&&") reason = isLast && reason === null ? null : whyCommand;
    else reason = whyCommand;
  }
  return reason;
}

function whyCommandPasses({words, joint, isNegated}: SimpleCommand, context: ExitContext): string | null {
  const {place, project, cwd} = context;
  const [name = ""] = words;
  if (isNegated) return null;
  if (ALWAYS_PASS.has(name) || (joint === "|" && FILTERS.has(name))) return place;
  if (name === "exit") return words[1] === "0" ? place : null;
  if (name === "set" || isFindForEach(words)) return place;
  const bodies = cwd === null ? null : readScriptBodies(words, {project, cwd});
  const whys = (bodies ?? []).map((body) => whyBodyPasses(body, context));
  return whys.includes(null) ? null : (whys.at(-1) ?? null);
}

/**
 * `find … -exec command {} \\;` ends with 0 whatever the command returns (POSIX.1-2017, find); with `+` it does not.
 */
function isFindForEach(words: readonly string[]): boolean {
  const at = words.findIndex((word) => ["-exec", "-execdir", "-ok"].includes(word));
  return words[0] === "find" && at > 0 && !words.includes("+", at);
}

function whyBodyPasses(body: ScriptBody, context: ExitContext): string | null {
  if (body.isIgnored) return body.place;
  const {answers} = context;
  const key = JSON.stringify(body);
  const answer = answers.get(key);
  if (answer !== undefined) return answer;
  if (answers.size > MAX_BODIES) return null;
  answers.set(key, null);
  const {cwd, mode, place} = body;
  const reason = whyTextPasses(body.text, {...context, cwd, mode, place});
  answers.set(key, reason);
  return reason;
}

/** Finds a filter at the end of a check's pipe, in the text or in a script that it starts. */
function findRewriter(text: string, context: CommandContext, seen: Set<string>): string | null {
  const commands = splitShell(text) ?? [];
  let isCheck = false;
  for (const [i, {words, joint, writes}] of commands.entries()) {
    const [name = ""] = words;
    const isEnd = commands[i + 1]?.joint !== "|" && writes.length === 0;
    if (joint === "|" && isCheck && isEnd && REWRITERS.has(name)) return name;
    const bodies = seen.size > MAX_BODIES ? null : readScriptBodies(words, context);
    isCheck = kindOfWords(words) !== null || bodies !== null || (joint === "|" && isCheck);
    for (const body of bodies ?? []) {
      if (seen.has(body.text)) continue;
      seen.add(body.text);
      const rewriter = findRewriter(body.text, {...context, cwd: body.cwd}, seen);
      if (rewriter !== null) return rewriter;
    }
  }
  return null;
}
