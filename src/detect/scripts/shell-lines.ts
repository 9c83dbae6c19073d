/** Splits the shell text of a CI step into the plain commands that it always runs, with their folders. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {ONLY_CI, troubleWith, troubleWithCheck, withoutCiPrograms} from "./command-trouble.ts";
import {ELLIPSIS, innerShellOf} from "./inner-shell.ts";
import {isContinued, isPiped, type LinePart, wholeText, withoutKeywords} from "./line-parts.ts";
import {logicalLines} from "./logical-lines.ts";
import {commandsOfCheck, joinChecks, type ScriptPart} from "./shell-checks.ts";
import {functionsOf, withoutFunctionHead} from "./shell-functions.ts";
import {enter, fillVariables, isPlain, knownCondition, type ScriptFiles} from "./shell-values.ts";

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
  /** the commands within a check that is written as shell logic */
  readonly within?: readonly string[];
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
  /** the files that its conditions may ask for */
  readonly files?: ScriptFiles;
}

/**
 * A command that `isDependent` needs what runs before it: a condition, a loop, a function, or a server in the
 * background.
 */
export type ScriptCommand = CiCommand & {readonly isDependent?: true};

const NO_FILES: ScriptFiles = {has: () => false, text: () => null};
const CONDITIONAL = "the script of CI runs it under a condition, in a loop or in a function";
const AFTER_SERVER = "the script of CI starts a process in the background before it";
/** The reason that a command which CI does not wait for is not a check. */
export const IN_BACKGROUND = "CI starts it in the background";
const AFTER_EXIT = "the script of CI may end before it";
const UNREADABLE = "only a shell can parse this line";

/** All commands of a script, in order. */
export function allCommandsOf({text, cwd, values, files = NO_FILES}: ShellScript): readonly ScriptCommand[] {
  const reader: ScriptReader = {
    commands: [],
    top: cwd,
    values: new Map(values),
    assigned: new Set(),
    cwd,
    depth: 0,
    open: [],
    files,
    blocked: null,
  };
  const lines = logicalLines(text);
  const functions = functionsOf(lines);
  for (const part of joinChecks(lines.map(withoutFunctionHead))) readPart(reader, part);
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
  /** the constructs around a line: one branch of an `if` is known to run, or its other one, or only a run knows */
  readonly open: ("known" | "other" | "open")[];
  readonly files: ScriptFiles;
  /** why the commands from here on need what runs before them */
  blocked: string | null;
}

/** Where `go install` and `cargo install` put programs, which Assay starts by their names. */
const INSTALLED = /(?:\$\(go env GOPATH\)|\$\{?GOPATH\}?|\$\{?HOME\}?\/(?:go|\.cargo|\.local))\/bin\/(?=[\w-]+)/g;

/** A line whose last command the shell does not wait for. */
const ENDS_IN_BACKGROUND = /(^|[^&])&\s*$/;

/** Reads a line, or a check as one command. */
function readPart(reader: ScriptReader, {text, check}: ScriptPart): void {
  const isAlone = check !== null && reader.depth === 0 && reader.blocked === null && reader.cwd !== null;
  if (!isAlone) {
    readLine(reader, text);
    return;
  }
  const line = fillVariables(check, reader.values);
  const within = commandsOfCheck(line);
  if (within.length === 1 && within[0] === line) {
    const count = reader.commands.length;
    readLine(reader, check);
    const last = reader.commands.at(-1);
    if (reader.commands.length === count + 1 && last !== undefined) reader.commands[count] = {...last, text};
    return;
  }
  const trouble = troubleWithCheck(line);
  reader.commands.push({text, words: ["test"], raws: [line], env: {}, cwd: reader.cwd ?? reader.top, trouble, within});
}

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

function readCommand(reader: ScriptReader, part: LinePart): void {
  const command = part.commands[part.i];
  if (command === undefined) return;
  const {words, raws} = command;
  const [first = "", second = ""] = words;
  if (readBranch(reader, part, command)) return;
  const conditional = reader.depth > 0;
  if (CLOSES.has(first)) closeConstruct(reader);
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

function openConstruct(reader: ScriptReader, kind: "other" | "open"): void {
  reader.open.push(kind);
  reader.depth++;
}

function closeConstruct(reader: ScriptReader): void {
  if (reader.open.pop() !== "known") reader.depth = Math.max(0, reader.depth - 1);
}

/** Reads the beginnings and ends of constructs; true for one of a branch that is known to run. */
function readBranch(reader: ScriptReader, part: LinePart, {words, raws, start}: SimpleCommand): boolean {
  const [first = ""] = words;
  if (OPENS.has(first)) {
    const holds =
      first === "if" && reader.depth === 0 ? knownCondition(part.commands.slice(part.i, part.i + 2), reader) : null;
    if (holds === true) reader.open.push("known");
    else openConstruct(reader, holds === false ? "other" : "open");
    return holds === true;
  }
  const isElse = first === "else" && reader.open.at(-1) === "other";
  if (isElse) {
    closeConstruct(reader);
    reader.open.push("known");
  } else if (/^(?:else|elif)$/.test(first) && reader.open.at(-1) !== "open" && reader.open.length > 0) {
    closeConstruct(reader);
    openConstruct(reader, "open");
  }
  if (reader.open.at(-1) !== "known" || !/^(?:then|else|fi)$/.test(first)) return false;
  if (first === "fi") closeConstruct(reader);
  const from = start + part.text.slice(start).search(/(?<=^(?:then|else)\s+)\S/);
  const rest = {...part.commands[part.i], start: from, words: words.slice(1), raws: raws.slice(1)} as SimpleCommand;
  if (words.length > 1) readCommand(reader, {...part, commands: part.commands.with(part.i, rest)});
  return true;
}

/** The commands of the shell that a command starts; those in a container are not commands of this machine. */
function readInnerShell(reader: ScriptReader, command: SimpleCommand): void {
  const {text = "", trouble = null} = innerShellOf(command) ?? {};
  const inner = allCommandsOf({text, cwd: reader.cwd ?? reader.top, values: reader.values, files: reader.files});
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
