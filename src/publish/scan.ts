/** Searches the additions of a candidate for secrets, before it is published or parked (P11). */

import type {RawEntry} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {VAGUE_KINDS} from "../secrets/key-patterns.ts";
import type {Secret} from "../secrets/redact.ts";

/** People do not write larger files, or more in total, by hand. Anything beyond is neither searched nor pushed. */
const FILE_BYTES = 16 * 1024 * 1024;
export const MAX_WORK_BYTES = 256 * 1024 * 1024;
/** A search takes about 15 ms for each megabyte; on a slow machine, this leaves time to park the searched files. */
const MAX_MS = 60_000;

export type SecretPlace = Extract<Failure, {kind: "secret-in-change"}>["places"][number];

/** The paths with secrets, and the kind of each secret. */
export interface Scan {
  /** these must not leave the machine */
  readonly secrets: readonly SecretPlace[];
  /** these look like secrets, but often are examples: a person decides */
  readonly doubtful: readonly SecretPlace[];
  /**
   * these could not be searched: they must not leave the machine, and the report must not claim that they hold a secret
   */
  readonly unsearched: readonly string[];
}

/**
 * Searches the names and contents that the candidate adds. Secrets that the changed files already had on the base are
 * skipped, even if they moved to another file. Equal contents are read once. Existing files are searched first, so that
 * many new files cannot use up the time for them. `find` comes from `createSecretFinder`.
 */
export async function scan(options: {
  repository: Repository;
  candidate: Candidate;
  find: (text: string) => Secret[];
  /** paths where a text that looks like a key is an example; a known secret of the run never is */
  isExample: (path: string) => boolean;
}): Promise<Result<Scan, Failure>> {
  const {repository, candidate, find, isExample} = options;
  const diff = await repository.rawChanges(candidate.base, candidate.tree);
  if (!diff.ok) return diff;
  const addedEntries = byPriority(diff.value.filter(({letter, newMode}) => letter !== "D" && newMode !== "160000"));
  const texts = await searchBlobs({repository, ids: addedEntries.map(({newId}) => newId), find});
  const matches = addedEntries.flatMap(({path, newId}) => [
    ...find(path).map(({what, isKnown}): SecretInFile => {
      return {path, line: null, what: `${what}, in the name`, value: null, isSure: isKnown};
    }),
    ...(texts.get(newId) ?? []).map((match): SecretInFile => ({path, ...match})),
  ]);
  const unsearched = addedEntries.filter(({newId}) => !texts.has(newId)).map(({path}) => path);
  if (matches.length === 0) return ok({secrets: [], doubtful: [], unsearched});

  const removedEntries = diff.value.filter(({letter, oldMode}) => letter !== "A" && oldMode !== "160000");
  const earlier = await searchBlobs({repository, ids: removedEntries.map(({oldId}) => oldId), find});
  const baseValues = new Set([...earlier.values()].flat().map(({value}) => value));
  const addedSecrets = matches.filter(({value}) => value === null || !baseValues.has(value));
  const isDoubtful = ({path, what, isSure}: SecretInFile) => !isSure && (VAGUE_KINDS.has(what) || isExample(path));
  return ok({
    secrets: distinct(addedSecrets.filter((match) => !isDoubtful(match))),
    doubtful: distinct(addedSecrets.filter(isDoubtful)),
    unsearched,
  });
}

function distinct(matches: readonly SecretInFile[]): SecretPlace[] {
  const byPlace = new Map(matches.map(({path, line, what}) => [`${line} ${what} ${path}`, {path, line, what}]));
  return [...byPlace.values()];
}

/** One secret in a text. Equal texts contain equal secrets. */
interface SecretInText {
  readonly line: number | null;
  readonly what: string;
  /** null if it is in a name, which the base cannot have */
  readonly value: string | null;
  /** never an example, whatever the configuration says */
  readonly isSure: boolean;
}

interface SecretInFile extends SecretInText {
  readonly path: string;
}

/** Files of the base come first, then those nearest to the root, in the folders with the fewest changes. */
function byPriority(entries: readonly RawEntry[]): RawEntry[] {
  const folderOf = ({path}: RawEntry) => path.slice(0, path.lastIndexOf("/") + 1);
  const changesByFolder = new Map<string, number>();
  for (const entry of entries) changesByFolder.set(folderOf(entry), (changesByFolder.get(folderOf(entry)) ?? 0) + 1);
  const entriesByKey = entries.map((entry) => {
    const isNew = entry.letter === "A" ? 1 : 0;
    return {entry, isNew, depth: entry.path.split("/").length, crowd: changesByFolder.get(folderOf(entry)) ?? 0};
  });
  entriesByKey.sort((a, b) => a.isNew - b.isNew || a.depth - b.depth || a.crowd - b.crowd);
  return entriesByKey.map(({entry}) => entry);
}

/** The secrets by blob id. A blob that could not be read in time is missing from the result. */
async function searchBlobs(options: {
  repository: Repository;
  ids: readonly string[];
  find: (text: string) => Secret[];
}): Promise<Map<string, SecretInText[]>> {
  const {repository, ids, find} = options;
  const searchResults = new Map<string, SecretInText[]>();
  const until = performance.now() + MAX_MS;
  const limits = {fileBytes: FILE_BYTES, allBytes: MAX_WORK_BYTES};
  await readBlobs({
    repository,
    ids,
    limits,
    take: (id, content) => {
      // secrets are ASCII, or were read from the environment the same way
      if (performance.now() < until) searchResults.set(id, findInText(content.toString("utf8"), find));
    },
  });
  return searchResults;
}

function findInText(text: string, find: (text: string) => Secret[]): SecretInText[] {
  let line = 1;
  let count = 0;
  const matches = find(text).map(({start, end, what, isKnown}): SecretInText => {
    line += text.slice(count, start).split("\n").length - 1;
    count = start;
    return {line, what, value: text.slice(start, end), isSure: isKnown};
  });
  // Some Windows programs write two bytes for each character.
  const narrow = text.includes("\0") ? text.replaceAll("\0", "") : "";
  const wideMatches = find(narrow).map(({start, end, what, isKnown}): SecretInText => {
    return {line: null, what, value: narrow.slice(start, end), isSure: isKnown};
  });
  return [...matches, ...wideMatches];
}
