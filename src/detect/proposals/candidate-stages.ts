/** Reads rows of data: the checks and the install step of one project, as candidates for the plan. */
import {posix} from "node:path";
import type {Note, NotRun, Origin, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateSetup, CandidateStage, ProjectFolder, Proposal} from "./ecosystem.ts";

/** One check. It is left out if `when` is false, if `origin` is null, or if none of its `configs` exists. */
export interface CheckRow extends Partial<Omit<CandidateStage, "cwd" | "origin">> {
  readonly kind: StageKind;
  readonly command: string;
  readonly when?: boolean;
  /** what asks for the check; the project's own origin by default */
  readonly origin?: Origin | null;
  /** replaces the reason in the origin */
  readonly why?: string;
  /** config files of the check's tool, best first: the first one that exists is the origin, and the evidence is `tool` */
  readonly configs?: readonly string[];
  /** the tool that `configs` belong to; the first word of the command by default */
  readonly configured?: string;
}

/** An install step. Paths are relative to the project's folder; those that begin with `/` to the root of the tree. */
export interface InstallRow extends Omit<CandidateSetup, "cwd" | "tools" | "origin"> {
  readonly tools?: Stage["tools"];
  /** the project's own origin by default */
  readonly origin?: Origin;
  /** if this file exists, it is the origin, and the option makes the install follow it */
  readonly lock?: {readonly file: string; readonly key: string; readonly option?: string};
}

export interface ProjectRow {
  /** the program that every check and the install step need, unless they name others */
  readonly tool: Stage["tools"][number];
  readonly origin: Origin;
  /** what all checks share */
  readonly shared?: Partial<CandidateStage>;
  readonly checks: readonly CheckRow[];
  readonly installs?: readonly InstallRow[];
  readonly notes?: readonly Note[];
  readonly notRun?: readonly NotRun[];
  readonly covers?: readonly string[];
}

/** Turns the row of a project into a proposal. */
export function proposalOf(folder: ProjectFolder, row: ProjectRow): Proposal {
  const {notes = [], notRun = [], covers = [], checks, installs = []} = row;
  const stages = checks.flatMap((check) => candidateOf(folder, row, check));
  return {stages, setup: installs.map((install) => setupOf(folder, row, install)), notes, notRun, covers};
}

function candidateOf({project, root}: ProjectFolder, row: ProjectRow, check: CheckRow): CandidateStage[] {
  const {when = true, origin = row.origin, why, configs, configured, ...stage} = check;
  const config = configs === undefined ? null : findFirst(project, root, configs);
  const tool = configured ?? check.command.split(" ")[0];
  const source = configs === undefined ? origin : config === null ? null : originOf(config, `${tool} is configured`);
  if (!when || source === null) return [];
  const evidence = configs === undefined ? "default" : "tool";
  const given = why === undefined ? source : {...source, why};
  return [{cwd: root, evidence, tools: [row.tool], ...row.shared, ...stage, origin: given}];
}

function setupOf({project, root}: ProjectFolder, row: ProjectRow, install: InstallRow): CandidateSetup {
  const {lock, command, inputs, provides, ...step} = install;
  const place = (path: string): string => (path.startsWith("/") ? path.slice(1) : inside(root, path));
  const setup = {
    command,
    cwd: root,
    tools: [row.tool],
    origin: row.origin,
    ...step,
    inputs: inputs.map(place),
    provides: provides.map(place),
  };
  if (lock === undefined || !project.has(inside(root, lock.file))) return setup;
  return {
    ...setup,
    command: lock.option === undefined ? command : `${command} ${lock.option}`,
    origin: originOf(inside(root, lock.file), "installed from the lock file", lock.key),
  };
}

/** A file as the reason for a check or a step; its name is the key by default. */
export function originOf(file: string, why: string, key: string = posix.basename(file)): Origin {
  return {file, key, why};
}

/** The first of these files that `root` has, as a path of the tree; null when there is none. */
export function findFirst(project: Project, root: string, names: readonly string[]): string | null {
  return names.map((name) => inside(root, name)).find((path) => project.has(path)) ?? null;
}

/** The folders below `root` that hold a file of one of these names. */
export function foldersBelow(project: Project, root: string, names: readonly string[]): string[] {
  project.seek(names);
  const folders = new Set(names.flatMap((name) => project.named(name)).map(folderOf));
  return [...folders].filter((folder) => folder !== root && isBelow(folder, root));
}

/** The files below `root` whose path matches. */
export function filesBelow(project: Project, root: string, pattern: RegExp): string[] {
  return project.below(root).filter((path) => pattern.test(path));
}

export function hasFileBelow(project: Project, root: string, pattern: RegExp): boolean {
  return project.below(root).some((path) => pattern.test(path));
}

/** True if a GitHub workflow of the tree contains this. It shows how a tool is called; it is no evidence for a stage alone. */
export function isInWorkflows(project: Project, pattern: RegExp): boolean {
  return project
    .inFolder(".github/workflows")
    .filter((path) => /\.ya?ml$/.test(path))
    .slice(0, 50)
    .some((path) => pattern.test(project.text(path) ?? ""));
}
