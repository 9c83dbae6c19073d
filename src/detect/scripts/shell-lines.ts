/** Splits the shell text of a CI step into the plain commands that it always runs, with their folders. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {ONLY_CI, troubleWith, withoutCiPrograms} from "./command-trouble.ts";
import {ELLIPSIS, innerShellOf} from "./inner-shell.ts";
import {logicalLines} from "./logical-lines.ts";
import {functionsOf, withoutFunctionHead} from "./shell-functions.ts";

export interface CiCommand {
  readonly words: readonly string[];
  readonly raws: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** the folder it runs in, from the root of the tree */
  readonly cwd: string;
  /** why it cannot be used as written; null if it can */
  readonly trouble: string | null;
  /** as written, with the commands that its output goes to, and the one that runs if it fails */
  readonly text: string;
}

const OPENS = new Set(["if", "for", "while", "until", "case", "{", "select", "function"]);
const CLOSES = new Set(["fi", "done", "esac", "}"]);
/** The commands of a script that it always runs by themselves, in order. */
export function commandsOf(script: ShellScript): readonly CiCommand[] {
  return allCommandsOf(script).filter((command) => !command.isDependent);
}

export interface ShellScript {
  readonly text: string;
  readonly cwd: string;
  /** fills in variables whose value the CI file gives */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * A command that `isDependent` needs what runs before it: a condition, a loop, a function, or a server in the
 * background.
 */
export type ScriptCommand = CiCommand & {readonly isDependent?: true};

const CONDITIONAL = "the script of CI runs it under a condition, in a loop or in a function";
const AFTER_SERVER = "the script of CI starts a process in the background before it";
/** The reason that a command which CI does not wait for is not a check. */
export const IN_BACKGROUND = "CI starts it in the background";
const AFTER_EXIT = "the script of CI may end before it";
const UNREADABLE = "only a shell can parse this line";

/** All commands of a script, in order. */
export function allCommandsOf({text, cwd, values}: ShellScript): readonly ScriptCommand[] {
  const reader: ScriptReader = {
    commands: [],
    top: cwd,
    values: new Map(values),
    assigned: new Set(),
    cwd,
    depth: 0,
    blocked: null,
  };
  const lines = logicalLines(text);
  const functions = functionsOf(lines);
  for (const line of lines) readLine(reader, withoutFunctionHead(line));
  // The body of a function is read where it is defined.
  return reader.commands.flatMap((command) => {
    const [first = "", ...words] = command.words;
    if (/^\$[@*]$/.test(first) && words.length === 0) return [];
    const called = functions.get(first);
    if (called === undefined) return [command];
    if (!called.runsArguments || words.length === 0) return [];
    return [{...command, words, raws: command.raws.slice(1)}];
  });
}

/** A script while its lines are read. */
interface ScriptReader {
  readonly commands: ScriptCommand[];
  readonly values: Map<string, string>;
  /** the variables that it sets, whatever their values are */
  readonly assigned: Set<string>;
  /** the folder in which the script starts */
  readonly top: string;
  /** null: only CI knows it */
  cwd: string | null;
  /** the number of open conditions, loops and functions */
  depth: number;
  /** why the commands from here on need what runs before them */
  blocked: string | null;
}

/** Where `go install` and `cargo install` put programs, which Assay starts by their names. */
const INSTALLED = /(?:\$\(go env GOPATH\)|\$\{?GOPATH\}?|\$\{?HOME\}?\/(?:go|\.cargo|\.local))\/bin\/(?=[\w-]+)/g;

/** A line whose last command the shell does not wait for. */
const ENDS_IN_BACKGROUND = /(^|[^&])&\s*$/;

function readLine(reader: ScriptReader, line: string): void {
  const text = fillVariables(line, reader.values).replace(INSTALLED, "");
  const [, array, items = ""] = ARRAY.exec(text) ?? [];
  if (array !== undefined) {
    // What is added to an empty list is only known when the script runs.
    if (/^[\w@%+=:,./ "-]*$/.test(items) && items.trim() !== "") reader.values.set(`${array}[@]`, items.trim());
    else reader.values.delete(`${array}[@]`);
    return;
  }
  for (const [, name = ""] of text.matchAll(APPENDS)) reader.values.delete(`${name}[@]`);
  // Its items are not commands.
  if (ONLY_APPENDS.test(text)) return;
  const commands = splitShell(text)?.map(withoutCiPrograms) ?? null;
  if (commands === null) {
    if (text.trim() !== "") addDependent(reader, {text, trouble: UNREADABLE, words: [], raws: []});
    return;
  }
  // Commands after the start of a server may need it.
  if (ENDS_IN_BACKGROUND.test(line)) reader.blocked ??= AFTER_SERVER;
  const cwdBefore = reader.cwd;
  for (const i of commands.keys()) readCommand(reader, {text, commands, i});
  // The end of a group is not recognised, so a folder change inside it ends with its line.
  if (commands.some((command) => command.joint === "(")) reader.cwd = cwdBefore;
}

/** Words that are added to such a list. */
const APPENDS = /\b(\w+)\+=\(/g;

const ONLY_APPENDS = /^\s*\w+\+=\([^()]*\)\s*$/;

/** A list of words under a name, to which `"${NAME[@]}"` refers. */
const ARRAY = /^\s*(\w+)=\(([^()]*)\)\s*$/;

/** A command of a line, with the others of that line. */
interface LinePart {
  readonly text: string;
  readonly commands: readonly SimpleCommand[];
  readonly i: number;
}

function readCommand(reader: ScriptReader, part: LinePart): void {
  const command = part.commands[part.i];
  if (command === undefined) return;
  const {words, raws} = command;
  const [first = "", second = ""] = words;
  if (OPENS.has(first)) reader.depth++;
  const conditional = reader.depth > 0;
  if (CLOSES.has(first)) reader.depth = Math.max(0, reader.depth - 1);
  const text = wholeText(part);
  if (conditional || first === "") {
    readConditional(reader, {command, text, rest: part.text.slice(command.end), conditional});
    return;
  }
  if (first === "exit" && command.joint !== "||") reader.blocked ??= AFTER_EXIT;
  if (first === "export") setValues(reader, words.slice(1));
  else if (first === "cd" || first === "pushd") reader.cwd = enter(reader.cwd, second);
  else if (first === "popd") reader.cwd = reader.top;
  else if (isContinued(command)) return;
  else if ((part.commands[part.i + 1]?.joint ?? (ENDS_IN_BACKGROUND.test(part.text) ? "&" : "")) === "&") {
    reader.blocked ??= AFTER_SERVER;
    addDependent(reader, {text, trouble: IN_BACKGROUND, words, raws});
  } else if (reader.blocked !== null) addDependent(reader, {text, trouble: reader.blocked, words, raws});
  else if (reader.cwd !== null && innerShellOf(command) !== null && !isPiped(part)) readInnerShell(reader, command);
  else {
    const isUnknownFolder = reader.cwd === null;
    const problem = isUnknownFolder
      ? "it runs in a folder that only CI knows"
      : troubleWith(command, part.commands.slice(part.i + 1));
    const computed = ONLY_CI.test(problem ?? "") ? raws.flatMap((raw) => /\$\{?(\w+)/.exec(raw)?.[1] ?? []) : [];
    const isComputed = computed.length > 0 && computed.every((name) => reader.assigned.has(name));
    const trouble = isComputed ? `the script of CI computes \`${computed[0]}\` before it` : problem;
    // A negated pipeline means something else without its other commands.
    reader.commands.push({
      text,
      words,
      raws: first === "!" ? [text] : raws,
      env: command.env,
      cwd: reader.cwd ?? reader.top,
      trouble,
    });
  }
}

const isPiped = ({commands, i}: LinePart): boolean => {
  const next = commands[i + 1];
  return next !== undefined && isContinued(next);
};

/** The commands of the shell that a command starts; those in a container are not commands of this machine. */
function readInnerShell(reader: ScriptReader, command: SimpleCommand): void {
  const {text = "", trouble = null} = innerShellOf(command) ?? {};
  const inner = allCommandsOf({text, cwd: reader.cwd ?? reader.top, values: reader.values});
  const elsewhere = trouble === null ? {} : {trouble, isDependent: true as const};
  const raws = [...command.raws.slice(0, -1), ELLIPSIS];
  if (trouble !== null) addDependent(reader, {text: raws.join(" "), trouble, words: command.words, raws});
  reader.commands.push(...inner.map((one) => ({...one, env: {...command.env, ...one.env}, ...elsewhere})));
}

function readConditional(
  reader: ScriptReader,
  options: {command: SimpleCommand; text: string; rest: string; conditional: boolean},
): void {
  const {command, text, rest, conditional} = options;
  for (const [name, value] of Object.entries(command.env)) {
    reader.assigned.add(name);
    if (!conditional && isPlain(value)) reader.values.set(name, value);
    else reader.values.delete(name);
  }
  const [words, raws] = withoutKeywords(command);
  const [, later] = /^([A-Za-z_]\w*)=/.exec(words[0] ?? "") ?? [];
  if (later !== undefined) {
    reader.assigned.add(later);
    reader.values.delete(later);
    return;
  }
  const isPattern = words.length === 1 && CASE_PATTERN.test(rest) && !text.includes("(");
  if (!isContinued(command) && words.length > 0 && !isPattern)
    addDependent(reader, {text: text.replace(/^(?:\{|then|do|else)\s+/, ""), trouble: CONDITIONAL, words, raws});
}

function setValues(reader: ScriptReader, words: readonly string[]): void {
  for (const word of words) {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (name !== "" && isPlain(value)) reader.values.set(name, value);
  }
}

function addDependent(reader: ScriptReader, command: Pick<CiCommand, "text" | "trouble" | "words" | "raws">): void {
  reader.commands.push({...command, env: {}, cwd: reader.cwd ?? reader.top, isDependent: true});
}

/** The text after a pattern of a `case`. */
const CASE_PATTERN = /^\s*(\||\))/;
/** Words of the shell that a command may follow, and those that begin a construct. */
const KEYWORDS = new Set("if then else elif while until do ! { time".split(" "));
const CONSTRUCTS = new Set("for case select function fi done esac } ;;".split(" "));

function withoutKeywords({words, raws}: SimpleCommand): [readonly string[], readonly string[]] {
  let start = 0;
  while (KEYWORDS.has(words[start] ?? "")) start++;
  return CONSTRUCTS.has(words[start] ?? "") ? [[], []] : [words.slice(start), raws.slice(start)];
}

/** True for a command that belongs to the one before it. */
const isContinued = ({joint}: SimpleCommand): boolean => joint === "|" || joint === "||";

/** The text of a command with those that belong to it. */
function wholeText({text: line, commands, i}: LinePart): string {
  let last = i;
  for (let next = commands[i + 1]; next !== undefined && isContinued(next); next = commands[last + 1]) last++;
  return line.slice(commands[i]?.start ?? 0, commands[last]?.end ?? line.length);
}

/** Replaces `$NAME` and `${NAME}` if the value is known and consists of plain words. */
export function fillVariables(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0 || !line.includes("$")) return line;
  return line.replace(
    /"\$\{(\w+\[@\])\}"|\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (whole, array: string | undefined, braced: string | undefined, bare: string | undefined) =>
      values.get(array ?? braced ?? bare ?? "") ?? whole,
  );
}

/** True for a value that means the same with and without quotes. */
export const isPlain = (value: string): boolean => value.length < 500 && /^[\w@%+=:,./ -]*$/.test(value);

/** The folder after `cd`; null if it cannot be known or is outside the tree. */
export function enter(cwd: string | null, target: string): string | null {
  const workspace =
    /^(?:\$\{\{\s*github\.workspace\s*\}\}|\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR|TRAVIS_BUILD_DIR)\}?)/;
  const fromTop = workspace.test(target) || /^\$\(Build\.SourcesDirectory\)/.test(target);
  const path = target.replace(workspace, ".").replace(/^\$\(Build\.SourcesDirectory\)/, ".");
  if ((cwd === null && !fromTop) || /^[/~]|[$`{}*]/.test(path) || target === "" || target === "-") return null;
  const parts = fromTop || cwd === "." || cwd === null ? [] : cwd.split("/");
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.length === 0 ? "." : parts.join("/");
}
