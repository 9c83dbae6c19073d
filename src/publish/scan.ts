/** Searches what a candidate adds for secrets, before any of it leaves the machine, be it published or parked (P11). */

import type {RawEntry} from "../changes/raw-diff.ts";
import type {Repository} from "../changes/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {VAGUE_KINDS} from "../report/key-patterns.ts";
import type {Secret} from "../report/redact.ts";
import {ok, type Result} from "../words.ts";

/** A file above this, or more files than this, nobody wrote by hand; what cannot be searched is not let out. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 5_000;
const AT_ONCE = 8;

export type SecretPlace = Extract<Failure, {kind: "secret-in-change"}>["places"][number];

/** Exact paths, for whoever takes them out, with what was found there. */
export interface Scan {
  /** these must not leave the machine */
  readonly secrets: readonly SecretPlace[];
  /** these look like secrets and often are examples: a person has to judge */
  readonly doubtful: readonly SecretPlace[];
}

/**
 * Searches names and contents that the candidate adds. What a changed file already had on the base is no news: it is
 * passed over, also where it moved to another file. `find` is `createSecretFinder` of `report/redact.ts`.
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
  const added = diff.value.filter(({letter, newMode}) => letter !== "D" && newMode !== "160000");
  const found = await inTurns(added, async (entry, index) =>
    index < MAX_FILES ? search({repository, entry, find}) : [unsearched(entry)],
  );
  const places = found.flat();
  if (places.length === 0) return ok({secrets: [], doubtful: []});

  const before = new Set<string>();
  const removed = diff.value.filter(({letter, oldMode}) => letter !== "A" && oldMode !== "160000").slice(0, MAX_FILES);
  await inTurns(removed, async ({oldId}) => {
    const text = await contentOf(repository, oldId);
    for (const {start, end} of text === null ? [] : find(text)) before.add((text ?? "").slice(start, end));
  });
  const fresh = places.filter(({value}) => value === null || !before.has(value));
  const isDoubtful = ({path, what, isSure}: Found) => !isSure && (VAGUE_KINDS.has(what) || isExample(path));
  return ok({
    secrets: distinct(fresh.filter((one) => !isDoubtful(one))),
    doubtful: distinct(fresh.filter(isDoubtful)),
  });
}

function distinct(found: readonly Found[]): SecretPlace[] {
  const byPlace = new Map(found.map(({path, line, what}) => [`${line} ${what} ${path}`, {path, line, what}]));
  return [...byPlace.values()];
}

interface Found extends SecretPlace {
  /** no word of the owner makes it an example */
  readonly isSure: boolean;
  /** null: it has none, and cannot have been there before */
  readonly value: string | null;
}

const unsearched = ({path}: RawEntry): Found => ({
  path,
  line: null,
  what: "more than can be searched",
  value: null,
  isSure: true,
});

async function search(o: {
  repository: Repository;
  entry: RawEntry;
  find: (text: string) => Secret[];
}): Promise<Found[]> {
  const {entry, find} = o;
  const {path} = entry;
  const inName = find(path).map(
    ({what, isKnown}): Found => ({path, line: null, what: `${what}, in the name`, value: null, isSure: isKnown}),
  );
  const text = await contentOf(o.repository, entry.newId);
  if (text === null) return [...inName, unsearched(entry)];
  let line = 1;
  let counted = 0;
  const inText = find(text).map(({start, end, what, isKnown}): Found => {
    line += text.slice(counted, start).split("\n").length - 1;
    counted = start;
    return {path, line, what, value: text.slice(start, end), isSure: isKnown};
  });
  // two bytes for each character, as some Windows programs write
  const narrow = text.includes("\0") ? text.replaceAll("\0", "") : "";
  const inWide = find(narrow).map(({start, end, what, isKnown}): Found => {
    return {path, line: null, what, value: narrow.slice(start, end), isSure: isKnown};
  });
  return [...inName, ...inText, ...inWide];
}

/** Bytes read as UTF-8: secrets are ASCII, or were read from the environment the same way. Null when it is too large. */
async function contentOf({git}: Repository, id: string): Promise<string | null> {
  const size = await git(["cat-file", "-s", id]);
  if (!size.ok || Number(size.value) > MAX_BYTES) return null;
  const content = await git(["cat-file", "blob", id]);
  return content.ok ? content.value : null;
}

async function inTurns<T, U>(items: readonly T[], act: (item: T, index: number) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const some = items.slice(from, from + AT_ONCE);
    done.push(...(await Promise.all(some.map((item, offset) => act(item, from + offset)))));
  }
  return done;
}
