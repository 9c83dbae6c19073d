/** Node: which package manager a folder uses, how it starts a script, and how it installs. */
import {posix} from "node:path";
import {mapOf, textAt, textEntries, valueAt} from "../files/manifest-values.ts";
import {folderOf, foldersUpFrom, inside, type Project} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {InstallRow, ProjectFolder} from "../proposals/ecosystem.ts";

type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface NodeManager {
  readonly name: ManagerName;
  /** yarn 2 and later */
  readonly berry: boolean;
  /** yarn without node_modules: tools start only through yarn */
  readonly plugAndPlay: boolean;
  /** the lock file of the nearest folder that has one */
  readonly lock: string | null;
}

/** A folder with a package.json. */
export interface NodeProject extends ProjectFolder {
  readonly file: string;
  readonly manager: NodeManager;
  readonly scripts: ReadonlyMap<string, string>;
}

const LOCKS: readonly (readonly [string, ManagerName])[] = [
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-workspace.yaml", "pnpm"],
  [".yarnrc.yml", "yarn"],
];
const NO_LOCK = new Set(["pnpm-workspace.yaml", ".yarnrc.yml"]);

/** The way to install each manager in a workflow. */
export const MANAGER_HINT: Readonly<Record<ManagerName, string>> = {
  npm: "add the step `actions/setup-node` before Assay",
  pnpm: "add the step `pnpm/action-setup` before Assay",
  yarn: "add `corepack enable` after `actions/setup-node`, before Assay",
  bun: "add the step `oven-sh/setup-bun` before Assay",
};

/**
 * The manager of a folder: the `packageManager` field, else the lock file, of the nearest folder upwards; npm if there
 * is neither.
 */
export function managerOf(project: Project, root: string): NodeManager {
  for (const folder of foldersUpFrom(root)) {
    const manifest = inside(folder, "package.json");
    const declaredManager = project.has(manifest) ? textAt(project.json(manifest), "packageManager") : null;
    const [, name, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(declaredManager ?? "") ?? [];
    const locks = LOCKS.filter(([file]) => project.has(inside(folder, file)));
    const namedManager = LOCKS.map(([, manager]) => manager).find((manager) => manager === name);
    const selectedManager = namedManager ?? locks[0]?.[1];
    if (selectedManager === undefined) continue;
    const lock = locks.find(([file, manager]) => manager === selectedManager && !NO_LOCK.has(file))?.[0] ?? null;
    const rc = inside(folder, ".yarnrc.yml");
    const berry = selectedManager === "yarn" && (major === undefined ? project.has(rc) : Number(major) >= 2);
    const linker = project.has(rc) ? textAt(project.yaml(rc), "nodeLinker") : null;
    const plugAndPlay = berry && linker !== "node-modules" && linker !== "pnpm";
    return {name: selectedManager, berry, plugAndPlay, lock: lock === null ? null : inside(folder, lock)};
  }
  return {name: "npm", berry: false, plugAndPlay: false, lock: null};
}

/** The command that starts a script; most managers run its pre and post scripts too. */
export function runScript(manager: NodeManager, name: string): string {
  return `${manager.name} run ${/^[\w:./@-]+$/.test(name) ? name : `'${name.replaceAll("'", "")}'`}`;
}

/** The install of a folder, without install scripts of dependencies. `members` are the folders of its workspace. */
export function installOf(workspace: {root: string; manager: NodeManager; members: readonly string[]}): InstallRow {
  const {root, manager, members} = workspace;
  const lock = manager.lock !== null && folderOf(manager.lock) === root ? manager.lock : null;
  const inMembers = (name: string): string[] => members.map((folder) => `/${inside(folder, name)}`);
  const [locked, unlocked] = INSTALLS[manager.berry ? "berry" : manager.name];
  const pnpFiles = [".pnp.cjs", ".pnp.loader.mjs", ".yarn/cache", ".yarn/unplugged"];
  return {
    command: lock === null ? unlocked : locked,
    inputs: [
      ...["package.json", ...inMembers("package.json"), ...(lock === null ? [] : [posix.basename(lock)])],
      ...[".npmrc", ".yarnrc.yml", ".yarnrc", "pnpm-workspace.yaml", "bunfig.toml"],
    ],
    provides: manager.plugAndPlay ? pnpFiles : ["node_modules", ...inMembers("node_modules")],
    origin:
      lock === null
        ? originOf(inside(root, "package.json"), "there is no lock file: versions may drift", "dependencies")
        : originOf(lock, `installed with ${manager.name} from its lock file`, "lock file"),
  };
}

/** The install commands with and without a lock file; `berry` is yarn 2 and later. */
const INSTALLS: Readonly<Record<ManagerName | "berry", readonly [locked: string, unlocked: string]>> = {
  npm: [
    "npm ci --ignore-scripts --no-audit --no-fund",
    "npm install --no-package-lock --ignore-scripts --no-audit --no-fund",
  ],
  pnpm: ["pnpm install --frozen-lockfile --ignore-scripts", "pnpm install --no-lockfile --ignore-scripts"],
  berry: ["yarn install --immutable --mode=skip-build", "yarn install --mode=skip-build"],
  yarn: [
    "yarn install --frozen-lockfile --ignore-scripts --non-interactive",
    "yarn install --no-lockfile --ignore-scripts --non-interactive",
  ],
  bun: ["bun install --frozen-lockfile --ignore-scripts", "bun install --no-save --ignore-scripts"],
};

const INSTALL = ["preinstall", "install", "postinstall"] as const;
const PREPARE = ["preprepare", "prepare", "postprepare"] as const;

/**
 * The scripts that each manager runs in an install, in the root and in the members of its workspace. Observed in order
 * with `npm ci` of npm 10.9 and 11.19 (members: docs.npmjs.com/cli/using-npm/scripts lists only those of the root), `pnpm
 * install --frozen-lockfile` of pnpm 10.34, yarn 1.22 and 4.18 (yarnpkg.com/advanced/lifecycle-scripts), and bun 1.4.
 */
const OWN_SCRIPTS: Readonly<
  Record<ManagerName | "berry", readonly [root: readonly string[], members: readonly string[]]>
> = {
  npm: [
    ["dependencies", ...INSTALL, "prepublish", ...PREPARE],
    ["preinstall", "prepare", "install", "postinstall"],
  ],
  pnpm: [
    ["pnpm:devPreinstall", ...INSTALL, ...PREPARE],
    [...INSTALL, ...PREPARE],
  ],
  berry: [INSTALL, INSTALL],
  yarn: [[...INSTALL, "prepublish", "prepare"], INSTALL],
  bun: [
    [...INSTALL, ...PREPARE],
    [...INSTALL, "prepare"],
  ],
};

/** True if an install by some manager runs the script of this name. */
export const isOwnScriptName = (name: string): boolean => Object.values(OWN_SCRIPTS).flat(2).includes(name);

/**
 * The repository's own scripts that belong to the install, those of the members first. Each is the line of the base's
 * manifest, because the change must not choose its own commands (P4). `only-allow` reads the user agent, `npm-run-all`
 * the manager's program.
 */
export function ownScriptsOf(workspace: ProjectFolder & {manager: NodeManager; members: readonly string[]}) {
  const {project, root, manager} = workspace;
  const [ofRoot, ofMembers] = OWN_SCRIPTS[manager.berry ? "berry" : manager.name];
  if (ignoresScripts(workspace)) return [];
  return [...dependenciesFirst(workspace), root].flatMap((cwd) => {
    const file = inside(cwd, "package.json");
    const manifest = project.json(file);
    const bodies = textEntries(valueAt(manifest, "scripts"));
    const names = (cwd === root ? ofRoot : ofMembers).filter((name) => (bodies.get(name)?.trim() ?? "") !== "");
    if (names.length === 0) return [];
    const settings = [...textEntries(valueAt(manifest, "config"))].map(([key, value]) => [`config_${key}`, value]);
    const about = ["name", "version"].map((key) => [key, textAt(manifest, key) ?? ""]);
    const ofPackage = [...about, ...settings].map(([key, value]) => [`npm_package_${key}`, value]);
    const path = foldersUpFrom(cwd).map((folder) => inside(folder, "node_modules/.bin"));
    return names.map((name): InstallRow => {
      const command = bodies.get(name)?.trim() ?? "";
      const env = {
        ...Object.fromEntries(ofPackage),
        npm_lifecycle_event: name,
        npm_lifecycle_script: command,
        npm_execpath: manager.name,
        npm_config_user_agent: `${manager.name}/0`,
      };
      const origin = originOf(file, `${manager.name} runs it in each install`, `scripts.${name}`);
      return {command, cwd, inputs: [], origin, tools: [], ownScript: {path, env}};
    });
  });
}

/** True if the install runs no scripts. Observed: yarn ignores `.npmrc`, and yarn 2 and later always run those of the repository. */
function ignoresScripts({project, root, manager}: ProjectFolder & {manager: NodeManager}): boolean {
  const lines = (name: string): string => project.text(inside(root, name)) ?? "";
  if (manager.name === "yarn")
    return !manager.berry && /^(?:--install\.)?ignore-scripts\s+"?true"?\s*$/m.test(lines(".yarnrc"));
  const settings = inside(root, "pnpm-workspace.yaml");
  const isOfPnpm = manager.name === "pnpm" && project.has(settings);
  return (
    /^\s*ignore-scripts\s*=\s*true\s*$/m.test(lines(".npmrc")) ||
    (isOfPnpm && valueAt(project.yaml(settings), "ignoreScripts") === true)
  );
}

/** The members, each after those that it depends on: pnpm, yarn and bun run their scripts so, and npm in any order. */
function dependenciesFirst({project, members}: {project: Project; members: readonly string[]}): string[] {
  const manifests = new Map(members.map((folder) => [folder, project.json(inside(folder, "package.json"))]));
  const folders = new Map(members.map((folder) => [textAt(manifests.get(folder), "name"), folder]));
  const visited = new Set<string>();
  const visit = (folder: string): string[] => {
    if (visited.has(folder)) return [];
    visited.add(folder);
    const lists = ["dependencies", "devDependencies", "optionalDependencies"];
    const names = lists.flatMap((list) => [...mapOf(valueAt(manifests.get(folder), list)).keys()]);
    return [...names.flatMap((name) => folders.get(name) ?? []).flatMap(visit), folder];
  };
  return members.flatMap(visit);
}
