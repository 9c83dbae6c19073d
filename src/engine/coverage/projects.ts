/** Finds the projects of a tree by their manifests, and the project of a path. */

import {textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {folderOf, foldersUpFrom, inside, type Project} from "../../detect/files/project.ts";
import {baseName} from "../../shell/program.ts";
import type {ProjectFamily} from "../../tools/tool-command.ts";
import {LERNA_FILE} from "../../tools/workspace-runners.ts";

const WORKSPACE_FILES = ["pnpm-workspace.yaml", LERNA_FILE];

const MANIFESTS: readonly (readonly [string, ProjectFamily])[] = [
  ["go.mod", "go"],
  ["Cargo.toml", "rust"],
  ["package.json", "node"],
  ["pyproject.toml", "python"],
  ["setup.py", "python"],
  ["pom.xml", "maven"],
  ["settings.gradle", "gradle"],
  ["settings.gradle.kts", "gradle"],
  ["*.gemspec", "ruby"],
  ["composer.json", "php"],
  ["mix.exs", "elixir"],
  ["pubspec.yaml", "dart"],
  ["Package.swift", "swift"],
  ["*.csproj", "other"],
  ["*.fsproj", "other"],
];

/** The projects of one tree. */
export interface Projects {
  readonly tree: Project;
  /** the innermost folder at or above `path` with a manifest of `family`, or of any; null if there is none */
  homeOf(path: string, family?: ProjectFamily): string | null;
  has(folder: string, family: ProjectFamily): boolean;
  /** every folder with a manifest of this family */
  all(family: ProjectFamily): readonly string[];
}

/** Finds the projects of `tree`. A manifest that declares nothing, such as `{"type": "module"}`, makes no project. */
export function findProjects(tree: Project): Projects {
  tree.indexBasenames(MANIFESTS.map(([name]) => name));
  const folders = new Map<string, Set<ProjectFamily>>();
  for (const [name, family] of MANIFESTS) {
    for (const path of tree.named(name)) {
      if (!declaresProject(tree, path)) continue;
      const folder = folderOf(path);
      folders.set(folder, (folders.get(folder) ?? new Set()).add(family));
    }
  }
  const has = (folder: string, family: ProjectFamily): boolean => folders.get(folder)?.has(family) ?? false;
  return {
    tree,
    has,
    homeOf: (path, family) => {
      const isHome = (folder: string) => (family === undefined ? folders.has(folder) : has(folder, family));
      return foldersUpFrom(folderOf(path)).find(isHome) ?? null;
    },
    all: (family) => [...folders.keys()].filter((folder) => has(folder, family)),
  };
}

function declaresProject(tree: Project, path: string): boolean {
  const name = baseName(path);
  const hasAny = (manifest: unknown, ...keys: string[]) => keys.some((key) => valueAt(manifest, key) !== undefined);
  if (name === "Cargo.toml") return hasAny(tree.toml(path), "package");
  if (name === "package.json") return hasAny(tree.json(path), "name", "scripts", "dependencies", "devDependencies");
  if (name !== "pyproject.toml") return true;
  const manifest = tree.toml(path);
  return hasAny(manifest, "project", "build-system") || valueAt(manifest, "tool", "poetry") !== undefined;
}

/** True for the root of a workspace of packages: its own few files belong to no package. */
export function isWorkspaceRoot({tree}: Projects, folder: string): boolean {
  const manifest = tree.json(inside(folder, "package.json"));
  return (
    textsOf(valueAt(manifest, "workspaces")).length > 0 ||
    valueAt(manifest, "workspaces", "packages") !== undefined ||
    WORKSPACE_FILES.some((name) => tree.has(inside(folder, name)))
  );
}
