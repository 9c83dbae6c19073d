/** Node: the members of a workspace, and the one command that runs a check in all of them. */
import {Minimatch} from "minimatch";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {NAMES} from "../../shell/stage-kind.ts";
import {mapOf, textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {screen} from "../proposals/screen.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import {type NodeManager, runScript} from "./node-manager.ts";

const MAX_PATTERNS = 200;
const MAX_OWN_STAGES = 20;

/** The folders of a workspace's members, without the root itself. Empty if the folder has no workspace. */
export function membersOf(project: Project, root: string): string[] {
  const manifest = project.json(inside(root, "package.json"));
  const declared = valueAt(manifest, "workspaces");
  const pnpm = inside(root, "pnpm-workspace.yaml");
  const lerna = inside(root, "lerna.json");
  const patterns = [
    ...textsOf(declared),
    ...textsOf(valueAt(declared, "packages")),
    ...(project.has(pnpm) ? textsOf(valueAt(project.yaml(pnpm), "packages")) : []),
    ...(project.has(lerna) ? textsOf(valueAt(project.json(lerna), "packages")) : []),
  ].slice(0, MAX_PATTERNS);
  if (patterns.length === 0) return [];
  const globs = patterns.filter(isSimple).map((pattern) => ({out: pattern.startsWith("!"), fits: fitting(pattern)}));
  const start = root === "." ? "" : `${root}/`;
  const folders = project
    .named("package.json")
    .map(folderOf)
    .filter((folder) => folder !== root && folder.startsWith(start));
  return folders.filter((folder) => {
    const path = folder.slice(start.length);
    return globs.some(({out, fits}) => !out && fits(path)) && !globs.some(({out, fits}) => out && fits(path));
  });
}

/** False for patterns with many braces or stars: the matcher could need unlimited time, and no workspace uses them. */
function isSimple(pattern: string): boolean {
  return pattern.length <= 200 && pattern.split("{").length <= 4 && pattern.split("*").length <= 12;
}

/** Returns a test for one pattern. Nearly all are `packages/*`, which needs no glob matcher. */
function fitting(pattern: string): (path: string) => boolean {
  const path = pattern.replace(/^!/, "").replace(/^\.\//, "").replace(/\/+$/, "");
  const [, folder] = /^((?:[\w@-][\w@.-]*\/)+)\*$/.exec(path) ?? [];
  if (folder !== undefined)
    return (other) => other.startsWith(folder) && /^[^./][^/]*$/.test(other.slice(folder.length));
  const glob = new Minimatch(path, {noext: true, nonegate: true, nocomment: true});
  return (other) => glob.match(other);
}

/** Candidates for a kind without a root script: through the orchestrator, or the manager's command for all packages. */
export function inAllMembers(workspace: {
  project: Project;
  root: string;
  members: readonly string[];
  manager: NodeManager;
  kind: StageKind;
  draft: Pick<CandidateStage, "tools" | "path">;
}): CandidateStage[] {
  const {project, root, manager, kind, draft} = workspace;
  const packages = packagesOf(project, workspace.members);
  const name = NAMES[kind].find((candidate) => packages.names.has(candidate));
  if (name === undefined) return [];
  const having = packages.all.filter(({scripts}) => scripts.has(name));
  const safe = having.filter(({scripts}) => isSafe(scripts, name));
  const [first] = safe;
  if (first === undefined) return [];
  const origin = {
    file: inside(first.folder, "package.json"),
    key: `scripts.${name}`,
    why: `${having.length} packages of the workspace have this script`,
  };
  const all = throughAll(project, root, manager, name);
  if (all !== null && safe.length === having.length) {
    return [
      {
        ...draft,
        kind,
        command: all.command,
        cwd: root,
        origin: all.origin ?? origin,
        evidence: "named",
        runs: [all.command],
        slot: `node:${kind}`,
      },
    ];
  }
  return safe.slice(0, MAX_OWN_STAGES).map(({folder, scripts}) => ({
    ...draft,
    kind,
    command: runScript(manager, name),
    cwd: folder,
    origin: {...origin, file: inside(folder, "package.json"), why: "a package of the workspace"},
    evidence: "named",
    runs: readBodies(scripts).leavesOf(name),
  }));
}

interface Packages {
  readonly all: readonly {readonly folder: string; readonly scripts: ReadonlyMap<string, string>}[];
  /** each script that some package has */
  readonly names: ReadonlySet<string>;
}

/** The members with their scripts, read once for all kinds of stage. */
function packagesOf(project: Project, members: readonly string[]): Packages {
  const cached = packagesOfMembers.get(members);
  if (cached !== undefined) return cached;
  const all = members
    .filter((folder) => !isSampleFolder(folder))
    .map((folder) => ({
      folder,
      scripts: textEntries(valueAt(project.json(inside(folder, "package.json")), "scripts")),
    }));
  const names = new Set<string>();
  for (const {scripts} of all) for (const name of scripts.keys()) names.add(name);
  const packages = {all, names};
  packagesOfMembers.set(members, packages);
  return packages;
}

const packagesOfMembers = new WeakMap<readonly string[], Packages>();

/** True if no command of the script is known to be harmful. */
function isSafe(scripts: ReadonlyMap<string, string>, name: string): boolean {
  const body = scripts.get(name) ?? "";
  const alone = !scripts.has(`pre${name}`) && !scripts.has(`post${name}`) && !STARTS_SCRIPTS.test(body);
  return isSafeAmong(JSON.stringify([name, ...(alone ? [name, body] : [...scripts].flat())]));
}

/** Takes a script's name, then names and bodies, as JSON: the cache serves many packages with the same scripts. */
const isSafeAmong = memoize((asked) => {
  const [name = "", ...flat] = textsOf(JSON.parse(asked));
  const scripts = new Map(flat.flatMap((text, i) => (i % 2 === 0 ? [[text, flat[i + 1] ?? ""] as const] : [])));
  return readBodies(scripts)
    .leavesOf(name)
    .every((leaf) => ["ok", "unknown"].includes(screen(leaf).kind));
});

/** Every body that starts another script of its package matches this. */
const STARTS_SCRIPTS = /npm|yarn|bun|node|run-|concurrently|["'\\]/;

function throughAll(
  project: Project,
  root: string,
  manager: NodeManager,
  name: string,
): {command: string; origin: CandidateStage["origin"] | null} | null {
  const turbo = inside(root, "turbo.json");
  if (project.has(turbo)) {
    const config = project.jsonc(turbo);
    const key = mapOf(valueAt(config, "tasks")).has(name)
      ? "tasks"
      : mapOf(valueAt(config, "pipeline")).has(name)
        ? "pipeline"
        : null;
    if (key !== null)
      return {
        command: `turbo run ${name}`,
        origin: {file: turbo, key: `${key}.${name}`, why: "a task of turbo over all packages"},
      };
  }
  const nx = inside(root, "nx.json");
  if (project.has(nx)) return {command: `nx run-many -t ${name}`, origin: null};
  const lerna = inside(root, "lerna.json");
  if (project.has(lerna) && textAt(project.json(inside(root, "package.json")), "devDependencies", "lerna") !== null)
    return {command: `lerna run ${name}`, origin: null};
  switch (manager.name) {
    case "npm":
      return {command: `npm run ${name} --workspaces --if-present`, origin: null};
    case "pnpm":
      return {command: `pnpm -r --if-present run ${name}`, origin: null};
    case "bun":
      return {command: `bun run --filter '*' ${name}`, origin: null};
    case "yarn":
      return manager.berry ? {command: `yarn workspaces foreach -A run ${name}`, origin: null} : null;
  }
}
