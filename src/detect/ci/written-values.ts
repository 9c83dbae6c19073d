/** Reads which variables and outputs a step of a GitHub job sets for later steps, as far as the file says their values. */
import {posix} from "node:path";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {inside, type Project} from "../files/project.ts";
import {fillCommand, fillVariables} from "../scripts/shell-values.ts";
import type {Lookup} from "./expression.ts";

/**
 * What the steps of a job have set so far. Null: only a run knows the value. The variable `ANY` is set if a step may have
 * set every other one.
 */
export interface WrittenValues {
  readonly env: Map<string, string | null>;
  /** the outputs of steps, by `id.name` */
  readonly outputs: Map<string, string | null>;
  /** folders of the tree that steps have put in front of PATH, the last one first */
  readonly programFolders: string[];
}

/** The text of a step, and what is known about it. */
export interface WritingStep {
  readonly project: Project;
  readonly text: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** empty for a step without one */
  readonly id: string;
  /** false if a condition decides whether it runs */
  readonly isCertain: boolean;
}

type WriteTarget = "ENV" | "OUTPUT";

/** An entry that a step writes; null for a value that only a run knows. */
interface WrittenEntry {
  readonly name: string;
  readonly value: string | null;
}

/** A step while its commands are read. */
interface WriteReader {
  readonly step: WritingStep;
  readonly commands: readonly SimpleCommand[];
  /** the variables whose values the step or its script gives */
  readonly values: Map<string, string>;
  readonly written: Record<WriteTarget, (WrittenEntry | "unreadable")[]>;
  /** the commands and groups that write to a file, and are read */
  readonly read: Record<WriteTarget, Set<unknown>>;
  /** true after a command that may end the script */
  isOver: boolean;
}

const ANY = "*";
const SETS_VARIABLES = /\bGITHUB_ENV\b|\bexportVariable\b/;
const MENTIONS = /\bGITHUB_(?:ENV|OUTPUT)\b/g;
const DECLARES = /^(?:export|declare|local|readonly|typeset)$/;
const PRINTS = /^(?:echo|printf)$/;
const PRINTS_NOTHING = /^(?:test|\[\[?|true|:|exit|return|set)$/;
/** A folder of the checkout for `$GITHUB_PATH`. */
const ADDS_FOLDER =
  /^[ \t]*echo ["']?(?:\$\{?GITHUB_WORKSPACE\}?|(\$\{?PWD\}?|\$\(pwd\)|\.))\/([\w./-]+?)\/?["']? *>> *["']?\$\{?GITHUB_PATH\}?["']?[ \t]*$/gm;
const ENTRY = /^([A-Za-z_][\w-]*)=(.*)$/s;
/** A tracked file whose text is the value. */
const FILE_TEXT = /^\$\(cat ([\w./-]+)(?: \| jq -c \.?)?\)$/;
/** A program that a step has installed below a folder of the machine; its version is part of the file's name. */
const MACHINE_PROGRAM =
  /^(?:\$\{?HOME\}?|~|\/opt|\/usr\/local)(?:\/[\w.-]+)*\/bin\/([A-Za-z][\w-]*?)(?:-\d+(?:\.\d+)+)?(?= |$)/;

/** Adds what a step sets to `written`. A step that also writes in a way that is not read sets all of it to unknown values. */
export function recordWrites(written: WrittenValues, step: WritingStep): void {
  const mentions = (step.text.replace(/^\s*#.*/gm, "").match(MENTIONS) ?? []).map((name) =>
    name.replace("GITHUB_", ""),
  );
  for (const [, fromHere, folder = ""] of step.isCertain ? step.text.matchAll(ADDS_FOLDER) : [])
    written.programFolders.unshift(posix.join(fromHere === undefined ? "." : step.cwd, folder));
  if (!mentions.includes("ENV") && startedFiles(step).some((text) => SETS_VARIABLES.test(text)))
    written.env.set(ANY, null);
  if (mentions.length === 0) return;
  const reader: WriteReader = {
    step,
    commands: splitShell(step.text) ?? [],
    values: new Map(Object.entries(step.env)),
    written: {ENV: [], OUTPUT: []},
    read: {ENV: new Set(), OUTPUT: new Set()},
    isOver: !step.isCertain,
  };
  for (const command of reader.commands) readCommand(reader, command);
  for (const target of ["ENV", "OUTPUT"] as const) {
    const entries = reader.written[target];
    const isReadable =
      reader.read[target].size === mentions.filter((name) => name === target).length && !entries.includes("unreadable");
    if (target === "OUTPUT" && step.id === "") continue;
    const values = target === "ENV" ? written.env : written.outputs;
    // It may also write what earlier steps have set.
    if (target === "ENV" && !isReadable) for (const name of [...values.keys(), ANY]) values.set(name, null);
    for (const entry of entries)
      if (entry !== "unreadable")
        values.set(target === "ENV" ? entry.name : `${step.id}.${entry.name}`, isReadable ? entry.value : null);
  }
}

/** Records what a program other than a shell sets, such as the text of a step in Python or of `actions/github-script`. */
export function recordProgram({env}: WrittenValues, text: string): void {
  if (SETS_VARIABLES.test(text)) env.set(ANY, null);
}

/** The texts of the tracked files that a step names. */
const startedFiles = ({project, text, cwd}: WritingStep): string[] =>
  [...new Set(text.match(/[\w./-]+/g))].flatMap((word) => project.text(inside(cwd, word.replace(/^\.\//, ""))) ?? []);

function readCommand(reader: WriteReader, given: SimpleCommand): void {
  const command = fillCommand(reader.step.text, given, (text) => fillVariables(text, reader.values));
  const {joint, inside} = command;
  const [program = "", ...rest] = command.words;
  const isJoined = [joint, ...inside.map((one) => one.joint)].some((one) => one === "&&" || one === "||");
  const isCertain = !reader.isOver && !isJoined && inside.every(({kind}) => kind === "group");
  readVariables(reader, command, {program, rest, isCertain});
  const isPrinter = PRINTS.test(program);
  const sink = sinkOf(reader, given);
  // Only the output of what is read counts as read.
  if (sink !== null && (isPrinter || sink.of !== given)) {
    reader.read[sink.target].add(sink.of);
    const printed = isPrinter ? [entryOf(reader.step, program, {words: rest, isCertain})] : printedBy(command, program);
    reader.written[sink.target].push(...printed);
  }
  reader.isOver ||= program === "exit" || program === "return";
}

/** The file of the machine that the output of a command goes to, itself or with that of a group; null for another place. */
function sinkOf({commands}: WriteReader, command: SimpleCommand): {target: WriteTarget; of: unknown} | null {
  const outer = command.inside.toReversed().map(({writes, node}) => ({writes, end: node.end, of: node as unknown}));
  const own = command.writes.slice(outer.reduce((sum, {writes}) => sum + writes.length, 0));
  for (const {writes, end, of} of [{writes: own, end: command.end, of: command as unknown}, ...outer]) {
    const next = commands.find(({start}) => start >= end);
    const target = targetOf([...writes, ...(next?.joint === "|" && next.words[0] === "tee" ? next.words : [])]);
    if (target !== null) return {target, of};
    if (writes.length > 0) return null;
  }
  return null;
}

function readVariables(
  reader: WriteReader,
  {words, env}: SimpleCommand,
  {program, rest, isCertain}: {program: string; rest: readonly string[]; isCertain: boolean},
): void {
  const assigned = words.length === 0 ? Object.entries(env) : DECLARES.test(program) ? rest.flatMap(assignmentsIn) : [];
  for (const [name, value] of assigned) {
    if (isCertain && !/[$`]/.test(value)) reader.values.set(name, value);
    else reader.values.delete(name);
  }
}

function assignmentsIn(word: string): [string, string][] {
  const [, name, value = ""] = ENTRY.exec(word) ?? [];
  return name === undefined ? [] : [[name, value]];
}

function targetOf(words: readonly string[]): WriteTarget | null {
  const name = words.map((word) => /^\$\{?GITHUB_(ENV|OUTPUT)\}?$/.exec(word)?.[1]).find((one) => one !== undefined);
  return name === "ENV" || name === "OUTPUT" ? name : null;
}

/** What a command other than `echo` and `printf` prints. */
const printedBy = ({words}: SimpleCommand, program: string): "unreadable"[] =>
  words.length === 0 || PRINTS_NOTHING.test(program) || DECLARES.test(program) ? [] : ["unreadable"];

/** The entry that `echo` or `printf` prints, if it prints one line. */
function entryOf(
  step: WritingStep,
  program: string,
  {words, isCertain}: {words: readonly string[]; isCertain: boolean},
): WrittenEntry | "unreadable" {
  const operands = words.filter((word) => !/^-[eE]+$/.test(word));
  const isFormat = program === "printf";
  const text = isFormat ? (operands[0] ?? "") : operands.join(" ");
  const line = text.replace(/(?:\\n|\n)$/, "");
  const [, name, value = ""] = ENTRY.exec(line) ?? [];
  if (name === undefined || /\\n|\n/.test(line) || (isFormat && line === text)) return "unreadable";
  return {name, value: isCertain && !value.includes("%") ? literalValue(step, value) : null};
}

function literalValue({project, cwd}: WritingStep, text: string): string | null {
  const file = FILE_TEXT.exec(text)?.[1];
  const value = file === undefined ? text : (project.text(inside(cwd, file))?.trim() ?? text);
  const ofPath = value.replace(MACHINE_PROGRAM, "$1");
  return /`|\$\(|\$\{\{/.test(ofPath) ? null : ofPath;
}

/** The lookup of a later step: with the variables and outputs that earlier ones set. */
export function withWritten(lookup: Lookup, {env, outputs}: WrittenValues): Lookup {
  // A variable in the value had a value of the machine when the step wrote it.
  const known = (value: string | null | undefined): string | undefined =>
    value === null || value?.includes("$") === true ? undefined : value;
  return (path) => {
    const [context = "", name = "", part, output = ""] = path;
    if (context === "env" && env.has(name)) return known(env.get(name));
    if (context === "steps" && part === "outputs") return known(outputs.get(`${name}.${output}`));
    return lookup(path);
  };
}

/** The lookup of a condition: a value that a step has written decides none, because other writes of it may not be read. */
export function withoutWritten(lookup: Lookup, {env}: WrittenValues): Lookup {
  return (path) => {
    const [context = "", name = "", part] = path;
    const isWritten =
      (context === "env" && (env.has(name) || env.has(ANY))) || (context === "steps" && part === "outputs");
    return isWritten ? undefined : lookup(path);
  };
}

/**
 * The variables in a text that earlier steps have set, and that its step does not set itself. They fill in its commands;
 * a stage does not get them, because other rows of the matrix may set other ones.
 */
export function setVariablesIn(
  text: string,
  {env}: WrittenValues,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  const isNamed = (name: string): boolean => new RegExp(`\\$\\{?${name}\\b`).test(text);
  return Object.fromEntries([...env].filter(([name]) => name !== ANY && !(name in own) && isNamed(name)));
}
