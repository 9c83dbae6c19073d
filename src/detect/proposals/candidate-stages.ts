/** Turns the proposal of an ecosystem into candidate stages and setup steps, and helps to find its evidence. */
import {posix} from "node:path";
import {type FileKind, isOfKind, YAML_FILE} from "../../git/paths.ts";
import type {Origin, SetupStep} from "../../record/plan.ts";
import {SETUP_TIMEOUT} from "../config/default-timeouts.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateStage, ProjectFolder, Proposal} from "./ecosystem.ts";

/** The candidates of a proposal: the checks that apply, with their shared settings. */
export function candidatesOf({project, root}: ProjectFolder, proposal: Proposal): CandidateStage[] {
  const {tool, shared, checks = []} = proposal;
  return checks.flatMap((check): CandidateStage[] => {
    const {when = true, origin = proposal.origin ?? null, why, configs, configured, ...stage} = check;
    const config = configs === undefined ? null : findFirst(project, root, configs);
    const name = configured ?? check.command.split(" ")[0];
    const source = configs === undefined ? origin : config === null ? null : originOf(config, `${name} is configured`);
    if (!when || source === null) return [];
    const evidence = configs === undefined ? "default" : "tool";
    const tools = tool === undefined ? [] : [tool];
    return [{cwd: root, evidence, tools, ...shared, ...stage, origin: why === undefined ? source : {...source, why}}];
  });
}

/** The setup steps of a proposal. */
export function setupOf({project, root}: ProjectFolder, {tool, origin, installs = []}: Proposal): SetupStep[] {
  return installs.flatMap(({cwd = root, lock, inputs, provides = [], ...install}): SetupStep[] => {
    const place = (path: string): string => (path.startsWith("/") ? path.slice(1) : inside(cwd, path));
    const file = lock === undefined || !project.has(place(lock.file)) ? null : place(lock.file);
    const source =
      file === null ? (install.origin ?? origin) : originOf(file, "installed from the lock file", lock?.key);
    if (source === undefined) return [];
    const tools = tool === undefined ? [] : [tool];
    const option = file === null || lock?.option === undefined ? "" : ` ${lock.option}`;
    const paths = {cwd, inputs: inputs.map(place), provides: provides.map(place)};
    const command = `${install.command}${option}`;
    return [{timeout: SETUP_TIMEOUT, tools, ...install, ...paths, command, origin: source}];
  });
}

/** The hint for a program that the project's install provides. */
export const INSTALLED = "the set-up installs it; see that its install step runs";

/** The origin of a check or step that a file is the reason for; the file's name is the key by default. */
export function originOf(file: string, why: string, key: string = posix.basename(file)): Origin {
  return {file, key, why};
}

/** The first of these files that `root` has, as a path of the tree; null if there is none. */
export function findFirst(project: Project, root: string, names: readonly string[]): string | null {
  return names.map((name) => inside(root, name)).find((path) => project.has(path)) ?? null;
}

/** The folders below `root` that contain a file with one of these names. */
export function foldersBelow(project: Project, root: string, names: readonly string[]): string[] {
  project.indexBasenames(names);
  const folders = new Set(names.flatMap((name) => project.named(name)).map(folderOf));
  return [...folders].filter((folder) => folder !== root && isBelow(folder, root));
}

export const filesBelow = (project: Project, root: string, kind: FileKind): string[] =>
  project.below(root).filter((path) => isOfKind(path, kind));

export const hasFileBelow = (project: Project, root: string, kind: FileKind): boolean =>
  project.below(root).some((path) => isOfKind(path, kind));

export const WORKFLOWS = ".github/workflows";

/** The workflows of GitHub. */
export const workflowFiles = (project: Project): string[] =>
  project.inFolder(WORKFLOWS).filter((path) => isOfKind(path, YAML_FILE));

/** A step or a job that runs Assay. */
export const STARTS_ASSAY = /^\s*(?:- )?uses: [\w.-]+\/assay(?:\/\.github\/workflows\/separated\.yml)?@/m;

/** True for Assay's own workflow, which comments start. It is not CI, and shows nothing about the project's tools. */
export const isOwnWorkflow = (text: string): boolean =>
  STARTS_ASSAY.test(text) && !/^\s*(?:push|pull_request|merge_group)\b|^on:.*\b(?:push|pull_request)\b/m.test(text);

/** A line that is only a comment. */
const COMMENT = /^[ \t]*#.*\n?/gm;

/**
 * True if a GitHub workflow of the tree contains this. This shows how a tool is called. Alone, it is not evidence for a
 * stage.
 */
export function isInWorkflows(project: Project, pattern: RegExp): boolean {
  return workflowFiles(project)
    .slice(0, 50)
    .map((path) => project.text(path) ?? "")
    .some((text) => !isOwnWorkflow(text) && pattern.test(text.replace(COMMENT, "")));
}
