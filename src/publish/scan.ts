/** Searches what a candidate adds for secrets, before any of it leaves the machine, be it published or parked (P11). */

import type {RawEntry} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {VAGUE_KINDS} from "../secrets/key-patterns.ts";
import type {Secret} from "../secrets/redact.ts";

/** Nobody writes a larger file, or more than this in all, by hand; what is beyond is not searched, and not let out. */
const FILE_BYTES = 16 * 1024 * 1024;
const ALL_BYTES = 256 * 1024 * 1024;
/** A search takes about 15 ms for a megabyte; a slow machine must leave time for parking what was searched. */
const MOST_MS = 60_000;

export type SecretPlace = Extract<Failure, {kind: "secret-in-change"}>["places"][number];

/** Exact paths, for whoever takes them out, with what was found there. */
export interface Scan {
  /** these must not leave the machine */
  readonly secrets: readonly SecretPlace[];
  /** these look like secrets and often are examples: a person has to judge */
  readonly doubtful: readonly SecretPlace[];
  /** nothing is known about these: they must not leave the machine, and nobody may say that they hold a secret */
  readonly unsearched: readonly string[];
}

/**
 * Searches names and contents that the candidate adds. What a changed file already had on the base is no news: it is
 * passed over, also where it moved to another file. Equal contents are read once, and files that the base has already come
 * first, so that a flood of new ones does not take the search away from them. `find` is `createSecretFinder`.
 */
export async function scan(o: {
  repository: Repository;
  candidate: Candidate;
  find: (text: string) => Secret[];
  /** paths where what looks like a key is an example; a value that the run holds is none anywhere */
  isExample: (path: string) => boolean;
}): Promise<Result<Scan, Failure>> {
  const {repository, candidate, find, isExample} = o;
  const diff = await repository.rawChanges(candidate.base, candidate.tree);
  if (!diff.ok) return diff;
  const added = byPriority(diff.value.filter(({letter, newMode}) => letter !== "D" && newMode !== "160000"));
  const texts = await searchBlobs({repository, ids: added.map(({newId}) => newId), find});
  const found = added.flatMap(({path, newId}) => [
    ...find(path).map(({what, isKnown}): Found => {
      return {path, line: null, what: `${what}, in the name`, value: null, isSure: isKnown};
    }),
    ...(texts.get(newId) ?? []).map((one): Found => ({path, ...one})),
  ]);
  const unsearched = added.filter(({newId}) => !texts.has(newId)).map(({path}) => path);
  if (found.length === 0) return ok({secrets: [], doubtful: [], unsearched});

  const removed = diff.value.filter(({letter, oldMode}) => letter !== "A" && oldMode !== "160000");
  const earlier = await searchBlobs({repository, ids: removed.map(({oldId}) => oldId), find});
  const before = new Set([...earlier.values()].flat().map(({value}) => value));
  const fresh = found.filter(({value}) => value === null || !before.has(value));
  const isDoubtful = ({path, what, isSure}: Found) => !isSure && (VAGUE_KINDS.has(what) || isExample(path));
  return ok({
    secrets: distinct(fresh.filter((one) => !isDoubtful(one))),
    doubtful: distinct(fresh.filter(isDoubtful)),
    unsearched,
  });
}

function distinct(found: readonly Found[]): SecretPlace[] {
  const byPlace = new Map(found.map(({path, line, what}) => [`${line} ${what} ${path}`, {path, line, what}]));
  return [...byPlace.values()];
}

/** One secret in a text; equal texts have equal ones. */
interface InText {
  readonly line: number | null;
  readonly what: string;
  /** null: it is in a name, and cannot have been there before */
  readonly value: string | null;
  /** no word of the owner makes it an example */
  readonly isSure: boolean;
}

interface Found extends InText {
  readonly path: string;
}

/** Files that the base has first, then the ones nearest to the root, in the least crowded folders. */
function byPriority(entries: readonly RawEntry[]): RawEntry[] {
  const folderOf = ({path}: RawEntry) => path.slice(0, path.lastIndexOf("/") + 1);
  const crowd = new Map<string, number>();
  for (const entry of entries) crowd.set(folderOf(entry), (crowd.get(folderOf(entry)) ?? 0) + 1);
  const keyed = entries.map((entry) => {
    const isNew = entry.letter === "A" ? 1 : 0;
    return {entry, isNew, depth: entry.path.split("/").length, crowd: crowd.get(folderOf(entry)) ?? 0};
  });
  keyed.sort((one, other) => one.isNew - other.isNew || one.depth - other.depth || one.crowd - other.crowd);
  return keyed.map(({entry}) => entry);
}

/** What is in each of these contents. One that could not be read or was not reached is not in the answer. */
async function searchBlobs(o: {
  repository: Repository;
  ids: readonly string[];
  find: (text: string) => Secret[];
}): Promise<Map<string, InText[]>> {
  const {repository, ids, find} = o;
  const searched = new Map<string, InText[]>();
  const until = performance.now() + MOST_MS;
  const limits = {fileBytes: FILE_BYTES, allBytes: ALL_BYTES};
  await readBlobs({
    repository,
    ids,
    limits,
    take: (id, content) => {
      // secrets are ASCII, or were read from the environment the same way
      if (performance.now() < until) searched.set(id, inText(content.toString("utf8"), find));
    },
  });
  return searched;
}

function inText(text: string, find: (text: string) => Secret[]): InText[] {
  let line = 1;
  let counted = 0;
  const plain = find(text).map(({start, end, what, isKnown}): InText => {
    line += text.slice(counted, start).split("\n").length - 1;
    counted = start;
    return {line, what, value: text.slice(start, end), isSure: isKnown};
  });
  // two bytes for each character, as some Windows programs write
  const narrow = text.includes("\0") ? text.replaceAll("\0", "") : "";
  const wide = find(narrow).map(({start, end, what, isKnown}): InText => {
    return {line: null, what, value: narrow.slice(start, end), isSure: isKnown};
  });
  return [...plain, ...wide];
}
