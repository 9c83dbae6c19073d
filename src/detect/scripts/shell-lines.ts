/** Splits the shell text of a CI step into the plain commands that it always runs, with their folders. */
import {type Construct, joinedAfter, type SimpleCommand, splitShell} from "../../shell/split.ts";
import {ONLY_CI, troubleWith, withoutCiPrograms} from "./command-trouble.ts";
import {ELLIPSIS, innerShellOf} from "./inner-shell.ts";
import {enter, fillCommand, fillVariables, isPlain} from "./shell-values.ts";

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
  /** its input, as written after its words: ` < data.txt` */
  readonly input?: string;
  /** the lines before it that change the shell of its script */
  readonly changes?: readonly ShellChange[];
  /** those of them that have to run in front of it, as text: `shopt -s globstar && ` */
  readonly before?: string;
  /** the variables that those lines export */
  readonly exported?: Readonly<Record<string, string>>;
}

/** The words of a command as one line, with what it needs around them. */
export const wholeLine = ({before = "", input = ""}: CiCommand, line: string): string => `${before}${line}${input}`;

/** A line that changes the shell for what comes after it, such as `export` and `source`. */
export interface ShellChange extends Pick<CiCommand, "words" | "text" | "cwd"> {
  /** false if only a run of its script knows what it does */
  readonly isKnown: boolean;
}

/**
 * The builtins that change the shell of a script (manual of bash, "Bash Builtins"). What others change, such as limits
 * and traps, is about CI's machine.
 */
const CHANGES_SHELL = new Set(["export", "declare", "typeset", "unset", "source", ".", "shopt", "set", "umask"]);

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
    text: "",
    commands: [],
    top: cwd,
    values: new Map(values),
    assigned: new Set(),
    cwd,
    subshells: [],
    changes: [],
    blocked: null,
  };
  // The other lines of a text that is no shell text may be commands.
  const parts = splitShell(text) === null ? text.split("\n") : [text];
  for (const part of parts) readText(reader, part);
  const functions = functionsOf(parts.flatMap((part) => splitShell(part) ?? []));
  // The body of a function is read where it is defined.
  return reader.commands.flatMap((command) => {
    const [first = "", ...words] = command.words;
    if (["$@", "$*"].includes(first) && words.length === 0) return [];
    const runsArguments = functions.get(first);
    if (runsArguments === undefined) return [command];
    if (!runsArguments || words.length === 0) return [];
    return [{...command, words, raws: command.raws.slice(1)}];
  });
}

/** The functions of a script by name, each with whether it runs its arguments: `retry npm test`. */
function functionsOf(commands: readonly SimpleCommand[]): Map<string, boolean> {
  const functions = new Map<string, boolean>();
  for (const {words, inside} of commands)
    for (const {kind, name} of inside)
      if (kind === "function")
        functions.set(name, functions.get(name) === true || ["$@", "$*"].includes(words[0] ?? ""));
  return functions;
}

/** A script while its commands are read. */
interface ScriptReader {
  /** the part of the script that is read */
  text: string;
  readonly commands: ScriptCommand[];
  readonly values: Map<string, string>;
  /** the variables that it sets, whatever their values are */
  readonly assigned: Set<string>;
  /** the folder in which the script starts */
  readonly top: string;
  /** null: only CI knows it */
  cwd: string | null;
  /** the open subshells, with the folders and changes outside of them */
  readonly subshells: (Pick<ScriptReader, "cwd" | "changes"> & {readonly node: Construct["node"]})[];
  changes: readonly ShellChange[];
  /** why the commands from here on need what runs before them */
  blocked: string | null;
}

/** Where `go install` and `cargo install` put programs, which Assay starts by their names. */
const INSTALLED = /(?:\$\(go env GOPATH\)|\$\{?GOPATH\}?|\$\{?HOME\}?\/(?:go|\.cargo|\.local))\/bin\/(?=[\w-]+)/g;

function readText(reader: ScriptReader, text: string): void {
  const commands = splitShell(text);
  reader.text = text;
  if (commands === null && text.trim() !== "")
    addDependent(reader, {text: fill(reader, text), trouble: UNREADABLE, words: [], raws: []});
  for (const i of (commands ?? []).keys()) readCommand(reader, commands ?? [], i);
}

const fill = (reader: ScriptReader, text: string): string => fillVariables(text, reader.values).replace(INSTALLED, "");

/** True for a construct of which only a run knows whether its commands run. */
const isConditional = ({kind}: Construct): boolean => kind !== "group" && kind !== "subshell";

/** True for a command that belongs to the one before it, itself or by the group that it is in. */
const isContinued = ({joint, inside}: SimpleCommand): boolean =>
  [{kind: "group", joint}, ...inside].some(
    (one) => (one.kind === "group" || one.kind === "subshell") && (one.joint === "|" || one.joint === "||"),
  );

const withValues = (reader: ScriptReader, command: SimpleCommand): SimpleCommand =>
  withoutCiPrograms(fillCommand(reader.text, command, (text) => fill(reader, text)));

function leaveSubshell(reader: ScriptReader): void {
  const {cwd = null, changes = []} = reader.subshells.pop() ?? {};
  reader.cwd = cwd;
  reader.changes = changes;
}

function readCommand(reader: ScriptReader, commands: readonly SimpleCommand[], i: number): void {
  const given = commands[i];
  if (given === undefined) return;
  while (reader.subshells.length > 0 && !given.inside.some(({node}) => node === reader.subshells.at(-1)?.node))
    leaveSubshell(reader);
  for (const {kind, node} of given.inside)
    if (kind === "subshell" && !reader.subshells.some((one) => one.node === node))
      reader.subshells.push({node, cwd: reader.cwd, changes: reader.changes});
  const command = withValues(reader, given);
  const {words, raws, joint, isBackground} = command;
  const [first = "", second = ""] = words;
  const conditional = command.inside.some(isConditional);
  const next = joinedAfter(commands, i);
  const text = fill(reader, wholeText(reader.text, command, next));
  if (CHANGES_SHELL.has(first)) addChange(reader, command, conditional || isContinued(command));
  if (first === "") readAssignments(reader, command, conditional);
  else if (conditional) {
    // A comparison of values is only the condition of other commands.
    const isComparison = ["test", "[", "[["].includes(first) && !/\$\(|`/.test(text);
    if (!isContinued(command) && !isComparison) addDependent(reader, {text, trouble: CONDITIONAL, words, raws});
  } else {
    if (first === "exit" && joint !== "||") reader.blocked ??= AFTER_EXIT;
    if (first === "export") setValues(reader, words.slice(1));
    else if (first === "cd" || first === "pushd") reader.cwd = enter(reader.cwd, second);
    else if (first === "popd") reader.cwd = reader.top;
    else if (isContinued(command)) return;
    else if (isBackground) {
      // Commands after the start of a server may need it.
      reader.blocked ??= AFTER_SERVER;
      addDependent(reader, {text, trouble: IN_BACKGROUND, words, raws});
    } else if (reader.blocked !== null) addDependent(reader, {text, trouble: reader.blocked, words, raws});
    else if (reader.cwd !== null && innerShellOf(command) !== null && !next.some(isContinued))
      readInnerShell(reader, command);
    else addCommand(reader, {command, text, next});
  }
}

function addChange(reader: ScriptReader, command: SimpleCommand, isUncertain: boolean): void {
  const words = command.words.map((word) => {
    const value = command.words[0] === "unset" || !/^\w+$/.test(word) ? undefined : reader.values.get(word);
    return value === undefined ? word : `${word}=${value}`;
  });
  const isComputed = words.some((word) => reader.assigned.has(word));
  const isKnown = !isUncertain && !isComputed && troubleWith(command, []) === null;
  const text = fill(reader, reader.text.slice(command.start, command.end));
  reader.changes = [...reader.changes, {words, text, cwd: reader.cwd ?? reader.top, isKnown}];
}

/** The text of a command with those that belong to it. */
function wholeText(text: string, command: SimpleCommand, next: readonly SimpleCommand[]): string {
  const other = next.findIndex((one) => !isContinued(one));
  const last = (other < 0 ? next : next.slice(0, other)).at(-1);
  const ends = last?.inside.slice(command.inside.length).map(({node}) => node.end) ?? [];
  const line = text.slice(command.start, Math.max(command.end, last?.end ?? 0, ...ends));
  return [line, command.documents, ...next.map(({documents}) => documents)].join("");
}

function addCommand(
  reader: ScriptReader,
  {command, text, next}: {command: SimpleCommand; text: string; next: readonly SimpleCommand[]},
): void {
  const {words, raws, env, isNegated, inputLine, documents} = command;
  const isUnknownFolder = reader.cwd === null;
  const problem = isUnknownFolder ? "it runs in a folder that only CI knows" : troubleWith(command, next);
  const computed = ONLY_CI.test(problem ?? "") ? raws.flatMap((raw) => /\$\{?(\w+)/.exec(raw)?.[1] ?? []) : [];
  const isComputed = computed.length > 0 && computed.every((name) => reader.assigned.has(name));
  const trouble = isComputed ? `the script of CI computes \`${computed[0]}\` before it` : problem;
  // A negated pipeline means something else without its other commands.
  const shown = isNegated ? {words: ["!", ...words], raws: [text]} : {words, raws};
  const input = isNegated ? "" : `${fill(reader, inputLine)}${documents}`;
  const {changes} = reader;
  reader.commands.push({text, ...shown, env, cwd: reader.cwd ?? reader.top, trouble, input, changes});
}

/** The commands of the shell that a command starts; those in a container are not commands of this machine. */
function readInnerShell(reader: ScriptReader, command: SimpleCommand): void {
  const {text = "", trouble = null} = innerShellOf(command) ?? {};
  const inner = allCommandsOf({text, cwd: reader.cwd ?? reader.top, values: reader.values});
  const elsewhere = trouble === null ? {} : {trouble, isDependent: true as const};
  const raws = [...command.raws.slice(0, -1), ELLIPSIS];
  if (trouble !== null) addDependent(reader, {text: raws.join(" "), trouble, words: command.words, raws});
  // Another shell gets the variables and the mask, and not the options.
  const inherited = reader.changes.filter(({words: [builtin = ""]}) => !["shopt", "set"].includes(builtin));
  for (const one of inner) {
    const changes = [...inherited, ...(one.changes ?? [])];
    reader.commands.push({...one, env: {...command.env, ...one.env}, changes, ...elsewhere});
  }
}

function readAssignments(reader: ScriptReader, {env}: SimpleCommand, conditional: boolean): void {
  for (const [name, value] of Object.entries(env)) {
    reader.assigned.add(name);
    // What is added to a list is only known when the script runs.
    const items = /^\(([^()]*)\)$/.exec(value)?.[1]?.trim().replaceAll("\n", " ");
    reader.values.delete(name);
    reader.values.delete(`${name}[@]`);
    if (conditional) continue;
    if (items !== undefined && /^[\w@%+=:,./ "-]+$/.test(items)) reader.values.set(`${name}[@]`, items);
    else if (isPlain(value)) reader.values.set(name, value);
  }
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
