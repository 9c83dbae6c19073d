/** Finds contradictions between specs and code after a change. */
import type {Diagnostic} from "../../record/evidence.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {identifiers, mentionedPaths, namedSymbols, ownedPaths, type SpecWithText} from "./claims.ts";

/** A finding names at most this many. */
const MAX_NAMES = 10;
/** At most this many owned files are searched for a name that was removed from a changed file. */
const MAX_FILES = 50;

export interface DriftInput {
  /** the base's specs that still exist, with their text after the change */
  readonly specs: readonly SpecWithText[];
  /** the base's specs that the change removes, with their last text */
  readonly removed: readonly SpecWithText[];
  /** the specs that the change adds; they may own the files of a removed one */
  readonly added: readonly SpecWithText[];
  readonly changes: readonly Change[];
  /** the text of a file on the base or in the candidate; null if there is none */
  readonly read: (side: "base" | "candidate", path: string) => Promise<string | null>;
}

/** `concerned` is the number of specs that own a changed file. */
export async function findDrift(options: DriftInput): Promise<{findings: Diagnostic[]; concerned: number}> {
  const changedFiles = new Set(changedPaths(options.changes));
  const removedPaths = new Set(
    options.changes.flatMap(({path, from, status}) => (status === "deleted" ? [path] : (from ?? []))),
  );
  const findings: Diagnostic[] = [];
  let concernedCount = 0;
  for (const spec of options.specs) {
    const ownedFiles = [...ownedPaths(spec)].filter((path) => path !== spec.path && !isDocument(path));
    const touchedFiles = ownedFiles.filter((path) => changedFiles.has(path));
    if (touchedFiles.length > 0) concernedCount++;
    if (touchedFiles.length > 0 && spec.format.isLiving && !isSpecChanged(spec, changedFiles))
      findings.push(findingOn(spec, "spec-unchanged", `${formatNames(touchedFiles)} changed, and this spec did not`));
    const missingFiles = [...mentionedPaths(spec.text)].filter((path) => removedPaths.has(path));
    if (missingFiles.length > 0 && spec.format.name !== "adr")
      findings.push(
        findingOn(spec, "file-gone", `this spec names ${formatNames(missingFiles)}, which this change removes`),
      );
    if (touchedFiles.length > 0)
      findings.push(...(await lostSymbols({...options, spec, owned: ownedFiles, touched: touchedFiles})));
  }
  return {findings: [...findings, ...removedSpecs(options)], concerned: concernedCount};
}

/** Specs that the change removes although it changes and keeps a file that they own, and that no other spec owns. */
function removedSpecs({specs, added, removed, changes}: DriftInput): Diagnostic[] {
  if (removed.length === 0) return [];
  const keptFiles = new Set(changes.flatMap(({path, status}) => (status === "deleted" ? [] : [path])));
  const owners = new Set([...specs, ...added].flatMap((spec) => [...ownedPaths(spec)]));
  return removed.flatMap((spec) => {
    const unspecifiedFiles = [...ownedPaths(spec)].filter(
      (path) => keptFiles.has(path) && !owners.has(path) && !isDocument(path),
    );
    if (unspecifiedFiles.length === 0 || !spec.format.isLiving) return [];
    return [
      findingOn(spec, "spec-removed", `${formatNames(unspecifiedFiles)} changed, and the change removes this spec`),
    ];
  });
}

export function findingOn({path}: {readonly path: string}, code: string, message: string): Diagnostic {
  return {tool: "specs", file: path, path, code, message, severity: "warning"};
}

/** Names that were removed from a changed file of the spec, and not moved to another file of the spec or the change. */
async function lostSymbols({
  spec,
  touched,
  owned,
  changes,
  read,
}: DriftInput & {spec: SpecWithText; owned: readonly string[]; touched: readonly string[]}): Promise<Diagnostic[]> {
  const baseWords = await wordsIn(touched, (path) => read("base", path));
  const definedNames = [...namedSymbols(spec.text)].filter((name) => baseWords.has(name));
  if (definedNames.length === 0) return [];
  const searchedPaths = new Set([...owned, ...changes.map(({path}) => path).filter((path) => !isTest(path))]);
  const candidateWords = await wordsIn([...searchedPaths], (path) => read("candidate", path));
  const removedSymbols = definedNames.filter((name) => !candidateWords.has(name));
  return removedSymbols.length === 0
    ? []
    : [
        findingOn(
          spec,
          "symbol-gone",
          `this spec names ${formatNames(removedSymbols)}, gone from ${formatNames(touched)}`,
        ),
      ];
}

async function wordsIn(paths: readonly string[], read: (path: string) => Promise<string | null>): Promise<Set<string>> {
  const words = new Set<string>();
  for (const path of paths.slice(0, MAX_FILES))
    for (const word of identifiers((await read(path)) ?? "")) words.add(word);
  return words;
}

/** The spec itself, a file next to it, or a proposed change of an OpenSpec capability. */
function isSpecChanged({path, name, format}: SpecWithText, changed: ReadonlySet<string>): boolean {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const isOwnFolder = folder.endsWith(`/${name}/`);
  const delta = `/specs/${name}/spec.md`;
  return [...changed].some(
    (one) =>
      one === path ||
      (isOwnFolder && one.startsWith(folder)) ||
      (format.name === "openspec" && one.startsWith("openspec/changes/") && one.endsWith(delta)),
  );
}

/** True for tests: they name a symbol after it is gone, and need no spec. */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec|e2e|fixtures?|mocks?)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$/i.test(
    path,
  );
}

const isDocument = (path: string): boolean => /\.(?:md|mdx|rst|adoc|txt)$/i.test(path);

const formatNames = (names: readonly string[]): string => {
  const firstNames = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  return (
    firstNames.join(", ") + (names.length > firstNames.length ? ` and ${names.length - firstNames.length} more` : "")
  );
};
