/** The packages that a change adds to its lock files, as far as a public registry knows them. */
import {type LockedPackage, readLockedPackages} from "../dependencies/locked-packages.ts";
import type {PackageEcosystem, PackageVersion} from "./advisory-tools.ts";

/** The ecosystem of each lock file, by its name. */
const ECOSYSTEMS: Readonly<Record<string, PackageEcosystem>> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "pnpm-lock.yaml": "npm",
  "yarn.lock": "npm",
  "poetry.lock": "PyPI",
  "uv.lock": "PyPI",
  "pdm.lock": "PyPI",
  "Cargo.lock": "crates.io",
  "composer.lock": "Packagist",
  "Gemfile.lock": "RubyGems",
  "go.sum": "Go",
};

/** Packages from elsewhere may be internal to a company, so their names are not shown. */
const PUBLIC_HOSTS = new Set([
  ...["registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "files.pythonhosted.org", "index.crates.io"],
  ...["rubygems.org", "api.github.com"],
]);
const CRATES = "https://github.com/rust-lang/crates.io-index";

function isPublicOrigin(origin: string): boolean {
  const address = origin.replace(/^(?:registry|sparse)\+/, "");
  const [protocol, , host = ""] = address.split("/");
  return address === CRATES || address.startsWith(`${CRATES}/`) || (protocol === "https:" && PUBLIC_HOSTS.has(host));
}

/**
 * A name or a version of another shape could be an option, an address or a second line for the program that reads it.
 * npm treats `owner/name` as a repository.
 */
const NAME: Readonly<Record<PackageEcosystem, RegExp>> = {
  npm: /^(?:@\w[\w.-]*\/)?\w[\w.-]*$/,
  PyPI: /^\w[\w.-]*$/,
  "crates.io": /^\w[\w-]*$/,
  Packagist: /^\w[\w.-]*\/\w[\w.-]*$/,
  RubyGems: /^\w[\w.-]*$/,
  Go: /^\w[\w.~-]*(?:\/[\w.~-]+)*$/,
};
const VERSION = /^\w[\w.+!-]*$/;

export interface NewPackages {
  readonly path: string;
  readonly ecosystem: PackageEcosystem;
  readonly packages: readonly PackageVersion[];
  /** packages that a public registry does not have */
  readonly privateCount: number;
}

export const ecosystemOf = (path: string): PackageEcosystem | null =>
  ECOSYSTEMS[path.slice(path.lastIndexOf("/") + 1)] ?? null;

/**
 * Null if the file adds no package, and `unreadable` if it is damaged. `before` and `after` are its texts;
 * `hasOwnRegistry` if the base's settings name a registry.
 */
export function newPackagesIn(options: {
  path: string;
  before: string | null;
  after: string;
  hasOwnRegistry: boolean;
}): NewPackages | "unreadable" | null {
  const {path, before, after, hasOwnRegistry} = options;
  const ecosystem = ecosystemOf(path);
  if (ecosystem === null) return null;
  const baseIds = new Set((readLockedPackages(path, before ?? "") ?? []).map(idOf));
  const locked = readLockedPackages(path, after);
  if (locked === null) return "unreadable";
  const addedPackages = locked.filter((one) => !baseIds.has(idOf(one)));
  const isPublic = ({name, version, origin}: LockedPackage) =>
    NAME[ecosystem].test(name) && VERSION.test(version) && (origin === null ? !hasOwnRegistry : isPublicOrigin(origin));
  const packages = new Map(
    addedPackages.filter(isPublic).map(({name, version}) => [`${name}@${version}`, {name, version}]),
  );
  const privateCount = addedPackages.filter((one) => !isPublic(one)).length;
  return addedPackages.length === 0 ? null : {path, ecosystem, packages: [...packages.values()], privateCount};
}

const idOf = ({name, version}: LockedPackage): string => `${name}@${version}`;
