/** Reads which variables and outputs a step of a GitHub job sets for later steps, as far as the file says their values. */
import {splitShell} from "../../shell/split.ts";
import {inside, type Project} from "../files/project.ts";
import {logicalLines} from "../scripts/logical-lines.ts";
import {fillVariables} from "../scripts/shell-values.ts";
import type {Lookup} from "./expression.ts";

/** What the steps of a job have set so far. Null: only a run knows the value. */
export interface WrittenValues {
  readonly env: Map<string, string | null>;
  /** the outputs of steps, by `id.name` */
  readonly outputs: Map<string, string | null>;
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

const MENTIONS = /GITHUB_(?:ENV|OUTPUT)\b/;
const OPENS = /^(?:if|for|while|until|case|select)$/;
const CLOSES = /^(?:fi|done|esac)$/;
const DECLARES = /^(?:export|declare|local|readonly|typeset)$/;
const ENTRY = /^([A-Za-z_][\w-]*)=(.*)$/s;
/** Begins a value of several lines: `name<<EOF`. */
const LONG_ENTRY = /^([A-Za-z_][\w-]*)<</;
/** A tracked file whose text is the value. */
const FILE_TEXT = /^\$\(cat ([\w./-]+)(?: \| jq -c \.?)?\)$/;
/** A program that a step has installed below a folder of the machine; its version is part of the file's name. */
const MACHINE_PROGRAM =
  /^(?:\$\{?HOME\}?|~|\/opt|\/usr\/local)(?:\/[\w.-]+)*\/bin\/([A-Za-z][\w-]*?)(?:-\d+(?:\.\d+)+)?(?= |$)/;

/** Adds what a step sets to `written`. */
export function recordWrites(written: WrittenValues, step: WritingStep): void {
  if (!MENTIONS.test(step.text)) return;
  const values = new Map(Object.entries(step.env));
  let depth = 0;
  let group: string[] | null = null;
  for (const line of logicalLines(step.text)) {
    const commands = splitShell(fillVariables(line, values)) ?? [];
    for (const [i, {words, env, joint, writes}] of commands.entries()) {
      const [program = "", ...rest] = words;
      if (OPENS.test(program)) depth++;
      else if (CLOSES.test(program)) depth--;
      const isCertain = depth === 0 && joint !== "&&" && joint !== "||";
      const assigned = words.length === 0 ? Object.entries(env) : DECLARES.test(program) ? rest.flatMap(entriesOf) : [];
      for (const [name, value] of assigned) {
        if (isCertain && !/[$`]/.test(value)) values.set(name, value);
        else values.delete(name);
      }
      const next = commands[i + 1];
      const target = targetOf([...writes, ...(next?.joint === "|" && next.words[0] === "tee" ? next.words : [])]);
      const printed = /^(?:echo|printf)$/.test(program)
        ? rest.filter((word) => !/^-[neE]+$/.test(word)).join(" ")
        : null;
      if (program === "{") group = words.includes("echo") ? [words.slice(2).join(" ")] : [];
      else if (program === "}") {
        if (target !== null) for (const entry of group ?? []) add(written, entry, {step, target, isCertain});
        group = null;
      } else if (printed !== null && target !== null) add(written, printed, {step, target, isCertain});
      else if (printed !== null) group?.push(printed);
    }
  }
}

function entriesOf(word: string): [string, string][] {
  const [, name, value = ""] = ENTRY.exec(word) ?? [];
  return name === undefined ? [] : [[name, value]];
}

type WriteTarget = "ENV" | "OUTPUT";

function targetOf(words: readonly string[]): WriteTarget | null {
  const name = words.map((word) => /^\$\{?GITHUB_(ENV|OUTPUT)\}?$/.exec(word)?.[1]).find((one) => one !== undefined);
  return name === "ENV" || name === "OUTPUT" ? name : null;
}

function add(
  written: WrittenValues,
  entry: string,
  {step, target, isCertain}: {step: WritingStep; target: WriteTarget; isCertain: boolean},
): void {
  const long = LONG_ENTRY.exec(entry)?.[1];
  const [, name = long, text = null] = ENTRY.exec(entry.replace(/\\n$/, "")) ?? [];
  if (name === undefined || (target === "OUTPUT" && step.id === "")) return;
  const values = target === "ENV" ? written.env : written.outputs;
  const key = target === "ENV" ? name : `${step.id}.${name}`;
  const value = text === null || !isCertain || !step.isCertain ? null : literalValue(step, text);
  values.set(key, value);
}

function literalValue({project, cwd}: WritingStep, text: string): string | null {
  const file = FILE_TEXT.exec(text)?.[1];
  const value = file === undefined ? text : (project.text(inside(cwd, file))?.trim() ?? text);
  const ofPath = value.replace(MACHINE_PROGRAM, "$1");
  return /`|\$\(|\$\{\{|%s/.test(ofPath) ? null : ofPath;
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
  return Object.fromEntries([...env].filter(([name]) => !(name in own) && isNamed(name)));
}
