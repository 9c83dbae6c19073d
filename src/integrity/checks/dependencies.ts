/** Check: the sources of new dependencies, the match of lock file and manifest, and a list of changed packages. */
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
  const before = readDeclared(file.basePath, file.before);
  const foreign = [...(readDeclared(file.path, file.after) ?? [])].filter(
    ([name, version]) => FOREIGN.test(version) && before?.get(name) !== version,
  );
  return foreign.map(([name, version]) => ({
    ...at(file, lineWith(file.after, name)),
    level: "flag",
    message: `\`${name}\` does not come from a registry (\`${version.slice(0, 100)}\`)`,
    fix: "Use a released version, or read the code of that source before you merge.",
  }));
}

function changedRegistries(file: InspectedFile): IntegrityFinding[] {
  const setting = REGISTRY_SETTINGS.find(({files}) => files.test(file.path));
  const line = setting && compareLines(file.before, file.after).added.find(({text}) => setting.line.test(text));
  if (line === undefined) return [];
  const message = `\`${line.text.trim().slice(0, 100)}\` changes where dependencies come from`;
  return [{...at(file, line.number), level: "flag", message, fix: "Check that this source is yours."}];
}

/**
 * Only a lock file that the change also contains can be compared; an unchanged one fails in the project's own install.
 */
function missingInLock(file: InspectedFile, locks: readonly LockChange[]): IntegrityFinding[] {
  const [before, after] = [readDeclared(file.basePath, file.before), readDeclared(file.path, file.after)];
  const names = locksOf(file.path);
  const lock = locks.find(({file: {path}}) => {
    const [folder, name] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
    return names.includes(name) && file.path.startsWith(folder);
  });
  if (after === null || lock === undefined) return [];
  const known = new Set(lock.after.map(({name}) => comparable(name)));
  const missing = [...after]
    .filter(
      ([name, version]) =>
        before?.get(name) !== version && !/^(?:file|link|workspace|portal|catalog|npm):/.test(version),
    )
    .filter(([name, version]) => !known.has(comparable(name)) && !FOREIGN.test(version))
    .map(([name]) => `\`${name}\``);
  if (missing.length === 0) return [];
  const message = `\`${lock.file.path}\` does not contain ${listed(missing)}, which \`${file.path}\` declares`;
  return [{...at(lock.file, null), level: "flag", message, fix: "Update the lock file with the package manager."}];
}

/** PyPI names are compared without case and separators: https://packaging.python.org/en/latest/specifications/name-normalization/ */
const comparable = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

/** Only hosts in the base's lock file are expected; without such a file, any host is new. */
function newOrigins({file, before, after}: LockChange): IntegrityFinding[] {
  const known = new Set(before.map(idOf));
  const hosts = new Set(before.map(({origin}) => hostOf(origin)));
  const added = after.filter((one) => one.origin !== null && !known.has(idOf(one)));
  const fromGit = added.filter(({origin}) => GIT_ORIGIN.test(origin ?? ""));
  const isFromNewHost = (one: LockedPackage) => hosts.size > 0 && !hosts.has(hostOf(one.origin));
  const fromElsewhere = before.length === 0 ? [] : added.filter((one) => !fromGit.includes(one) && isFromNewHost(one));
  return [
    ...grouped(fromGit, (names) => `${names} ${fromGit.length === 1 ? "is" : "are"} locked to a git repository`),
    ...grouped(fromElsewhere, (names) => {
      const addresses = [...new Set(fromElsewhere.map(({origin}) => hostOf(origin)))].join("`, `");
      return `${names}: fetched from \`${addresses}\`, which no dependency used before`;
    }),
  ].map((message) => ({...at(file, null), level: "flag", message, fix: "Check that this source is yours."}));
}

function changedChecksums({file, before, after}: LockChange): IntegrityFinding[] {
  const known = new Map(before.map((one) => [idOf(one), one]));
  const changed = after.filter((one) => {
    const base = known.get(idOf(one));
    const isComparable = base !== undefined && base.checksum !== null && one.checksum !== null;
    return isComparable && kindOf(base.checksum) === kindOf(one.checksum) && base.checksum !== one.checksum;
  });
  const fix = "A released version does not change. Find out why before you merge.";
  return grouped(changed, (names) => `The checksum of ${names} changed, and the version did not`).map((message) => ({
    ...at(file, null),
    level: "flag",
    message,
    fix,
  }));
}

function newInstallScripts({file, before, after}: LockChange): IntegrityFinding[] {
  if (before.length === 0) return [];
  const known = new Set(before.map(({name}) => name));
  const added = after.filter(({name, hasInstallScript}) => hasInstallScript === true && !known.has(name));
  const fix = "Read the script, or install without scripts.";
  return grouped(added, (names) => `New, with a script that runs when it is installed: ${names}`).map((message) => ({
    ...at(file, null),
    level: "flag",
    message,
    fix,
  }));
}

function listOfChanges({file, before, after}: LockChange): IntegrityFinding[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const added = [...now].filter(([name]) => !old.has(name));
  const changed = [...now].filter(([name, one]) => old.has(name) && old.get(name)?.text !== one.text);
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const parts = [
    ["added", added.map(([name, {text, license}]) => `\`${name}\` ${text}${license === null ? "" : ` (${license})`}`)],
    ["changed", changed.map(([name, {text}]) => `\`${name}\` ${old.get(name)?.text} → ${text}`)],
    ["removed", removed.map((name) => `\`${name}\``)],
  ] as const;
  const message = parts.flatMap(([verb, items]) => (items.length === 0 ? [] : `${verb}: ${listed(items)}`)).join("; ");
  if (message === "") return [];
  const fix = "Assay did not look up their age and known vulnerabilities.";
  return [{...at(file, null), level: "note", message: `Dependencies ${message}`, fix}];
}

function versionsOf(packages: readonly LockedPackage[]): Map<string, {text: string; license: string | null}> {
  const versions = new Map<string, {text: string; license: string | null}>();
  for (const {name, version, license} of packages) {
    const known = versions.get(name)?.text.split(", ") ?? [];
    versions.set(name, {text: [...new Set([...known, version])].toSorted().join(", "), license});
  }
  return versions;
}

const idOf = ({name, version, origin}: LockedPackage): string => `${name}@${version} ${origin}`;
/** The algorithm, such as `sha512-`; other formats have only one. */
const kindOf = (checksum: string | null): string => /^\w+[-:]/.exec(checksum ?? "")?.[0] ?? "";

function hostOf(origin: string | null): string {
  return /^(?:[\w+-]+\+)?\w+:\/\/(?:[^/@]*@)?([^/]+)/.exec(origin ?? "")?.[1] ?? "";
}

/** One message for all of them; no message if there are none. */
function grouped(packages: readonly LockedPackage[], message: (names: string) => string): string[] {
  return packages.length === 0 ? [] : [message(listed(packages.map(({name, version}) => `\`${name}\` ${version}`)))];
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
