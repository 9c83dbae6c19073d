/** Reads which variables and outputs a step of a GitHub job sets for later steps, as far as the file says their values. */
import {plainPath} from "../../git/paths.ts";
import {inside, type Project} from "../files/project.ts";
import type {Lookup} from "./expression.ts";

/**
 * What the steps of a job have set so far. Null: only a run knows the value. The variable `ANY` is set if a step may have
 * set every other one.
 */
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

const ANY = "*";
const SETS_VARIABLES = /\bGITHUB_ENV\b|\bexportVariable\b/;
const MENTIONS = /\bGITHUB_(ENV|OUTPUT)\b/g;
/** One line of a step that sets one value. */
const WRITES =
  /^[ \t]*echo (["']?)([A-Za-z_][\w-]*)=(.*?)\1[ \t]*>>[ \t]*["']?\$\{?GITHUB_(ENV|OUTPUT)\}?["']?[ \t]*$/gm;
/** A step that may skip some of its lines. */
const DECIDES = /^[ \t]*(?:if|case|for|while|until)\b|&&|\|\||\b(?:exit|return)\b|\{[ \t]*$/m;

/** Adds what a step sets to `written`. A step that also writes in another way sets all of it to unknown values. */
export function recordWrites(written: WrittenValues, step: WritingStep): void {
  const text = step.text.replace(/^\s*#.*/gm, "");
  const writes = [...text.matchAll(WRITES)];
  const isReadable = writes.length === [...text.matchAll(MENTIONS)].length;
  const mayWrite = SETS_VARIABLES.test(text) ? !isReadable : startedFiles(step).some((one) => SETS_VARIABLES.test(one));
  // It may also write what earlier steps have set.
  if (mayWrite) for (const name of [...written.env.keys(), ANY]) written.env.set(name, null);
  const isCertain = step.isCertain && isReadable && !DECIDES.test(text);
  for (const [, , name = "", value = "", target] of writes) {
    const known = isCertain && !/[`$%]/.test(value) ? value : null;
    if (target === "ENV") written.env.set(name, known);
    else written.outputs.set(`${step.id}.${name}`, known);
  }
}

/** Records what a program other than a shell sets, such as the text of a step in Python or of `actions/github-script`. */
export function recordProgram({env}: WrittenValues, text: string): void {
  if (SETS_VARIABLES.test(text)) env.set(ANY, null);
}

/** The texts of the tracked files that a step names. */
const startedFiles = ({project, text, cwd}: WritingStep): string[] =>
  [...new Set(text.match(/[\w./-]+/g))].flatMap((word) => project.text(inside(cwd, plainPath(word))) ?? []);

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
