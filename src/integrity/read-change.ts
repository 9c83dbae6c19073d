/** Reads a change for the integrity checks: the contents of its files, from git objects only. */
import {type Git, gitRefused} from "../git/git.ts";
import type {RawEntry} from "../git/raw-diff.ts";
import {parseRawDiff} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {ok, type Result} from "../record/words.ts";
import {cutLongLines} from "../test-code/text/mask.ts";
import {isConfiguration} from "../tools/configuration-files.ts";
import {isLockFile} from "./dependencies/locked-packages.ts";
import type {InspectedChange, InspectedFile} from "./source/inspected-change.ts";
import {isCodePath, isProductCode, isTestPath, testedName} from "./source/kinds.ts";

/** A larger file is data, and people do not review a larger change. */
const LIMITS = {fileBytes: 512 * 1024, allBytes: 64 * 1024 * 1024};
/** Lock files are large, and only one check reads them. */
const LOCK_LIMITS = {fileBytes: 8 * 1024 * 1024, allBytes: 64 * 1024 * 1024};
const MAX_FILES = 3000;
const MAX_RELATED = 12;
const MAX_TEST_PATHS = 20_000;
const DIFF = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", "-l2000", "--end-of-options"];

export async function readChange(options: CommitsToRead): Promise<Result<InspectedChange, Failure>> {
  const {git} = options.repository;
  const diff = await git([...DIFF, options.base, options.head]);
  if (!diff.ok) return gitRefused(diff.failure);
  const allEntries = parseRawDiff(diff.value).filter(isFile);
  const entries = allEntries.slice(0, MAX_FILES);
  const baseTree = isTreeNeeded(entries) ? await (options.tree ?? listTree(git, options.base)) : ok([]);
  const tree = baseTree.ok ? treeAfter(baseTree.value, allEntries) : [];
  const related = relatedTests(tree, entries);
  const textsById = new Map<string, string>();
  const idsOf = (all: readonly RawEntry[]) => all.flatMap(({oldId, newId}) => [oldId, newId]);
  const take = (id: string, content: Buffer) => {
    if (!content.subarray(0, 8000).includes(0)) textsById.set(id, cutLongLines(content.toString("utf8")));
  };
  const read = (ids: readonly string[], limits: typeof LIMITS) =>
    readBlobs({repository: options.repository, ids: ids.filter((id) => !/^0+$/.test(id)), limits, take});
  await read([...idsOf(entries.filter(({path}) => !isLockFile(path))), ...related], LIMITS);
  await read(idsOf(entries.filter(({path}) => isLockFile(path))), LOCK_LIMITS);
  const textOf = (id: string) => textsById.get(id) ?? null;
  const files = entries.map((entry) => toFile(entry, textOf));
  const isUnread = ({oldMode, newMode, oldId, newId}: RawEntry) =>
    (oldMode.startsWith("100") && textOf(oldId) === null) || (newMode.startsWith("100") && textOf(newId) === null);
  const unread = [...entries.filter(isUnread), ...allEntries.slice(MAX_FILES)].map(({path}) => path);
  return ok({
    files,
    relatedTests: related.flatMap((id) => textOf(id) ?? []),
    plan: options.plan,
    unread,
    roots: rootNames(tree),
    testPaths: tree.flatMap(({path}) => (isTestPath(path) ? [path] : [])).slice(0, MAX_TEST_PATHS),
  });
}

interface CommitsToRead {
  readonly repository: {readonly git: Git};
  readonly base: string;
  readonly head: string;
  readonly plan: Plan | null;
  /** the files of the base, if the caller lists them */
  readonly tree?: Promise<Result<readonly TreeRow[], Failure>>;
}

/** Regular files on at least one side; links and submodules have no text. */
const isFile = ({oldMode, newMode}: RawEntry): boolean => oldMode.startsWith("100") || newMode.startsWith("100");

const STATUS: Readonly<Record<string, InspectedFile["status"]>> = {A: "added", C: "added", D: "deleted", R: "renamed"};

function toFile(entry: RawEntry, textOf: (id: string) => string | null): InspectedFile {
  const {path, from = path, letter, oldId, newId, newMode} = entry;
  const isCopy = letter === "C";
  return {
    path,
    basePath: isCopy ? path : from,
    status: STATUS[letter] ?? "modified",
    before: isCopy ? null : textOf(oldId),
    after: textOf(newId),
    isExecutable: newMode === "100755",
  };
}

export interface TreeRow {
  readonly path: string;
  readonly id: string;
}

/** All files of a commit. */
export async function listTree(git: Git, commit: string): Promise<Result<TreeRow[], Failure>> {
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (!listed.ok) return gitRefused(listed.failure);
  const rows = listed.value.split("\0").map((row) => {
    const tab = row.indexOf("\t");
    return {path: row.slice(tab + 1), id: row.slice(row.lastIndexOf(" ", tab) + 1, tab)};
  });
  return ok(rows);
}

/** The files are needed only if the change contains code without its tests, or tests without their code. */
const isTreeNeeded = (entries: readonly RawEntry[]): boolean =>
  entries.some(({path}) => isCodePath(path) || isConfiguration(path));

/** The files of the candidate, from those of the base. */
function treeAfter(tree: readonly TreeRow[], entries: readonly RawEntry[]): TreeRow[] {
  const replaced = new Set(entries.flatMap(({path, from = path, letter}) => (letter === "C" ? [path] : [path, from])));
  const added = entries.filter(({newMode}) => newMode !== "000000").map(({path, newId}) => ({path, id: newId}));
  return [...tree.filter(({path}) => !replaced.has(path)), ...added];
}

/** Unchanged tests that are named after a changed source, to detect values of tests in that source. */
function relatedTests(tree: readonly TreeRow[], entries: readonly RawEntry[]): string[] {
  const stems = new Set(entries.filter(({path}) => isProductCode(path)).map(({path}) => testedName(path)));
  if (stems.size === 0) return [];
  const changed = new Set(entries.map(({path}) => path));
  const related = tree.filter(({path}) => isTestPath(path) && !changed.has(path) && stems.has(testedName(path)));
  return related.slice(0, MAX_RELATED).map(({id}) => id);
}

/** The names of the folders and modules at the root, and in `src` and `lib`. */
function rootNames(tree: readonly TreeRow[]): Set<string> {
  return new Set(tree.map(({path}) => path.replace(/^(?:src|lib)\//, "").split(/[/.]/, 1)[0] ?? ""));
}
