/** Reads the dependencies that a manifest declares, as name and requirement. */
import {parse as parseJson} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import {mapOf, textEntries, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed} from "../../git/paths.ts";

type ManifestReader = (text: string) => Map<string, string>;

interface ManifestFormat {
  readonly file: string | RegExp;
  readonly locks: readonly string[];
  readonly read: ManifestReader;
}

const FORMATS: readonly ManifestFormat[] = [
  {
    file: "package.json",
    locks: ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"],
    read: readPackageJson,
  },
  {file: "Cargo.toml", locks: ["Cargo.lock"], read: readCargoToml},
  {file: "pyproject.toml", locks: ["poetry.lock", "uv.lock", "pdm.lock"], read: readPyproject},
  {file: /requirements[^/]*\.(?:txt|in)$/, locks: [], read: readRequirements},
  {file: "composer.json", locks: ["composer.lock"], read: readComposerJson},
  {file: "go.mod", locks: ["go.sum"], read: readGoMod},
  {file: "Gemfile", locks: ["Gemfile.lock"], read: readGemfile},
];

const formatOf = (path: string): ManifestFormat | undefined =>
  FORMATS.find(({file}) => (typeof file === "string" ? isNamed(path, file) : file.test(path)));

export const isManifest = (path: string): boolean => formatOf(path) !== undefined;

/** The names of lock files that belong to this manifest. */
export const locksOf = (path: string): readonly string[] => formatOf(path)?.locks ?? [];

/** The declared dependencies; null if the file is not a manifest, is missing or cannot be parsed. */
export function readDeclared(path: string, text: string | null): Map<string, string> | null {
  const format = formatOf(path);
  if (format === undefined || text === null) return null;
  try {
    return format.read(text);
  } catch {
    return null;
  }
}

function readPackageJson(text: string): Map<string, string> {
  const manifest: unknown = parseJson(text);
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  const overrides = [["overrides"], ["resolutions"], ["pnpm", "overrides"]].flatMap((keys) =>
    [...textEntries(valueAt(manifest, ...keys))].flatMap(([name, value]): [string, string][] =>
      /^(?:file|link|portal):|^\.{0,2}\//.test(value) ? [[name, `replaced by ${value}`]] : [],
    ),
  );
  return new Map([...kinds.flatMap((kind) => [...textEntries(valueAt(manifest, kind))]), ...overrides]);
}

/** Packages that a folder replaces: Cargo's `[patch]`, and the sources of uv. */
const replacedByFolder = (table: unknown): [string, string][] =>
  [...mapOf(table)].flatMap(([name, value]): [string, string][] => {
    const folder = valueAt(value, "path");
    return typeof folder === "string" ? [[name, `replaced by ${folder}`]] : [];
  });

function readComposerJson(text: string): Map<string, string> {
  const manifest: unknown = parseJson(text);
  const all = ["require", "require-dev"].flatMap((kind) => [...textEntries(valueAt(manifest, kind))]);
  return new Map(all.filter(([name]) => name.includes("/")));
}

function readCargoToml(text: string): Map<string, string> {
  const manifest = parseToml(text);
  const tables = [manifest, ...mapOf(manifest["target"]).values(), manifest["workspace"]];
  const kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
  const patches = [...mapOf(manifest["patch"]).values()].flatMap(replacedByFolder);
  return new Map([
    ...tables.flatMap((table) => kinds.flatMap((kind) => tableEntries(valueAt(table, kind)))),
    ...patches,
  ]);
}

/** A dependency is a version, or a table with `version`, `git`, `url` or `path`. */
function tableEntries(table: unknown): [string, string][] {
  return [...mapOf(table)].flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[key, value]];
    const keys = mapOf(value);
    const name = String(keys.get("package") ?? key);
    if (keys.get("workspace") === true || keys.has("path")) return [];
    const foreign = keys.has("git") ? `git+${String(keys.get("git"))}` : keys.get("url");
    return [[name, String(foreign ?? keys.get("version") ?? "")]];
  });
}

function readPyproject(text: string): Map<string, string> {
  const manifest = parseToml(text);
  const lists = [
    valueAt(manifest, "project", "dependencies"),
    ...mapOf(valueAt(manifest, "project", "optional-dependencies")).values(),
    ...mapOf(manifest["dependency-groups"]).values(),
  ];
  const poetry = valueAt(manifest, "tool", "poetry");
  const groups = [...mapOf(valueAt(poetry, "group")).values()].map((group) => valueAt(group, "dependencies"));
  const tables = [valueAt(poetry, "dependencies"), valueAt(poetry, "dev-dependencies"), ...groups];
  const uvSources = valueAt(manifest, "tool", "uv", "sources");
  const sources = [...tableEntries(uvSources), ...replacedByFolder(uvSources)];
  const named = tables.flatMap((table) => tableEntries(table)).filter(([name]) => name !== "python");
  return new Map([...lists.flatMap((list) => textsOf(list).flatMap(requirement)), ...named, ...sources]);
}

/** https://packaging.python.org/en/latest/specifications/dependency-specifiers/ */
function requirement(text: string): [string, string][] {
  const [, name, rest = ""] = /^\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([^;#]*)/.exec(text) ?? [];
  return name === undefined ? [] : [[name, rest.replace(/^@\s*/, "").trim()]];
}

function readRequirements(text: string): Map<string, string> {
  const rows = text.split("\n").map((row) => row.trim());
  return new Map(
    rows.flatMap((row): [string, string][] => {
      if (/^(?:-e\s+|--editable[ =])?(?:git\+|https?:)/.test(row)) {
        const address = row.replace(/^(?:-e\s+|--editable[ =])/, "").split(/\s/)[0] ?? "";
        return [[/#egg=([\w.-]+)/.exec(address)?.[1] ?? address, address]];
      }
      return row.startsWith("#") || row.startsWith("-") ? [] : requirement(row);
    }),
  );
}

/** Required modules, and those that another module, address or folder replaces. */
function readGoMod(text: string): Map<string, string> {
  const required = [...text.matchAll(/^(?:require\s+|\t)([\w.-]+\.[\w.-]+\/\S+|[\w.-]+\.\w+\S*) (v\S+)/gm)];
  const replaced = [...text.matchAll(/^(?:replace\s+|\t)(\S+)(?: v\S+)? => (\S+)(?: (v\S+))?/gm)];
  return new Map([
    ...required.map(([, name = "", version = ""]): [string, string] => [name, version]),
    ...replaced.map(([, name = "", other = "", version = ""]): [string, string] => [
      name,
      `replaced by ${other} ${version}`.trim(),
    ]),
  ]);
}

function readGemfile(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^\s*gem\s+["']([^"']+)["']([^#\n]*)/gm)].map(([, name = "", rest = ""]) => {
      const [, host, address] = /\b(git|github):\s*["']([^"']+)/.exec(rest) ?? [];
      return [name, host === undefined ? rest.replace(/^,\s*/, "").trim() : `git+${address}`];
    }),
  );
}
