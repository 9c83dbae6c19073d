/** Reads a change for the integrity checks: the contents of its files, from git objects only. */

import {parse as parseJson} from "jsonc-parser";
import {valueAt} from "../detect/files/manifest-values.ts";
import {type Git, gitRefused} from "../git/git.ts";
import type {RawEntry} from "../git/raw-diff.ts";
import {parseRawDiff} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {ok, type Result} from "../record/words.ts";
import {isLockFile} from "./dependencies/locked-packages.ts";
import type {InspectedChange, InspectedFile} from "./source/inspected-change.ts";
import {isProductCode, isProgram, isTestPath} from "./source/kinds.ts";
import {cutLongLines} from "./source/mask.ts";

/** A larger file is data; a larger change is not one that a person reads. */
const LIMITS = {fileBytes: 512 * 1024, allBytes: 64 * 1024 * 1024};
/** Lock files are large, and only one check reads them. */
const LOCK_LIMITS = {fileBytes: 8 * 1024 * 1024, allBytes: 64 * 1024 * 1024};
const MAX_FILES = 3000;
const MAX_RELATED = 12;

export async function readChange(o: CommitsToRead): Promise<Result<InspectedChange, Failure>> {
  const {git} = o.repository;
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", "-l2000", "--end-of-options", o.base, o.head];
  const diff = await git(args);
  if (!diff.ok) return gitRefused(diff.failure);
  const allEntries = parseRawDiff(diff.value).filter(isFile);
  const entries = allEntries.slice(0, MAX_FILES);
  const related = await relatedTests({git, head: o.head, entries});
  const texts = new Map<string, string>();
  const idsOf = (all: readonly RawEntry[]) => all.flatMap(({oldId, newId}) => [oldId, newId]);
  const take = (id: string, content: Buffer) => {
    if (!content.subarray(0, 8000).includes(0)) texts.set(id, cutLongLines(content.toString("utf8")));
  };
  const read = (ids: readonly string[], limits: typeof LIMITS) =>
    readBlobs({repository: options.repository, ids: ids.filter((id) => !/^0+$/.test(id)), limits, take});
  await read([...idsOf(entries.filter(({path}) => !isLockFile(path))), ...related], LIMITS);
  await read(idsOf(entries.filter(({path}) => isLockFile(path))), LOCK_LIMITS);
  const textOf = (id: string) => texts.get(id) ?? null;
  const files = entries.map((entry) => toFile(entry, textOf));
  const isUnread = ({oldMode, newMode, oldId, newId}: RawEntry) =>
    (oldMode.startsWith("100") && textOf(oldId) === null) || (newMode.startsWith("100") && textOf(newId) === null);
  const unread = [...entries.filter(isUnread), ...allEntries.slice(MAX_FILES)].map(({path}) => path);
  const [scripts, roots] = [await scriptsOfPlan(o, entries), await rootNames(o, entries)];
  return ok({files, relatedTests: related.flatMap((id) => textOf(id) ?? []), plan: o.plan, unread, scripts, roots});
}

interface CommitsToRead {
  readonly repository: Repository;
  readonly base: string;
  readonly head: string;
  readonly plan: Plan | null;
}

/** Read only if the change touches a file that such a script may run. */
async function scriptsOfPlan({repository, base, plan}: CommitsToRead, entries: readonly RawEntry[]): Promise<string[]> {
  if (plan === null || !entries.some(({path, letter}) => letter !== "A" && isProgram(path))) return [];
  const checks = plan.stages.filter(({kind, origin}) => kind !== "build" && origin.key.startsWith("scripts."));
  const bodies = checks.map(async ({origin}) => {
    const text = await repository.git(["cat-file", "blob", `${base}:${origin.file}`]);
    const body = text.ok ? valueAt(valueAt(parseJson(text.value), "scripts"), origin.key.slice(8)) : null;
    return typeof body === "string" ? [body] : [];
  });
  return (await Promise.all(bodies)).flat();
}

/** Read only if the change touches code that is loaded before the tests. */
async function rootNames({repository, head}: CommitsToRead, entries: readonly RawEntry[]): Promise<Set<string>> {
  if (!entries.some(({path}) => /(?:^|\/)conftest\.py$/.test(path))) return new Set();
  const listed = await repository.git(["ls-tree", "-z", "--name-only", head, ".", "src/", "lib/"]);
  const names = listed.ok ? listed.value.split("\0") : [];
  return new Set(names.map((name) => name.slice(name.lastIndexOf("/") + 1).replace(/\.py$/, "")));
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

/** Unchanged tests that are named after a changed source: only they can tell whether its values come from tests. */
async function relatedTests(o: {git: Git; head: string; entries: readonly RawEntry[]}): Promise<string[]> {
  const stems = new Set(o.entries.filter(({path}) => isProductCode(path)).map(({path}) => stemOf(path)));
  if (stems.size === 0) return [];
  const listed = await o.git(["ls-tree", "-r", "-z", "--full-tree", o.head]);
  if (!listed.ok) return [];
  const changed = new Set(o.entries.map(({path}) => path));
  return listed.value
    .split("\0")
    .flatMap((row) => {
      const path = row.slice(row.indexOf("\t") + 1);
      const isRelated = isTestPath(path) && !changed.has(path) && stems.has(stemOf(path));
      return isRelated ? [row.split(" ")[2]?.slice(0, 40) ?? ""] : [];
    })
    .slice(0, MAX_RELATED);
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.replace(/[._-]?(?:test|tests|spec)$|^test_|(?:Test|Tests|IT)$/i, "").toLowerCase();
}
