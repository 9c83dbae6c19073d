/** Turns the tasks of a task runner into candidate stages, by their names and by the commands of their recipes. */

import type {StageKind} from "../../record/words.ts";
import {splitShell} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import {nameSet} from "../../tools/names.ts";
import {kindOf, kindOfName, kindOfWords, kindsOf} from "../../tools/stage-kind.ts";
import type {Project} from "../files/project.ts";
import {findFirst, isInWorkflows} from "./candidate-stages.ts";
import type {CandidateStage, Ecosystem} from "./ecosystem.ts";
import {programHint} from "./program-hint.ts";
import {safeVariant, screen} from "./screen.ts";

export interface Task {
  readonly lines: readonly string[];
  /** tasks that run before it */
  readonly needs: readonly string[];
  /** why it cannot be started by itself: it needs arguments, or watches */
  readonly unfit?: string;
  /** the folder that it runs in, if it is not the runner's own folder */
  readonly cwd?: string;
}

export interface TaskRunner {
  readonly name: string;
  readonly file: string;
  readonly cwd: string;
  readonly tools: CandidateStage["tools"];
  /** the command that starts a task */
  readonly start: (task: string) => string;
  /** a pattern with one group: the task that a line of a recipe starts, or several with blanks between them */
  readonly starts: RegExp;
  /** recipes are never split into stages: the runner is on every machine, and recipes may use its syntax */
  readonly whole?: boolean;
  /** the lines of the script that a line starts; null if it starts none */
  readonly behind?: (line: string) => readonly string[] | null;
}

/** A task runner whose tasks are all in one file, or in files that it names. */
export interface TaskFile {
  readonly name: string;
  readonly title: string;
  /** its possible names, best first */
  readonly files: readonly string[];
  readonly hint: string;
  /** starts a task, whose name follows */
  readonly command: string;
  readonly starts: RegExp;
  readonly readTasks: (project: Project, file: string, root: string) => ReadonlyMap<string, Task>;
}

/** Detects the tasks of such a task runner. */
export function taskEcosystem({name, title, files, hint, command, starts, readTasks}: TaskFile): Ecosystem {
  const detect: Ecosystem["detect"] = ({project, root}) => {
    const file = findFirst(project, root, files);
    if (file === null) return {};
    const tools = [{name: command, hint}];
    const runner = {name: command, file, cwd: root, tools, start: (task: string) => `${command} ${task}`, starts};
    const checks = proposeTasks(runner, readTasks(project, file, root));
    return {checks: checks.filter((one) => !isOnlyAtHome(project, one.command))};
  };
  return {name, title, manifests: files, where: "beside", detect};
}

/** Cargo's own commands, next to those that Assay knows as checks. */
const CARGO_COMMANDS = new Set(["bench", "run", "tree", "metadata", "package", "xtask", "make", "bin", "x"]);

/** True for an alias or extension of cargo that neither the tree nor CI mentions: only its author's machine has it. */
function isOnlyAtHome(project: Project, line: string): boolean {
  const name = /^cargo ([a-z][\w-]*)/.exec(line)?.[1];
  if (name === undefined || kindOf(`cargo ${name}`) !== null || CARGO_COMMANDS.has(name)) return false;
  const configs = [".cargo/config.toml", ".cargo/config"].map((path) => project.text(path) ?? "");
  const isAlias = configs.some((text) => new RegExp(`^\\s*${name}\\s*=`, "m").test(text));
  return !isAlias && !isInWorkflows(project, new RegExp(`cargo[- ]${name}\\b`));
}

const MAX_LINES = 200;
/** The most tasks that one task may include; this limits the recursion, too. */
const MAX_TASKS = 200;
/** Task names that rewrite files in most projects, and are checks only if the recipe shows it. */
const FORMATS = new Set(["fmt", "format"]);
const REPORTS = /cov(erage)?$/;
const DOCUMENTS = nameSet(
  "mkdocs sphinx-build jekyll hugo docusaurus vitepress mdbook typedoc antora zola doxygen jsdoc",
);

/** Commands that are not a check, whatever the name of the task is. */
const PREPARES = nameSet("cd export set mkdir rm cp mv ln touch source . read trap cat ls find if for while test [ [[");

/**
 * Proposes every task whose name suggests a check. A recipe of plain checks becomes these checks, so that the runner
 * need not be installed.
 */
export function proposeTasks(runner: TaskRunner, tasks: ReadonlyMap<string, Task>): CandidateStage[] {
  const isWhole = runner.whole === true;
  // Of several alternatives, the first in the file is preferred, unless it only adds a report.
  const reportsLast = [...tasks.entries()].sort(([a], [b]) => Number(REPORTS.test(a)) - Number(REPORTS.test(b)));
  const proposals = reportsLast.map(([name, task]) => {
    const kindByName = kindOfName(name) ?? (FORMATS.has(name) ? "lint" : null);
    if (kindByName === null || task.unfit !== undefined) return [];
    const runs = expandTask(runner, tasks, name).flatMap((line) => runner.behind?.(line) ?? [line]);
    if (runs.length === 0 || (kindByName === "build" && isDocumentation(runs))) return [];
    // Programs of a Nix shell are only available in that shell.
    if (runs.some((line) => /^nix(-shell|-build)?\s/.test(line))) return [];
    const isLint = (line: string): boolean => screen(line).kind === "ok" && kindsOf(line).includes("lint");
    // In a whole recipe the safety screen checks every line; in other recipes it replaces lines by read-only variants.
    if (FORMATS.has(name) && !(isWhole ? runs.some(isLint) : runs.every(isLint))) return [];
    return proposeTask({runner, name, promised: kindByName, runs, cwd: task.cwd ?? runner.cwd});
  });
  // A task that only combines other tasks then adds no new command.
  const simpleFirst = isWhole ? proposals.flat() : proposals.sort((a, b) => a.length - b.length).flat();
  const distinct = simpleFirst.filter(
    (stage, i) => simpleFirst.findIndex((other) => other.cwd === stage.cwd && other.command === stage.command) === i,
  );
  return isWhole ? distinct : distinct.filter((stage) => !isCombined(stage, distinct));
}

/** Commands that change nothing for the checks after them. */
const HARMLESS = /^(mkdir|touch|echo|printf)\b/;

/** True for a task that only starts the checks of other stages. */
function isCombined({command, cwd, runs = []}: CandidateStage, others: readonly CandidateStage[]): boolean {
  const commands = new Set(others.filter((other) => other.cwd === cwd).map((other) => other.command));
  const checks = runs.filter((line) => !HARMLESS.test(line) || splitShell(line)?.length !== 1);
  // A part of a recipe also has its task among its commands.
  return checks.length > 0 && !runs.includes(command) && checks.every((line) => commands.has(safeVariant(line).trim()));
}

/** True for a build that generates documentation and compiles nothing. */
function isDocumentation(runs: readonly string[]): boolean {
  const programs = runs.flatMap((line) => splitShell(line) ?? []).map((command) => unwrap(command.words)[0] ?? "");
  return programs.some((program) => DOCUMENTS.has(program)) && !runs.flatMap(kindsOf).includes("build");
}

/** The lines that a task runs, including the tasks that it needs. Each task runs once, as in all runners. */
export function expandTask(
  runner: Pick<TaskRunner, "starts">,
  tasks: ReadonlyMap<string, Task>,
  name: string,
  seen: Set<string> = new Set(),
): string[] {
  const task = tasks.get(name);
  if (task === undefined || seen.has(name) || seen.size > MAX_TASKS) return [];
  seen.add(name);
  const expand = (other: string): string[] => expandTask(runner, tasks, other, seen);
  const lines = [
    ...task.needs.slice(0, MAX_LINES).flatMap(expand),
    ...task.lines.slice(0, MAX_LINES).flatMap((line) => {
      const startedTasks = runner.starts.exec(line)?.[1]?.trim().split(" ") ?? [];
      const isKnown = startedTasks.length > 0 && startedTasks.every((started) => tasks.has(started));
      return isKnown ? startedTasks.flatMap(expand) : [line];
    }),
  ];
  return lines.filter((line) => screen(line).kind !== "placeholder").slice(0, MAX_LINES);
}

function proposeTask(options: {
  runner: TaskRunner;
  name: string;
  promised: StageKind;
  runs: string[];
  cwd: string;
}): CandidateStage[] {
  const {runner, name, promised, runs, cwd} = options;
  const origin = {file: runner.file, key: name, why: `the task \`${name}\` of ${runner.name}`};
  const parts = runs.map((line) => (runner.whole === true ? null : parsePart(line, promised, runs.length === 1)));
  const kinds = new Set(runs.flatMap(kindsOf));
  const [onlyKind] = kinds;
  const kind = promised === "check" && kinds.size === 1 && onlyKind !== undefined ? onlyKind : promised;
  const slot = `${runner.name}:${kind}:${kind === "lint" ? name : ""}`;
  if (!parts.every((part) => part !== null)) {
    const label = kind === "lint" && name !== "lint" ? {label: name} : {};
    const command = runner.start(name);
    return [{kind, command, cwd: runner.cwd, origin, evidence: "named", tools: runner.tools, runs, slot, ...label}];
  }
  return parts.map((part) => ({
    kind: part.kind,
    command: part.command,
    cwd,
    origin,
    evidence: "named",
    tools: requiredTools(part.command),
    runs: [runner.start(name), part.command],
    ...(parts.length === 1 ? {slot} : {}),
    ...(part.label === "" || part.kind === "test" ? {} : {label: part.label}),
  }));
}

/**
 * A line that is one plain check by itself, otherwise null. One line of several in a build or test may prepare the
 * others.
 */
function parsePart(
  line: string,
  promised: StageKind,
  isOnlyLine: boolean,
): {kind: StageKind; command: string; label: string} | null {
  const commands = splitShell(line);
  const [command] = commands ?? [];
  if (commands?.length !== 1 || command === undefined || command.dynamic || command.writes.length > 0) return null;
  const screening = screen(line);
  if ((screening.kind !== "ok" && !("instead" in screening)) || line.includes("{{")) return null;
  const kind = kindOfWords(command.words);
  const isLintTask = promised === "lint" || promised === "typecheck";
  if (!isOnlyLine && kind === null && (!isLintTask || PREPARES.has(command.words[0] ?? ""))) return null;
  return {
    kind: kind === null || promised === "build" ? promised : kind,
    command: safeVariant(line).trim(),
    label: unwrap(command.words)[0] ?? "",
  };
}

/** The program that a plain line starts, for the message when it is missing. */
export function requiredTools(line: string): CandidateStage["tools"] {
  const program = splitShell(line)?.[0]?.words[0] ?? "";
  return /^[\w.+-]+$/.test(program) ? [{name: program, hint: programHint(program, "your CI")}] : [];
}
