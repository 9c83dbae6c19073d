/** Keeps the stages of the projects that a change touches, and of the projects that depend on these. */

import type {Note, SetupStep, Stage} from "../../record/plan.ts";
import {CHANGED_PATHS} from "../../record/words.ts";
import {baseName} from "../../shell/program.ts";
import {namesTest} from "../../tools/names.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {inside, type Project, resolveFrom} from "../files/project.ts";

/**
 * Manifests that refer to other folders by a relative path: `{path = "../core"}`, `replace x => ../x`,
 * `Include="..\Core\Core.csproj"`.
 */
const MANIFEST = namesTest(
  "package.json Cargo.toml go.mod go.work pyproject.toml requirements*.txt pubspec.yaml Gemfile",
  "mix.exs composer.json pom.xml settings.gradle settings.gradle.kts build.gradle build.gradle.kts",
  "Package.swift CMakeLists.txt meson.build tsconfig*.json *.csproj *.fsproj *.vbproj *.gemspec",
  "*.cabal *.tf",
);
const MAX_TEXT = 500_000;
const MAX_FILES = 40;

/**
 * Everything is kept with `changed` null. A path belongs to the innermost folder with stages; the stages of the root
 * are always kept, because they may read every folder.
 */
export function keepAffected(options: {
  stages: readonly Stage[];
  setup: readonly SetupStep[];
  changed: readonly string[] | null;
  project: Project;
}): {stages: Stage[]; setup: SetupStep[]; notes: Note[]} {
  const {stages, setup, changed, project} = options;
  if (changed === null) return {stages: [...stages], setup: [...setup], notes: []};
  const folders = [...new Set(stages.map((stage) => stage.cwd))].sort((a, b) => b.length - a.length);
  const touchedFolders = new Set(
    changed.map((path) => folders.find((folder) => folder !== "." && path.startsWith(`${folder}/`)) ?? "."),
  );
  // A path outside the nested projects may be shared by all of them: a lock file, a base configuration.
  const isShared = touchedFolders.has(".");
  const neededBy = isShared ? () => new Set<string>() : findNeededProjects(project, folders);
  const isAffected = (cwd: string): boolean =>
    cwd === "." ||
    isShared ||
    touchedFolders.has(cwd) ||
    [...neededBy(cwd)].some((folder) => touchedFolders.has(folder));
  const unaffectedFolders = folders.filter((folder) => !isAffected(folder));
  const affectedStages = stages.filter((stage) => isAffected(stage.cwd));
  const isWhole = unaffectedFolders.length === 0 && stages.length > 0;
  return {
    stages: affectedStages,
    setup: setup.filter(
      ({cwd, ownScript}) =>
        ownScript !== undefined || isAffected(cwd) || affectedStages.some((stage) => stage.cwd.startsWith(`${cwd}/`)),
    ),
    notes: [
      ...(isWhole ? [{about: CHANGED_PATHS, text: `all stages run: ${whyWhole(folders, isShared)}`}] : []),
      ...unaffectedFolders.map((folder) => ({
        about: folder,
        text: "its stages are skipped: the change does not affect this project or its dependencies",
      })),
    ],
  };
}

function whyWhole(folders: readonly string[], isShared: boolean): string {
  if (folders.every((folder) => folder === "."))
    return "they all run in the root folder, where each may read every path";
  return isShared ? "a path outside the nested projects may affect each of them" : "the paths affect all projects";
}

/** The names of a project, and the names that its manifests mention. */
interface ProjectNames {
  readonly has: readonly string[];
  readonly wants: ReadonlySet<string>;
}

/**
 * For each folder, those of `folders` that it needs, directly or through others. A name that only resembles a
 * dependency counts too: one stage too many is better than one too few.
 */
function findNeededProjects(project: Project, folders: readonly string[]): (folder: string) => ReadonlySet<string> {
  const namesByFolder = new Map(folders.map((folder) => [folder, readNames(project, folder)]));
  const owners = new Map([...namesByFolder].flatMap(([folder, {has}]) => has.map((name) => [name, folder] as const)));
  const direct = new Map(
    folders.map((folder) => {
      const byName = [...(namesByFolder.get(folder)?.wants ?? [])].flatMap((name) => owners.get(name) ?? []);
      return [folder, [...byName, ...findByPath(project, folder, folders)].filter((other) => other !== folder)];
    }),
  );
  return (folder) => {
    const neededFolders = new Set(direct.get(folder));
    for (const other of neededFolders) for (const next of direct.get(other) ?? []) neededFolders.add(next);
    return neededFolders;
  };
}

function findByPath(project: Project, folder: string, folders: readonly string[]): string[] {
  const texts = project
    .inFolder(folder)
    .filter((path) => MANIFEST(baseName(path)))
    .slice(0, MAX_FILES)
    .map((path) => (project.text(path) ?? "").slice(0, MAX_TEXT).replaceAll("\\", "/"));
  const paths = texts.flatMap((text) => text.match(/(?:\.\.\/)+[\w./@+-]+/g) ?? []);
  const targets = new Set(paths.map((path) => resolveFrom(folder, path)));
  return folders.filter(
    (other) => other !== "." && [...targets].some((target) => target === other || target.startsWith(`${other}/`)),
  );
}

function readNames(project: Project, folder: string): ProjectNames {
  const node = project.json(inside(folder, "package.json"));
  const python = project.toml(inside(folder, "pyproject.toml"));
  const go = project.text(inside(folder, "go.mod")) ?? "";
  const module = /^module\s+(\S+)/m.exec(go)?.[1] ?? null;
  const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const pythonLists = JSON.stringify([
    valueAt(python, "project", "dependencies"),
    valueAt(python, "project", "optional-dependencies"),
    valueAt(python, "dependency-groups"),
    valueAt(python, "tool", "uv", "sources"),
  ]);
  const goLines = go.slice(0, MAX_TEXT).replace(/^module.*$/m, "");
  return {
    has: [textAt(node, "name"), textAt(python, "project", "name"), module].filter((name) => name !== null),
    wants: new Set([
      ...lists.flatMap((key) => [...mapOf(valueAt(node, key)).keys()]),
      ...(pythonLists.slice(0, MAX_TEXT).match(/[\w.-]+/g) ?? []),
      ...(goLines.match(/[\w./~-]+/g) ?? []),
    ]),
  };
}
