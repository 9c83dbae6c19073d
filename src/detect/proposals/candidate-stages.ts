/** Shortens the making of drafts that share a folder and a program. */
import type {Origin, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateStage, Evidence} from "./ecosystem.ts";

/** What all drafts of one project share; a draft may say otherwise. */
type Shared = Pick<CandidateStage, "cwd"> & Partial<CandidateStage> & {readonly tool: Stage["tools"][number]};

/** Gives a maker of drafts. Evidence is `default` unless told. */
export function stageFactory(
  shared: Shared,
): (
  kind: StageKind,
  command: string,
  origin: Origin,
  more?: Partial<CandidateStage> & {evidence?: Evidence},
) => CandidateStage {
  const {tool, ...rest} = shared;
  return (kind, command, origin, more = {}) => ({
    evidence: "default",
    tools: [tool],
    ...rest,
    kind,
    command,
    origin,
    ...more,
  });
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

/** The files below `root` whose path fits. */
export function filesBelow(project: Project, root: string, pattern: RegExp): string[] {
  return project.below(root).filter((path) => pattern.test(path));
}

/** True when a workflow of the tree says this: a hint how a tool is called, no evidence of its own. */
export function isInWorkflows(project: Project, pattern: RegExp): boolean {
  return project
    .inFolder(".github/workflows")
    .filter((path) => /\.ya?ml$/.test(path))
    .slice(0, 50)
    .some((path) => pattern.test(project.text(path) ?? ""));
}
