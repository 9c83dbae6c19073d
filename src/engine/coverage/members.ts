/** Finds the other projects that a project's tool reads: workspace members, modules, and path dependencies. */
import {minimatch} from "minimatch";
import {modulesOf} from "../../detect/ecosystems/java-maven.ts";
import {membersOf as nodeMembers} from "../../detect/ecosystems/node-workspaces.ts";
import {mapOf, textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {closureOf, folderOf, inside, isBelow, resolveFrom, within} from "../../detect/files/project.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import type {LooseFamily, ProjectFamily} from "../../tools/tool-command.ts";
import type {Projects} from "./projects.ts";

/** The projects of `family` that one command in `folder` reads; `whole` if it includes all members of a workspace. */
export function findProjectsRead(
  projects: Projects,
  {folder, family, whole}: {folder: string; family: ProjectFamily; whole: boolean},
): Set<string> {
  const home = projects.has(folder, family) ? folder : (projects.homeOf(inside(folder, "x"), family) ?? folder);
  switch (family) {
    case "go":
      return goModules(projects, home);
    case "rust":
      return crates(projects, home, whole);
    case "node":
      return new Set([home, ...nodeMembers(projects.tree, home)]);
    case "maven":
      return new Set([home, ...modulesOf(projects.tree, home)]);
    case "gradle":
      return gradleBuilds(projects, home);
    case "python":
      return pythonProjects(projects, home);
    case "ruby":
    case "php":
    case "elixir":
    case "dart":
    case "swift":
      return namedProjects(projects, home, family);
    case "other":
      return new Set([home]);
  }
}

/**
 * `./...` does not include nested modules; a module that is replaced by a folder (`replace`) is compiled with this one.
 */
function goModules(projects: Projects, home: string): Set<string> {
  const {tree} = projects;
  const text = (folder: string) => tree.text(inside(folder, "go.mod")) ?? "";
  const work = tree.text("go.work") ?? "";
  return closureOf(home, (folder) => {
    const requirements = text(folder).replace(/\/\/.*$/gm, "");
    const replacements = [...requirements.matchAll(/=>\s*(\.{1,2}\/\S*)/g)].map(([, path = ""]) =>
      resolveFrom(folder, path),
    );
    const usedFolders =
      work === ""
        ? []
        : projects.all("go").filter((other) => {
            const name = /^module\s+(\S+)/m.exec(text(other))?.[1];
            return name !== undefined && other !== folder && requirements.includes(`${name} `) && work.includes(other);
          });
    return [...replacements, ...usedFolders];
  });
}

/** Members and their path dependencies; without a workspace only the package of the folder. */
function crates(projects: Projects, home: string, whole: boolean): Set<string> {
  const {tree} = projects;
  const manifest = (folder: string) => tree.toml(inside(folder, "Cargo.toml"));
  const root = manifest(home);
  const globs = (key: string) => textsOf(valueAt(root, "workspace", key)).map((glob) => resolveFrom(home, glob));
  const isMember = (folder: string) =>
    globs("members").some((glob) => minimatch(folder, glob)) && !globs("exclude").some((path) => folder === path);
  const isVirtual = valueAt(root, "package") === undefined;
  const members = whole || isVirtual ? projects.all("rust").filter(isMember) : [];
  const paths = (folder: string) => pathDependencies(manifest(folder)).map((path) => resolveFrom(folder, path));
  const fromRoot = pathDependencies(valueAt(root, "workspace")).map((path) => resolveFrom(home, path));
  const readProjects = new Set([home, ...(whole || isVirtual ? fromRoot : [])]);
  for (const folder of [home, ...members]) for (const crate of closureOf(folder, paths)) readProjects.add(crate);
  return readProjects;
}

/** The name of the crate in a folder, for cargo's options. */
export const crateName = ({tree}: Projects, folder: string): string =>
  textAt(tree.toml(inside(folder, "Cargo.toml")), "package", "name") ?? "";

function pathDependencies(manifest: unknown): string[] {
  const targets = [...mapOf(valueAt(manifest, "target")).values()];
  const tables = [manifest, ...targets].flatMap((table) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].map((key) => valueAt(table, key)),
  );
  return tables.flatMap((table) =>
    [...mapOf(table).values()].flatMap((dependency) => textAt(dependency, "path") ?? []),
  );
}

/**
 * Subprojects belong to the build above them; a nested settings file is a separate build, unless this one includes it.
 */
function gradleBuilds(projects: Projects, home: string): Set<string> {
  const settings = ["settings.gradle", "settings.gradle.kts"]
    .map((name) => projects.tree.text(inside(home, name)) ?? "")
    .join("\n");
  const includedBuilds = [...settings.matchAll(/includeBuild\s*\(?\s*["']([^"']+)["']/g)];
  return new Set([home, inside(home, "buildSrc"), ...includedBuilds.map(([, path = ""]) => resolveFrom(home, path))]);
}

/** The project and its path dependencies, which include members of a uv workspace. */
function pythonProjects(projects: Projects, home: string): Set<string> {
  const manifest = projects.tree.toml(inside(home, "pyproject.toml"));
  const members = textsOf(valueAt(manifest, "tool", "uv", "workspace", "members")).map((glob) =>
    resolveFrom(home, glob),
  );
  const sources = [...mapOf(valueAt(manifest, "tool", "uv", "sources")).values()].flatMap(
    (source) => textAt(source, "path") ?? [],
  );
  const dependencies = new Set(sources.map((path) => resolveFrom(home, path)));
  const otherProjects = projects
    .all("python")
    .filter((folder) => dependencies.has(folder) || members.some((glob) => minimatch(folder, glob)));
  return new Set([home, ...otherProjects]);
}

/** Files in which a project names other projects, or its test folders, next to those of its tools. */
const NAMING_FILES: Readonly<Record<LooseFamily, readonly string[]>> = {
  ruby: ["Gemfile", "*.gemspec", "Rakefile"],
  php: ["composer.json"],
  elixir: ["mix.exs"],
  dart: ["pubspec.yaml", "pubspec_overrides.yaml", "melos.yaml", "dart_test.yaml"],
  swift: ["Package.swift"],
};

/** The project, and those below it that it names by their folder, or by a pattern for their parent folder. */
function namedProjects(projects: Projects, home: string, family: LooseFamily): Set<string> {
  const {tree} = projects;
  const toolFiles = COMMANDS.flatMap(({namesProjects: named}) => (named?.family === family ? named.files : []));
  const files = [...NAMING_FILES[family], ...toolFiles].flatMap((name) =>
    name.startsWith("*") ? tree.named(name).filter((path) => folderOf(path) === home) : [inside(home, name)],
  );
  const text = files.map((path) => tree.text(path) ?? "").join("\n");
  const isNamed = (folder: string): boolean => {
    const path = within(home, folder);
    const parent = folderOf(path);
    const hasPattern = parent !== "." && ["/*", "/#{", '"', "'", "/<"].some((end) => text.includes(`${parent}${end}`));
    return hasPattern || (text.includes(path) && new RegExp(`(?<![\\w-])${escapeRegExp(path)}(?![\\w-])`).test(text));
  };
  return new Set([home, ...projects.all(family).filter((folder) => isBelow(folder, home) && isNamed(folder))]);
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
