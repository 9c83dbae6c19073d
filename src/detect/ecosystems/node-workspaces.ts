/** Node: the members of a workspace, and the one command that runs a check in all of them. */
import {Minimatch} from "minimatch";
import {plainPath} from "../../git/paths.ts";
import type {Origin} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {NAMES} from "../../tools/stage-kind.ts";
import {mapOf, textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project, within} from "../files/project.ts";
import {foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {screen} from "../proposals/screen.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import type {NodeProject} from "./node-manager.ts";

const MAX_PATTERNS = 200;

/** The folders of a workspace's members, without the root itself. Empty if the folder has no workspace. */
export function membersOf(project: Project, root: string): string[] {
  const manifest = project.json(inside(root, "package.json"));
  const declaredMembers = valueAt(manifest, "workspaces");
  const pnpm = inside(root, "pnpm-workspace.yaml");
  const lerna = inside(root, "lerna.json");
  const patterns = [
    ...textsOf(declaredMembers),
    ...textsOf(valueAt(declaredMembers, "packages")),
    ...(project.has(pnpm) ? textsOf(valueAt(project.yaml(pnpm), "packages")) : []),
    ...(project.has(lerna) ? textsOf(valueAt(project.json(lerna), "packages")) : []),
  ].slice(0, MAX_PATTERNS);
  if (patterns.length === 0) return [];
  const globs = patterns.filter(isSimple).map((pattern) => ({out: pattern.startsWith("!"), fits: matcherFor(pattern)}));
  return foldersBelow(project, root, ["package.json"]).filter((folder) => {
    const path = within(root, folder);
    return globs.some(({out, fits}) => !out && fits(path)) && !globs.some(({out, fits}) => out && fits(path));
  });
}

/** False for patterns with many braces or stars: the matcher could need unlimited time, and no workspace uses them. */
function isSimple(pattern: string): boolean {
  return pattern.length <= 200 && pattern.split("{").length <= 4 && pattern.split("*").length <= 12;
}

/** Returns a test for one pattern. Nearly all are `packages/*`, which needs no glob matcher. */
function matcherFor(pattern: string): (path: string) => boolean {
  const path = plainPath(pattern.replace(/^!/, ""));
  const [, folder] = /^((?:[\w@-][\w@.-]*\/)+)\*$/.exec(path) ?? [];
  if (folder !== undefined)
    return (other) => other.startsWith(folder) && /^[^./][^/]*$/.test(other.slice(folder.length));
  const glob = new Minimatch(path, {noext: true, nonegate: true, nocomment: true});
  return (other) => glob.match(other);
}

/** The checks of a kind without a root script: through the orchestrator, or the manager's command for all packages. */
export function inAllMembers(nodeProject: NodeProject, members: readonly string[], kind: StageKind): CheckRow[] {
  const {project} = nodeProject;
  const packages = packagesOf(project, members);
  const name = NAMES[kind].find((candidate) => packages.names.has(candidate));
  if (name === undefined) return [];
  const packagesWithScript = packages.all.filter(({scripts}) => scripts.has(name));
  const [first] = packagesWithScript;
  const commandForAll = throughAll(nodeProject, name);
  if (first === undefined || commandForAll === null || !packagesWithScript.every(({scripts}) => isSafe(scripts, name)))
    return [];
  const why = `${packagesWithScript.length} packages of the workspace have this script`;
  const origin = originOf(inside(first.folder, "package.json"), why, `scripts.${name}`);
  return [{kind, origin, evidence: "named", runs: [commandForAll.command], slot: `node:${kind}`, ...commandForAll}];
}

interface Packages {
  readonly all: readonly {readonly folder: string; readonly scripts: ReadonlyMap<string, string>}[];
  /** each script name that at least one package has */
  readonly names: ReadonlySet<string>;
}

/** The members with their scripts, read once for all kinds of stage. */
function packagesOf(project: Project, members: readonly string[]): Packages {
  const cached = packagesOfMembers.get(members);
  if (cached !== undefined) return cached;
  const folders = members.filter((folder) => !isSampleFolder(folder));
  const all = folders.map((folder) => {
    const manifest = project.json(inside(folder, "package.json"));
    return {folder, scripts: textEntries(valueAt(manifest, "scripts"))};
  });
  const packages = {all, names: new Set(all.flatMap(({scripts}) => [...scripts.keys()]))};
  packagesOfMembers.set(members, packages);
  return packages;
}

const packagesOfMembers = new WeakMap<readonly string[], Packages>();

/** True if no command of the script is known to be harmful. */
const isSafe = (scripts: ReadonlyMap<string, string>, name: string): boolean =>
  readBodies(scripts)
    .leavesOf(name)
    .every((leaf) => ["ok", "unknown"].includes(screen(leaf).kind));

/** The command that runs a script in all members; null if there is none. */
function throughAll(nodeProject: NodeProject, name: string): {command: string; origin?: Origin} | null {
  const {project, root, file, manager} = nodeProject;
  const turbo = inside(root, "turbo.json");
  const config = project.has(turbo) ? project.jsonc(turbo) : undefined;
  const key = ["tasks", "pipeline"].find((table) => mapOf(valueAt(config, table)).has(name));
  if (key !== undefined)
    return {
      command: `turbo run ${name}`,
      origin: originOf(turbo, "a task of turbo over all packages", `${key}.${name}`),
    };
  if (project.has(inside(root, "nx.json"))) return {command: `nx run-many -t ${name}`};
  const hasLerna = textAt(project.json(file), "devDependencies", "lerna") !== null;
  if (hasLerna && project.has(inside(root, "lerna.json"))) return {command: `lerna run ${name}`};
  switch (manager.name) {
    case "npm":
      return {command: `npm run ${name} --workspaces --if-present`};
    case "pnpm":
      return {command: `pnpm -r --if-present run ${name}`};
    case "bun":
      return {command: `bun run --filter '*' ${name}`};
    case "yarn":
      return manager.berry ? {command: `yarn workspaces foreach -A run ${name}`} : null;
  }
}
