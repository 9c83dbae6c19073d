/** Check: the sources of new dependencies, the match of lock file and manifest, and a list of changed packages. */
import {parse as parseJson} from "jsonc-parser";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {isManifest, locksOf, readDeclared} from "../dependencies/declared-dependencies.ts";
import {type LockedPackage, readLockedPackages} from "../dependencies/locked-packages.ts";
import {REGISTRY_SETTINGS} from "../dependencies/registry-settings.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** A message names at most this many; the others are counted. */
const MAX_NAMES = 8;
/**
 * An address in place of a version: git, an archive, or another module. A path inside the repository is not an address.
 */
const FOREIGN =
  /^(?:git[+:@]|git$|github:|gitlab:|bitbucket:|gist:|https?:|ssh:|replaced by )|^[\w.-]+\/[\w.-]+(?:#.*)?$/;
/** A version that names something else than a package of that name. */
const LOCAL = /^(?:file|link|workspace|portal|catalog|npm):/;
const GIT_ORIGIN = /^(?:git[+:@]|ssh:)|\.git(?:#|$)|^https:\/\/codeload\.|#commit=|@https?:/;

interface LockChange {
  readonly file: InspectedFile;
  readonly before: readonly LockedPackage[];
  readonly after: readonly LockedPackage[];
}

export const dependencies: IntegrityCheck = {
  name: "dependencies",
  find(change) {
    const files = change.files.filter(({path, status}) => status !== "deleted" && !isTestData(path));
    const locks = files.flatMap((file) => lockChange(file) ?? []);
    return [
      ...files.flatMap(foreignDeclarations),
      ...files.flatMap(changedTargets),
      ...files.flatMap(changedRegistries),
      ...files.flatMap((file) => missingInLock(file, locks)),
      ...locks.flatMap((lock) => [
        ...newOrigins(lock),
        ...changedChecksums(lock),
        ...newInstallScripts(lock),
        ...listOfChanges(lock),
      ]),
    ];
  },
};

function lockChange(file: InspectedFile): LockChange | null {
  const after = readLockedPackages(file.path, file.after ?? "");
  if (after === null) return null;
  return {file, before: readLockedPackages(file.basePath, file.before ?? "") ?? [], after};
}

function foreignDeclarations(file: InspectedFile): IntegrityFinding[] {
  if (!isManifest(file.path)) return [];
  const baseVersions = readDeclared(file.basePath, file.before);
  const foreign = [...(readDeclared(file.path, file.after) ?? [])].filter(
    ([name, version]) => FOREIGN.test(version) && baseVersions?.get(name) !== version,
  );
  return foreign.map(([name, version]) => ({
    ...at(file, lineWith(file.after, name)),
    level: "flag",
    message: `\`${name}\` does not come from a registry (\`${version.slice(0, 100)}\`)`,
    fix: "Use a released version, or read the code of that source before you merge.",
  }));
}

/** An entry of `imports` or `exports` that leads to another file: tests then load other code than users, or than before. */
function changedTargets(file: InspectedFile): IntegrityFinding[] {
  if (!isNamed(file.path, "package.json") || file.before === null || file.after === null) return [];
  const [before, after] = [parseJson(file.before), parseJson(file.after)];
  return ["imports", "exports"].flatMap((field) => {
    const earlier = new Map(mapOf(valueAt(before, field)));
    const changed = [...mapOf(valueAt(after, field))].find(
      ([key, target]) => earlier.has(key) && codeFiles(earlier.get(key)).join() !== codeFiles(target).join(),
    );
    if (changed === undefined) return [];
    const message = `\`${changed[0]}\` of \`${field}\` leads to another file than before`;
    const fix = "Check that tests and users load the same code.";
    return [{...at(file, lineWith(file.after, `"${changed[0]}"`)), level: "flag", message, fix}];
  });
}

/** All files of an entry for programs, whatever the conditions are called; types are for the type check. */
const codeFiles = (target: unknown): string[] =>
  typeof target === "string"
    ? [target].filter((file) => !file.includes(".d."))
    : Object.values(target ?? {}).flatMap(codeFiles);

function changedRegistries(file: InspectedFile): IntegrityFinding[] {
  const setting = REGISTRY_SETTINGS.find(({files}) =>
    files instanceof RegExp ? files.test(file.path) : isNamed(file.path, ...files),
  );
  // Next to another source, the public one can be the wrong one of two.
  const isStandard = (text: string) => file.before === null && setting?.standard?.test(text) === true;
  const line =
    setting &&
    compareLines(file.before, file.after).added.find(({text}) => setting.line.test(text) && !isStandard(text));
  if (line === undefined) return [];
  const message = `\`${line.text.trim().slice(0, 100)}\` changes where dependencies come from`;
  return [{...at(file, line.number), level: "flag", message, fix: "Check that this source is yours."}];
}

/** pnpm records a package of the workspace at its importers only. */
const isLinked = (name: string, lockText: string | null): boolean =>
  new RegExp(
    String.raw`^ +'?${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}'?:\n +specifier: .*\n +version: (?:link|file):`,
    "m",
  ).test(lockText ?? "");

/**
 * Only a lock file that the change also contains can be compared; an unchanged one fails in the project's own install.
 */
function missingInLock(file: InspectedFile, locks: readonly LockChange[]): IntegrityFinding[] {
  const [baseVersions, versions] = [readDeclared(file.basePath, file.before), readDeclared(file.path, file.after)];
  const names = locksOf(file.path);
  const lock = locks.find(({file: {path}}) => {
    const [folder, name] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
    return names.includes(name) && file.path.startsWith(folder);
  });
  if (versions === null || lock === undefined) return [];
  const [baseNames, lockedNames] = [namesIn(lock.before), namesIn(lock.after)];
  const listsLinks = /^importers:/m.test(lock.file.after ?? "");
  const missingNames = [...versions]
    .filter(([name, version]) => baseVersions?.get(name) !== version && !LOCAL.test(version) && !FOREIGN.test(version))
    .filter(([name]) => !lockedNames.has(comparable(name)) && !isLinked(name, lock.file.after))
    // A package of the workspace, of which only the version changes, is in neither lock file, unless it lists links.
    .filter(([name]) => listsLinks || baseVersions?.has(name) !== true || baseNames.has(comparable(name)))
    .map(([name]) => `\`${name}\``);
  if (missingNames.length === 0) return [];
  const message = `\`${lock.file.path}\` does not contain ${listed(missingNames)}, which \`${file.path}\` declares`;
  return [{...at(lock.file, null), level: "flag", message, fix: "Update the lock file with the package manager."}];
}

const namesIn = (packages: readonly LockedPackage[]): Set<string> =>
  new Set(packages.map(({name}) => comparable(name)));

/** PyPI names are compared without case and separators: https://packaging.python.org/en/latest/specifications/name-normalization/ */
const comparable = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

/** Only hosts in the base's lock file are expected; without such a file, any host is new. */
function newOrigins({file, before: basePackages, after: packages}: LockChange): IntegrityFinding[] {
  const baseIds = new Set(basePackages.map(idOf));
  const baseHosts = new Set(basePackages.map(({origin}) => hostOf(origin)));
  const newPackages = packages.filter((one) => one.origin !== null && !baseIds.has(idOf(one)));
  const isFromGit = ({origin}: LockedPackage) => GIT_ORIGIN.test(origin ?? "");
  const isFromNewHost = (one: LockedPackage) =>
    !isFromGit(one) && baseHosts.size > 0 && !baseHosts.has(hostOf(one.origin));
  const fromGit = newPackages.filter(isFromGit);
  const fromNewHosts = newPackages.filter(isFromNewHost);
  const hosts = [...new Set(fromNewHosts.map(({origin}) => hostOf(origin)))].join("`, `");
  const fix = "Check that this source is yours.";
  return [
    ...flagPackages({
      ...{file, fix, packages: fromGit},
      message: (names) => `${names} ${fromGit.length === 1 ? "is" : "are"} locked to a git repository`,
    }),
    ...flagPackages({
      ...{file, fix, packages: fromNewHosts},
      message: (names) => `${names}: fetched from \`${hosts}\`, which no dependency used before`,
    }),
  ];
}

function changedChecksums({file, before: basePackages, after: packages}: LockChange): IntegrityFinding[] {
  const baseChecksums = new Map(basePackages.map((one) => [idOf(one), one.checksum]));
  const isChanged = (one: LockedPackage): boolean => {
    const baseChecksum = baseChecksums.get(idOf(one)) ?? null;
    if (baseChecksum === null || one.checksum === null) return false;
    return kindOf(baseChecksum) === kindOf(one.checksum) && baseChecksum !== one.checksum;
  };
  return flagPackages({
    ...{file, packages: packages.filter(isChanged)},
    message: (names) => `The checksum of ${names} changed, and the version did not`,
    fix: "A released version does not change. Find out why before you merge.",
  });
}

function newInstallScripts({file, before: basePackages, after: packages}: LockChange): IntegrityFinding[] {
  if (basePackages.length === 0) return [];
  const baseNames = new Set(basePackages.map(({name}) => name));
  return flagPackages({
    ...{
      file,
      packages: packages.filter(({name, hasInstallScript}) => hasInstallScript === true && !baseNames.has(name)),
    },
    message: (names) => `New, with a script that runs when it is installed: ${names}`,
    fix: "Read the script, or install without scripts.",
  });
}

function listOfChanges({file, before: basePackages, after: packages}: LockChange): IntegrityFinding[] {
  const [baseVersions, versions] = [versionsOf(basePackages), versionsOf(packages)];
  const items = {
    added: [...versions].flatMap(([name, {text, license}]) =>
      baseVersions.has(name) ? [] : [`\`${name}\` ${text}${license === null ? "" : ` (${license})`}`],
    ),
    changed: [...versions].flatMap(([name, {text}]) => {
      const baseText = baseVersions.get(name)?.text ?? text;
      return baseText === text ? [] : [`\`${name}\` ${baseText} → ${text}`];
    }),
    removed: [...baseVersions.keys()].flatMap((name) => (versions.has(name) ? [] : [`\`${name}\``])),
  };
  const parts = Object.entries(items).filter(([, names]) => names.length > 0);
  if (parts.length === 0) return [];
  const message = `Dependencies ${parts.map(([verb, names]) => `${verb}: ${listed(names)}`).join("; ")}`;
  const fix = "Check that each of them is wanted.";
  return [{...at(file, null), level: "note", message, fix}];
}

function versionsOf(packages: readonly LockedPackage[]): Map<string, {text: string; license: string | null}> {
  const versions = new Map<string, {text: string; license: string | null}>();
  for (const {name, version, license} of packages) {
    const sameName = versions.get(name)?.text.split(", ") ?? [];
    versions.set(name, {text: [...new Set([...sameName, version])].toSorted().join(", "), license});
  }
  return versions;
}

const idOf = ({name, version, origin}: LockedPackage): string => `${name}@${version} ${origin}`;
/** The algorithm, such as `sha512-`; other formats have only one. */
const kindOf = (checksum: string | null): string => /^\w+[-:]/.exec(checksum ?? "")?.[0] ?? "";

function hostOf(origin: string | null): string {
  return /^(?:[\w+-]+\+)?\w+:\/\/(?:[^/@]*@)?([^/]+)/.exec(origin ?? "")?.[1] ?? "";
}

/** One finding for all of them; none without packages. */
function flagPackages(options: {
  file: InspectedFile;
  packages: readonly LockedPackage[];
  message: (names: string) => string;
  fix: string;
}): IntegrityFinding[] {
  const {file, packages, fix} = options;
  if (packages.length === 0) return [];
  const message = options.message(listed(packages.map(({name, version}) => `\`${name}\` ${version}`)));
  return [{...at(file, null), level: "flag", message, fix}];
}

function listed(items: readonly string[]): string {
  const rest = items.length - MAX_NAMES;
  return `${items.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function lineWith(text: string | null, name: string): number | null {
  const index = text?.split("\n").findIndex((line) => line.includes(name)) ?? -1;
  return index < 0 ? null : index + 1;
}

const at = ({path}: InspectedFile, line: number | null) => ({check: "dependencies" as const, path, line});
