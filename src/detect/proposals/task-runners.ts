/** From the tasks of a task runner to drafts: by their names, and by what their recipes do. */
import type {StageKind} from "../../record/words.ts";
import {unwrap} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOfName, kindOfWords} from "../../shell/stage-kind.ts";
import type {CandidateStage} from "./ecosystem.ts";
import {screen} from "./screen.ts";

export interface Task {
  readonly lines: readonly string[];
  /** tasks that run before it */
  readonly needs: readonly string[];
  /** why it cannot be started by itself: it wants arguments, or watches */
  readonly unfit?: string;
  /** the folder it runs in, where that is not the runner's own */
  readonly cwd?: string;
}

export interface Runner {
  readonly name: string;
  readonly file: string;
  readonly cwd: string;
  readonly tools: CandidateStage["tools"];
  /** how a task is started by its name */
  readonly start: (task: string) => string;
  /** a pattern with one group: the task that a line of a recipe starts */
  readonly starts: RegExp;
  /** never taken apart: the runner is on every machine, and its recipes are written for it */
  readonly whole?: boolean;
  /** what a line comes down to where it starts a script of the tree; null where it starts none */
  readonly behind?: (line: string) => readonly string[] | null;
}

const MAX_LINES = 200;
/** How many tasks one of them may bring along; it bounds the depth, too. */
const MAX_TASKS = 200;
/** Names of tasks that rewrite files in most projects, and are checks only where the recipe shows it. */
const FORMATS = new Set(["fmt", "format"]);
const REPORTS = /cov(erage)?$/;
const DOCUMENTS = /^(mkdocs|sphinx-build|jekyll|hugo|docusaurus|vitepress|mdbook|typedoc|antora|zola|doxygen|jsdoc)$/;

/** Commands that are no check whatever the task is called. */
const PREPARES = /^(cd|export|set|mkdir|rm|cp|mv|ln|touch|source|\.|read|trap|cat|ls|find|if|for|while|test|\[|\[\[)$/;

/** The drafts of all tasks whose name promises a check. Recipes of plain checks are given as those checks, so that the runner need not be there. */
export function proposeTasks(runner: Runner, tasks: ReadonlyMap<string, Task>): CandidateStage[] {
  const promises = [...tasks].flatMap(([name, task]) => {
    const promised = kindOfName(name) ?? (FORMATS.has(name) ? "lint" : null);
    if (promised === null || task.unfit !== undefined) return [];
    return [{name, task, promised}];
  });
  // Of alternatives the first in the file is meant, but for the one that only adds a report.
  const drafts = promises
    .sort((a, b) => Number(REPORTS.test(a.name)) - Number(REPORTS.test(b.name)))
    .map(({name, task, promised}) => {
      const runs = expandTask(runner, tasks, name).flatMap((line) => runner.behind?.(line) ?? [line]);
      if (runs.length === 0 || (promised === "build" && isDocumentation(runs))) return [];
      // What a shell of Nix starts there is nowhere else.
      if (runs.some((line) => /^nix(-shell|-build)?\s/.test(line))) return [];
      const looks = (line: string): boolean => screen(line).kind === "ok" && kindsOf(line).includes("lint");
      // Of a recipe that is started whole the safety screen sees every line; the others would be given their read-only twins.
      if (FORMATS.has(name) && !(runner.whole === true ? runs.some(looks) : runs.every(looks))) return [];
      return taken({runner, name, promised, runs, cwd: task.cwd ?? runner.cwd});
    });
  // A task that only gathers others says nothing new.
  const simpleFirst = runner.whole === true ? drafts.flat() : drafts.sort((a, b) => a.length - b.length).flat();
  return simpleFirst.filter(
    (draft, i) => simpleFirst.findIndex((other) => other.cwd === draft.cwd && other.command === draft.command) === i,
  );
}

/** True for a build that makes documentation, and compiles nothing. */
function isDocumentation(runs: readonly string[]): boolean {
  const tools = runs.flatMap((line) => splitShell(line) ?? []).map((command) => unwrap(command.words)[0] ?? "");
  return tools.some((tool) => DOCUMENTS.test(tool)) && !runs.flatMap(kindsOf).includes("build");
}

/** The lines that a task runs, those of the tasks it needs first. Each task runs once, however many need it, as with all runners. */
export function expandTask(
  runner: Pick<Runner, "starts">,
  tasks: ReadonlyMap<string, Task>,
  name: string,
  seen: Set<string> = new Set(),
): string[] {
  const task = tasks.get(name);
  if (task === undefined || seen.has(name) || seen.size > MAX_TASKS) return [];
  seen.add(name);
  const again = (other: string): string[] => expandTask(runner, tasks, other, seen);
  const lines = [
    ...task.needs.slice(0, MAX_LINES).flatMap(again),
    ...task.lines.slice(0, MAX_LINES).flatMap((line) => {
      const started = runner.starts.exec(line)?.[1];
      return started !== undefined && tasks.has(started) ? again(started) : [line];
    }),
  ];
  return lines.filter((line) => screen(line).kind !== "placeholder").slice(0, MAX_LINES);
}

function taken(o: {runner: Runner; name: string; promised: StageKind; runs: string[]; cwd: string}): CandidateStage[] {
  const {runner, name, runs} = o;
  const origin = {file: runner.file, key: name, why: `the task \`${name}\` of ${runner.name}`};
  const parts = runs.map((line) => (runner.whole === true ? null : partOf(line, o.promised, runs.length)));
  const known = new Set(runs.flatMap(kindsOf));
  const [only] = known;
  const kind = o.promised === "check" && known.size === 1 && only !== undefined ? only : o.promised;
  const whole: CandidateStage = {
    kind,
    command: runner.start(name),
    cwd: runner.cwd,
    origin,
    evidence: "named",
    tools: runner.tools,
    runs,
    slot: `${runner.name}:${kind}:${kind === "lint" ? name : ""}`,
    ...(kind === "lint" && name !== "lint" ? {label: name} : {}),
  };
  if (!parts.every((part) => part !== null)) return [whole];
  return parts.map((part) => ({
    kind: part.kind,
    command: part.command,
    cwd: o.cwd,
    origin,
    evidence: "named",
    tools: requiredTools(part.command),
    runs: [runner.start(name), part.command],
    ...(parts.length === 1 ? {slot: whole.slot ?? ""} : {}),
    ...(part.label === "" || part.kind === "test" ? {} : {label: part.label}),
  }));
}

/** A line that is one plain check by itself; null when it is not. A line of several in a build or a test may prepare the others. */
function partOf(
  line: string,
  promised: StageKind,
  of: number,
): {kind: StageKind; command: string; label: string} | null {
  const commands = splitShell(line);
  const [command] = commands ?? [];
  if (commands?.length !== 1 || command === undefined || command.dynamic || command.writes.length > 0) return null;
  const found = screen(line);
  if ((found.kind !== "ok" && !("instead" in found)) || line.includes("{{")) return null;
  const told = kindOfWords(command.words);
  const lints = promised === "lint" || promised === "typecheck";
  if (of > 1 && told === null && (!lints || PREPARES.test(command.words[0] ?? ""))) return null;
  const safe = "instead" in found && found.instead !== undefined ? found.instead : line;
  const kind = told === null || promised === "build" ? promised : told;
  return {kind, command: safe.trim(), label: unwrap(command.words)[0] ?? ""};
}

/** The program that a plain line starts, for the message when it is missing. */
export function requiredTools(line: string): CandidateStage["tools"] {
  const program = splitShell(line)?.[0]?.words[0] ?? "";
  return /^[\w.+-]+$/.test(program)
    ? [{name: program, hint: `install ${program} in a step before Assay, as your CI does`}]
    : [];
}

function kindsOf(line: string): StageKind[] {
  return (splitShell(line) ?? []).map((command) => kindOfWords(command.words)).filter((kind) => kind !== null);
}
