/** Node: which package manager a folder uses, how it starts a script, and how it installs. */

import {textAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {CandidateSetup} from "../proposals/ecosystem.ts";

export type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface NodeManager {
  readonly name: ManagerName;
  /** yarn 2 and later */
  readonly berry: boolean;
  /** yarn without node_modules: tools start only through yarn */
  readonly plugAndPlay: boolean;
  /** the lock file of the nearest folder that has one */
  readonly lock: string | null;
  /** the file and key that show the manager */
  readonly from: {readonly file: string; readonly key: string};
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

/** How a workflow installs the program if it is missing. */
export const MANAGER_HINT: Readonly<Record<ManagerName, string>> = {
  npm: "add the step `actions/setup-node` before Assay",
  pnpm: "add the step `pnpm/action-setup` before Assay",
  yarn: "add `corepack enable` after `actions/setup-node`, before Assay",
  bun: "add the step `oven-sh/setup-bun` before Assay",
};

/** The manager of a folder: the `packageManager` field, else the lock file, of the nearest folder upwards; npm if there is neither. */
export function managerOf(project: Project, root: string): NodeManager {
  for (let folder = root; ; folder = folderOf(folder)) {
    const manifest = inside(folder, "package.json");
    const declared = project.has(manifest) ? textAt(project.json(manifest), "packageManager") : null;
    const [, name, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(declared ?? "") ?? [];
    const locks = LOCKS.filter(([file]) => project.has(inside(folder, file)));
    const selected = LOCKS.map(([, manager]) => manager).find((manager) => manager === name) ?? locks[0]?.[1];
    if (selected !== undefined) {
      const lock = locks.find(([file, manager]) => manager === selected && !NO_LOCK.has(file))?.[0] ?? null;
      const rc = inside(folder, ".yarnrc.yml");
      const berry = selected === "yarn" && (major === undefined ? project.has(rc) : Number(major) >= 2);
      const linker = project.has(rc) ? textAt(project.yaml(rc), "nodeLinker") : null;
      return {
        name: selected,
        berry,
        plugAndPlay: berry && linker !== "node-modules" && linker !== "pnpm",
        lock: lock === null ? null : inside(folder, lock),
        from:
          name === undefined
            ? {file: inside(folder, locks[0]?.[0] ?? "package.json"), key: "lock file"}
            : {file: manifest, key: "packageManager"},
      };
    }
    if (folder === ".")
      return {
        name: "npm",
        berry: false,
        plugAndPlay: false,
        lock: null,
        from: {file: inside(root, "package.json"), key: "name"},
      };
  }
}

/** The command that starts a script; the manager runs its pre and post scripts too. */
export function runScript(manager: NodeManager, name: string): string {
  return `${manager.name} run ${/^[\w:./@-]+$/.test(name) ? name : `'${name.replaceAll("'", "")}'`}`;
}

/** The install of a folder, without install scripts of dependencies. `members` are the folders of its workspace. */
export function installOf(workspace: {root: string; manager: NodeManager; members: readonly string[]}): CandidateSetup {
  const {root, manager, members} = workspace;
  const ownLock = manager.lock !== null && folderOf(manager.lock) === root ? manager.lock : null;
  const configs = [".npmrc", ".yarnrc.yml", ".yarnrc", "pnpm-workspace.yaml", "bunfig.toml"].map((file) =>
    inside(root, file),
  );
  const manifests = [root, ...members].map((folder) => inside(folder, "package.json"));
  const folders = manager.plugAndPlay
    ? [".pnp.cjs", ".pnp.loader.mjs", ".yarn/cache", ".yarn/unplugged"].map((file) => inside(root, file))
    : [];
  return {
    command: installCommand(manager, ownLock !== null),
    cwd: root,
    inputs: [...manifests, ...(ownLock === null ? [] : [ownLock]), ...configs],
    provides: manager.plugAndPlay ? folders : [root, ...members].map((folder) => inside(folder, "node_modules")),
    tools: [{name: manager.name, hint: MANAGER_HINT[manager.name]}],
    origin:
      ownLock === null
        ? {file: inside(root, "package.json"), key: "dependencies", why: "there is no lock file: versions may drift"}
        : {file: ownLock, key: "lock file", why: `installed with ${manager.name} from its lock file`},
  };
}

function installCommand(manager: NodeManager, locked: boolean): string {
  switch (manager.name) {
    case "npm":
      return locked
        ? "npm ci --ignore-scripts --no-audit --no-fund"
        : "npm install --no-package-lock --ignore-scripts --no-audit --no-fund";
    case "pnpm":
      return locked ? "pnpm install --frozen-lockfile --ignore-scripts" : "pnpm install --no-lockfile --ignore-scripts";
    case "yarn":
      if (manager.berry)
        return locked ? "yarn install --immutable --mode=skip-build" : "yarn install --mode=skip-build";
      return locked
        ? "yarn install --frozen-lockfile --ignore-scripts --non-interactive"
        : "yarn install --no-lockfile --ignore-scripts --non-interactive";
    case "bun":
      return locked ? "bun install --frozen-lockfile --ignore-scripts" : "bun install --no-save --ignore-scripts";
  }
}
