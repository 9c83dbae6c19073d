/** Nx: the targets of a workspace, those of its plugins too, and root scripts that nx no longer runs. */
import type {StageKind} from "../../record/words.ts";
import {splitShell} from "../../shell/split.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {targetCommands} from "../scripts/project-targets.ts";

/** The names of targets, by the kind of their stage. */
const TARGETS: Readonly<Partial<Record<StageKind, readonly string[]>>> = {
  typecheck: ["typecheck", "type-check", "tsc"],
  lint: ["lint", "eslint:lint"],
  test: ["test", "vite:test"],
  build: ["build", "vite:build"],
};
/** The targets that a plugin infers from configuration files, unless its options name others. */
const INFERRED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/eslint\/plugin/, ["lint"]],
  [/(jest|vitest)(\/plugin)?$/, ["test"]],
  [/vite\/plugin/, ["build", "test"]],
  [/(webpack|rspack|rsbuild|rollup|next|remix)\/plugin/, ["build"]],
  [/js\/typescript/, ["typecheck", "build"]],
];
const MAX_PROJECTS = 500;

export interface NxWorkspace {
  readonly file: string;
  /** the commands of a call that rewrites or compares files; null for another call */
  readonly commandsOf: (call: string) => string[] | null;
  readonly targets: ReadonlySet<string>;
}

/** The workspace that this folder is the root of; null without `nx.json`. */
export function nxWorkspaceOf(project: Project, root: string): NxWorkspace | null {
  const file = inside(root, "nx.json");
  if (!project.has(file)) return null;
  const config = project.jsonc(file);
  const targets = new Set([...mapOf(valueAt(config, "targetDefaults")).keys()].filter((name) => /^[\w-]+$/.test(name)));
  for (const plugin of listOf(valueAt(config, "plugins")))
    for (const name of inferredTargets(plugin)) targets.add(name);
  const manifests = project.named("project.json").filter((path) => !isSampleFolder(folderOf(path)));
  for (const path of manifests.slice(0, MAX_PROJECTS))
    for (const name of mapOf(valueAt(project.json(path), "targets")).keys()) targets.add(name);
  return {file, targets, commandsOf: (call) => targetCommands(project, root, call.split(" "))};
}

function inferredTargets(plugin: unknown): readonly string[] {
  const name = typeof plugin === "string" ? plugin : (textAt(plugin, "plugin") ?? "");
  const options = mapOf(valueAt(plugin, "options"));
  const targetNames = [...options].flatMap(([key, value]) => {
    const target = key.endsWith("argetName") ? value : valueAt(value, "targetName");
    return typeof target === "string" ? [target] : [];
  });
  return targetNames.length > 0 ? targetNames : (INFERRED.find(([pattern]) => pattern.test(name))?.[1] ?? []);
}

/** The check of this kind in all projects of the workspace. */
export function nxCheck({file, targets, commandsOf}: NxWorkspace, kind: StageKind): CheckRow[] {
  const target = TARGETS[kind]?.find((name) => targets.has(name));
  if (target === undefined) return [];
  const origin = originOf(file, `projects of the workspace have the target \`${target}\``);
  const command = `nx run-many -t ${target}`;
  const runs = commandsOf(command);
  return [{kind, command, origin, evidence: "named", slot: `node:${kind}`, ...(runs !== null && {runs})}];
}

/** A target without a project runs at most the default project; the others are commands that nx has removed. */
const NEEDS_PROJECT = /^(build|test|lint|serve|e2e|typecheck|workspace-lint|affected:[\w-]+)$/;

/** True for a script such as `nx test`, which fails, or tests only the default project. */
export function isStaleNxScript(body: string): boolean {
  const commands = splitShell(body) ?? [];
  return commands.some(({words: [program, target = "", ...rest]}) => {
    const hasProject = rest.some((word) => !word.startsWith("-"));
    return program === "nx" && NEEDS_PROJECT.test(target) && !hasProject;
  });
}
