/** Which projects of a tree need which others of it, as far as their manifests say so by a path or a name. */
import {posix} from "node:path";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";

/** Manifests that speak of other folders by a relative path: `{path = "../core"}`, `replace x => ../x`, `Include="..\Core\Core.csproj"`. */
const MANIFEST =
  /^(package\.json|Cargo\.toml|go\.mod|go\.work|pyproject\.toml|requirements[\w.-]*\.txt|pubspec\.yaml|Gemfile|mix\.exs|composer\.json|pom\.xml|settings\.gradle(\.kts)?|build\.gradle(\.kts)?|Package\.swift|CMakeLists\.txt|meson\.build|tsconfig[\w.-]*\.json|[\w.-]+\.(cs|fs|vb)proj|[\w.-]+\.(gemspec|cabal|tf))$/;
const MAX_TEXT = 500_000;
const MAX_FILES = 40;

/** What a project may be asked for by. */
interface Names {
  readonly has: readonly string[];
  readonly wants: ReadonlySet<string>;
}

/**
 * For each of these folders those of them that it needs, directly or through others. A name that only looks like a dependency
 * counts too: one stage too many is better than one too few.
 */
export function findNeededProjects(
  project: Project,
  folders: readonly string[],
): (folder: string) => ReadonlySet<string> {
  const named = new Map(folders.map((folder) => [folder, namesOf(project, folder)]));
  const owners = new Map([...named].flatMap(([folder, {has}]) => has.map((name) => [name, folder] as const)));
  const direct = new Map(
    folders.map((folder) => {
      const byName = [...(named.get(folder)?.wants ?? [])].flatMap((name) => owners.get(name) ?? []);
      return [folder, new Set([...byName, ...byPath(project, folder, folders)].filter((other) => other !== folder))];
    }),
  );
  return (folder) => {
    const reached = new Set<string>();
    const open = [folder];
    for (let here = open.pop(); here !== undefined; here = open.pop())
      for (const next of direct.get(here) ?? [])
        if (!reached.has(next)) {
          reached.add(next);
          open.push(next);
        }
    return reached;
  };
}

function byPath(project: Project, folder: string, folders: readonly string[]): string[] {
  const texts = project
    .inFolder(folder)
    .filter((path) => MANIFEST.test(path.slice(path.lastIndexOf("/") + 1)))
    .slice(0, MAX_FILES)
    .map((path) => (project.text(path) ?? "").slice(0, MAX_TEXT).replaceAll("\\", "/"));
  const spoken = texts.flatMap((text) => text.match(/(?:\.\.\/)+[\w./@+-]+/g) ?? []);
  const targets = new Set(spoken.map((path) => posix.normalize(posix.join(folder, path)).replace(/\/$/, "")));
  return folders.filter(
    (other) => other !== "." && [...targets].some((target) => target === other || target.startsWith(`${other}/`)),
  );
}

function namesOf(project: Project, folder: string): Names {
  const node = project.json(inside(folder, "package.json"));
  const python = project.toml(inside(folder, "pyproject.toml"));
  const go = project.text(inside(folder, "go.mod")) ?? "";
  const module = /^module\s+(\S+)/m.exec(go)?.[1];
  const has = [textAt(node, "name"), textAt(python, "project", "name"), module ?? null];
  const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const ofPython = JSON.stringify([
    valueAt(python, "project", "dependencies"),
    valueAt(python, "project", "optional-dependencies"),
    valueAt(python, "dependency-groups"),
    valueAt(python, "tool", "uv", "sources"),
  ]);
  return {
    has: has.filter((name) => name !== null),
    wants: new Set([
      ...lists.flatMap((key) => [...mapOf(valueAt(node, key)).keys()]),
      ...(ofPython.slice(0, MAX_TEXT).match(/[\w.-]+/g) ?? []),
      ...(go
        .slice(0, MAX_TEXT)
        .replace(/^module.*$/m, "")
        .match(/[\w./~-]+/g) ?? []),
    ]),
  };
}
