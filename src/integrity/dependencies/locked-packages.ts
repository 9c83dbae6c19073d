/** Reads the packages of a lock file: name, version, origin, checksum, and further data of its format. */
import {parse as parseJson} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import {listOf, mapOf, textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** the address of its download; null if the format does not record it, or if the package is in the repository */
  readonly origin: string | null;
  readonly checksum: string | null;
  readonly license: string | null;
  /** null if the format does not record it */
  readonly hasInstallScript: boolean | null;
}

type LockReader = (text: string) => LockedPackage[];

/** The formats of lock files, by the name of the file. */
const READERS: Readonly<Record<string, LockReader>> = {
  "package-lock.json": readNpmLock,
  "npm-shrinkwrap.json": readNpmLock,
  "pnpm-lock.yaml": readPnpmLock,
  "yarn.lock": readYarnLock,
  "Cargo.lock": readTomlLock,
  "poetry.lock": readTomlLock,
  "uv.lock": readTomlLock,
  "pdm.lock": readTomlLock,
  "composer.lock": readComposerLock,
  "Gemfile.lock": readGemfileLock,
  "go.sum": readGoSum,
};

export const isLockFile = (path: string): boolean => Object.hasOwn(READERS, fileName(path));

/** The packages of a lock file; null if the file is not a lock file or cannot be parsed. */
export function readLockedPackages(path: string, text: string): LockedPackage[] | null {
  const reader = isLockFile(path) ? READERS[fileName(path)] : undefined;
  try {
    return reader?.(text) ?? null;
  } catch {
    return null;
  }
}

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function locked(name: string, version: string, rest: Partial<LockedPackage> = {}): LockedPackage {
  return {name, version, origin: null, checksum: null, license: null, hasInstallScript: null, ...rest};
}

/** https://docs.npmjs.com/cli/configuring-npm/package-lock-json, versions 2 and 3, and the tree of version 1 */
function readNpmLock(text: string): LockedPackage[] {
  const lock: unknown = parseJson(text);
  const packages = [...mapOf(valueAt(lock, "packages"))];
  if (packages.length === 0) return readNpmTree(valueAt(lock, "dependencies"));
  return packages.flatMap(([path, entry]) => {
    const at = path.lastIndexOf("node_modules/");
    const version = textAt(entry, "version");
    if (at < 0 || version === null || valueAt(entry, "link") === true) return [];
    const name = textAt(entry, "name") ?? path.slice(at + "node_modules/".length);
    return [npmPackage(name, version, entry)];
  });
}

function readNpmTree(dependencies: unknown): LockedPackage[] {
  return [...mapOf(dependencies)].flatMap(([name, entry]) => [
    npmPackage(name, textAt(entry, "version") ?? "", entry),
    ...readNpmTree(valueAt(entry, "dependencies")),
  ]);
}

function npmPackage(name: string, version: string, entry: unknown): LockedPackage {
  return locked(name, version, {
    origin: textAt(entry, "resolved"),
    checksum: textAt(entry, "integrity"),
    license: textAt(entry, "license"),
    hasInstallScript: valueAt(entry, "hasInstallScript") === true,
  });
}

/** Split by hand, because a YAML parser takes seconds for these large, generated files. */
function readPnpmLock(text: string): LockedPackage[] {
  const [, section = ""] = text.split(/^packages:$/m);
  const [packages = ""] = section.split(/^(?=[a-z])/m);
  return packages.split(/^ {2}(?=[^\s])/m).flatMap((block) => {
    const [name, version] = nameAndVersion(block.slice(0, Math.max(0, block.indexOf("\n"))));
    if (name === "" || version === "") return [];
    return [
      locked(name, version, {
        origin: /(?:tarball|repo): '?([^\s,'}]+)/.exec(block)?.[1] ?? null,
        checksum: /integrity: ([^\s,}]+)/.exec(block)?.[1] ?? null,
        hasInstallScript: /^ {4}requiresBuild: true/m.test(block) ? true : null,
      }),
    ];
  });
}

/** `'@scope/name@1.0.0(peer@2.0.0)':`, and `/name/1.0.0:` in older files */
function nameAndVersion(key: string): [string, string] {
  const [id = ""] = key.replace(/^'?\/?/, "").split(/\(|'?:$/);
  const at = id.lastIndexOf("@") > 0 ? id.lastIndexOf("@") : id.lastIndexOf("/");
  return [id.slice(0, Math.max(0, at)), id.slice(at + 1)];
}

/** Both formats: of Yarn 1, and of its later versions. */
function readYarnLock(text: string): LockedPackage[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const name = /^"?(@?[^@"\n]+)@/m.exec(block)?.[1];
    const version = /^ {2}version:? "?([^"\s]+)/m.exec(block)?.[1];
    if (name === undefined || version === undefined || version === "0.0.0-use.local") return [];
    const resolution = /^ {2}resolution: "([^"]+)"/m.exec(block)?.[1]?.slice(name.length + 1);
    const isForeign = resolution !== undefined && !resolution.startsWith("npm:");
    return [
      locked(name, version, {
        origin: /^ {2}resolved "([^"#]+)/m.exec(block)?.[1] ?? (isForeign ? resolution : null),
        checksum: /^ {2}(?:integrity|checksum:) ([^\s]+)/m.exec(block)?.[1] ?? null,
      }),
    ];
  });
}

/** Cargo, Poetry, uv and PDM: a list of tables `package`. */
function readTomlLock(text: string): LockedPackage[] {
  return listOf(parseToml(text)["package"]).flatMap((entry) => {
    const [name, version] = [textAt(entry, "name"), textAt(entry, "version")];
    const source = valueAt(entry, "source");
    const isLocal = ["virtual", "editable", "directory"].some((key) => textAt(source, key) !== null);
    if (name === null || version === null || isLocal) return [];
    const origin = ["git", "url", "registry"].map((key) => textAt(source, key)).find((value) => value !== null);
    const kind = textAt(source, "type") ?? (textAt(source, "git") === null ? "" : "git");
    const address = typeof source === "string" ? source : (origin ?? textAt(entry, "git") ?? null);
    return [
      locked(name, version, {
        origin: kind === "git" && address !== null && !address.startsWith("git") ? `git+${address}` : address,
        checksum: textAt(entry, "checksum") ?? textAt(entry, "sdist", "hash"),
      }),
    ];
  });
}

function readComposerLock(text: string): LockedPackage[] {
  const lock: unknown = parseJson(text);
  const entries = ["packages", "packages-dev"].flatMap((key) => [...listOf(valueAt(lock, key))]);
  return entries.flatMap((entry) => {
    const [name, version] = [textAt(entry, "name"), textAt(entry, "version")];
    if (name === null || version === null) return [];
    const rest = {origin: textAt(entry, "dist", "url"), checksum: textAt(entry, "dist", "shasum") || null};
    return [locked(name, version, {...rest, license: textsOf(valueAt(entry, "license")).join(" or ") || null})];
  });
}

function readGemfileLock(text: string): LockedPackage[] {
  return text.split(/^(?=[A-Z])/m).flatMap((section) => {
    const remote = /^ {2}remote: (\S+)/m.exec(section)?.[1] ?? null;
    const origin = remote !== null && section.startsWith("GIT") ? `git+${remote}` : remote;
    if (section.startsWith("PATH")) return [];
    const rows = [...section.matchAll(/^ {4}(\S+) \(([^)\s]+)\)$/gm)];
    return rows.map(([, name = "", version = ""]) => locked(name, version, {origin}));
  });
}

/** Two rows for each module: of its files, and of its `go.mod`. */
function readGoSum(text: string): LockedPackage[] {
  const rows = [...text.matchAll(/^(\S+) (v[^\s/]+) (h1:\S+)$/gm)];
  return rows.map(([, name = "", version = "", checksum = ""]) => locked(name, version, {checksum}));
}
