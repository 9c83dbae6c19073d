/** Whether a shell line can end with anything but 0, told from its words and from the scripts of the tree that it starts. */

import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {kindOfWords} from "../../shell/stage-kind.ts";
import {enter} from "../ci/lines.ts";
import type {Project} from "../files/project.ts";
import {applyShellOptions, readScriptBodies, type ScriptBody, type ShellMode, STAGE_SHELL} from "./script-bodies.ts";

const ALWAYS_PASSES = new Set(["true", ":", "echo", "printf"]);
/** These end with 0 behind a pipe, whatever they are given. */
const PASSES_ON = new Set(["cat", "tee", "tail", "head", "sort", "uniq", "tr", "cut", "nl", "sed", "awk"]);
/** These change a runner's summary on its way. */
const REWRITES = new Set(["sed", "awk", "perl", "tr"]);
const OPENS = new Set(["if", "for", "while", "until", "case", "{", "select"]);
const CLOSES = new Set(["fi", "done", "esac", "}"]);
const GRAMMAR = /^(?:!|if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|\{|\})$/;
/** These may end the text with any code, and in a block `exit` and `set` too. */
const LEAVES = /^(?:exec|return|trap|eval|source|\.|kill)$/;
const LEAVES_BLOCK = /(?:^|[\s;&|({])(?:exit|set|exec|return|kill|\.)(?=\s|$|;)/m;
const MOST_BODIES = 200;

/** What takes the evidence from a stage's exit code, and from the numbers in its output; each with the place where that is written. */
export interface Weakness {
  /** where the exit code is lost; null where the line can fail, or that is not certain */
  readonly swallowedIn: string | null;
  /** the filter that a test's output goes through; null where there is none */
  readonly rewrittenBy: string | null;
}

/** As the place: the stage's own line, and no script of the tree. */
export const OWN_COMMAND = "its command";

/** Says nothing against a line that it does not understand. `cwd` is the folder in which the line runs. */
export function findWeakness(line: string, o: {project: Project; cwd: string}): Weakness {
  const context: Context = {...o, mode: STAGE_SHELL, place: OWN_COMMAND, answers: new Map()};
  return {swallowedIn: whyEndsWell(line, context), rewrittenBy: rewriterIn(line, {...o, seen: new Set()})};
}

interface Context {
  readonly project: Project;
  /** null after a change of folder that only the shell knows */
  readonly cwd: string | null;
  readonly mode: ShellMode;
  readonly place: string;
  /** answers for bodies; null while a body is being read, so that scripts that start each other end */
  readonly answers: Map<string, string | null>;
}

/** The place that makes the text always end with 0; null where it may fail. */
function whyEndsWell(text: string, context: Context): string | null {
  const commands = splitShell(text);
  if (commands === null || commands.length === 0) return null;
  const hasBlocks = commands.some(({words}) => GRAMMAR.test(words[0] ?? ""));
  if (commands.some(({joint, words}) => joint === "(" || LEAVES.test(words[0] ?? ""))) return null;
  if (hasBlocks && LEAVES_BLOCK.test(text)) return null;
  const lists = listsOf(commands);
  let {cwd, mode} = context;
  let why: string | null = null;
  let depth = 0;
  for (const [at, list] of lists.entries()) {
    const [first] = list;
    const words = first?.words ?? [];
    const isLast = at === lists.length - 1;
    if (list.length === 1 && words[0] === "exit")
      return words[1] === "0" ? (why ?? context.place) : words[1] === undefined ? why : null;
    if (words[0] === "set") mode = applyShellOptions(words.slice(1), mode);
    if (words[0] === "cd" || words[0] === "pushd" || words[0] === "popd") cwd = enter(cwd, words[1] ?? "");
    for (const one of list) depth += depthOf(one.words);
    const isBackground = lists[at + 1]?.[0]?.joint === "&" || (isLast && /(?:^|[^&])&\s*$/.test(text));
    why = isBackground ? context.place : whyPasses(list, {...context, cwd, mode}, isLast);
    if (why === null && (mode.stopsAtFailure || list.some((one) => one.words[0] === "exit"))) return null;
  }
  return depth === 0 ? why : null;
}

function depthOf(words: readonly string[]): number {
  const [first = "", second = ""] = words;
  const word = /^(?:then|do|else|!)$/.test(first) ? second : first;
  // `name() {` is split behind the name.
  return Number(OPENS.has(word)) - Number(CLOSES.has(word));
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

/** Commands that `&&`, `||` and `|` join. In front of others, only the last one's failure stops the line (bash, `set -e`). */
function whyPasses(list: readonly SimpleCommand[], context: Context, isLast: boolean): string | null {
  const {pipefail} = context.mode;
  let why: string | null = null;
  for (const command of list) {
    const own = whyAlwaysPasses(command, context);
    if (command.joint === "||") why ??= own;
    else if (command.joint === "|") why = pipefail && why === null ? null : own;
    else if (command.joint === "&&") why = isLast && why === null ? null : own;
    else why = own;
  }
  return why;
}

function whyAlwaysPasses({words, joint}: SimpleCommand, context: Context): string | null {
  const {place, project, cwd} = context;
  const [name = ""] = words;
  if (ALWAYS_PASSES.has(name) || (joint === "|" && PASSES_ON.has(name))) return place;
  if (name === "exit") return words[1] === "0" ? place : null;
  if (name === "set" || isFindForEach(words)) return place;
  const bodies = cwd === null ? null : readScriptBodies(words, {project, cwd});
  const whys = (bodies ?? []).map((body) => whyBodyEndsWell(body, context));
  return whys.includes(null) ? null : (whys.at(-1) ?? null);
}

/** `find … -exec command {} \\;` ends with 0 whatever the command gives (POSIX.1-2017, find); with `+` it does not. */
function isFindForEach(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
  return words[0] === "find" && at > 0 && !words.includes("+", at);
}

function whyBodyEndsWell(body: ScriptBody, context: Context): string | null {
  if (body.isIgnored) return body.place;
  const {answers} = context;
  const key = JSON.stringify(body);
  const answer = answers.get(key);
  if (answer !== undefined) return answer;
  if (answers.size > MOST_BODIES) return null;
  answers.set(key, null);
  const {cwd, mode, place} = body;
  const why = whyEndsWell(body.text, {...context, cwd, mode, place});
  answers.set(key, why);
  return why;
}

/** A filter at the end of a check's pipe, wherever it stands below the line. */
function rewriterIn(text: string, o: {project: Project; cwd: string; seen: Set<string>}): string | null {
  const commands = splitShell(text) ?? [];
  let isCheck = false;
  for (const [at, {words, joint, writes}] of commands.entries()) {
    const [name = ""] = words;
    const isEnd = commands[at + 1]?.joint !== "|" && writes.length === 0;
    if (joint === "|" && isCheck && isEnd && REWRITES.has(name)) return name;
    const bodies = o.seen.size > MOST_BODIES ? null : readScriptBodies(words, o);
    isCheck = kindOfWords(words) !== null || bodies !== null || (joint === "|" && isCheck);
    for (const body of bodies ?? []) {
      if (o.seen.has(body.text)) continue;
      o.seen.add(body.text);
      const found = rewriterIn(body.text, {...o, cwd: body.cwd});
      if (found !== null) return found;
    }
  }
  return null;
}
