/** Everything that keeps a candidate from being published whatever its verdict; told from the candidate and the base's rules alone. */

import type {Config} from "../detect/config/config.ts";
import {gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import type {Secret} from "../secrets/redact.ts";
import {judgePaths, matcherOf} from "./protected-paths.ts";
import {type Scan, type SecretPlace, scan} from "./scan.ts";

const MEGABYTE = 1_000_000;
/** A list that a person still reads. */
const MOST_NAMED = 200;

export interface GuardResult {
  /** empty: it may go out */
  readonly failures: readonly Failure[];
  /** published all the same, and to be named: what looks like a secret and often is an example */
  readonly doubtful: readonly SecretPlace[];
}

/**
 * Judges what is about to be published. Needs no run: the candidate is in `repository`, `changes` is what
 * `repository.changes(base, candidate)` gives, `rules` come from the base's `verify.json`, and `find` is
 * `createSecretFinder`. Fails only where git does; unknown is then not "may go out".
 */
export async function guard(o: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
  rules: Pick<Config, "protectedPaths" | "limits" | "exampleSecrets">;
  find: (text: string) => Secret[];
}): Promise<Result<GuardResult, Failure>> {
  const {repository, candidate, changes, rules} = o;
  const {blocked} = judgePaths(changes, rules.protectedPaths);
  const bytes = await addedBytes(repository, candidate);
  if (!bytes.ok) return bytes;
  const failures: Failure[] = [];
  if (blocked.length > 0) failures.push({kind: "protected-paths", paths: blocked.slice(0, MOST_NAMED)});
  const large = sizeProblem({files: changes.length, bytes: bytes.value}, rules.limits);
  // What is not published is searched when it is parked.
  if (large !== null) return ok({failures: [...failures, {kind: "change-too-large", message: large}], doubtful: []});
  const found = await scan({...o, isExample: matcherOf(rules.exampleSecrets)});
  if (!found.ok) return found;
  failures.push(...scanFailures(found.value));
  return ok({failures, doubtful: found.value.doubtful.slice(0, MOST_NAMED)});
}

/** What a search has found, as failures: a finding, and what could not be searched, are two things. */
export function scanFailures({secrets, unsearched}: Scan): Failure[] {
  const failures: Failure[] = [];
  if (secrets.length > 0) failures.push({kind: "secret-in-change", places: secrets.slice(0, MOST_NAMED)});
  if (unsearched.length > 0) {
    failures.push({kind: "could-not-search", paths: unsearched.slice(0, MOST_NAMED), count: unsearched.length});
  }
  return failures;
}

/** What is wrong with a change's size, or null. */
export function sizeProblem(size: {files: number; bytes: number}, limits: Config["limits"]): string | null {
  const megabytes = size.bytes / MEGABYTE;
  if (size.files > limits.files) return `it changes ${size.files} files; ${limits.files} are allowed`;
  if (megabytes <= limits.megabytes) return null;
  return `its files have ${megabytes.toFixed(1)} MB; ${limits.megabytes} MB are allowed`;
}

/** Bytes that the candidate brings: of what its changed files have now, but for what only moved. */
async function addedBytes(repository: Repository, {base, tree}: Candidate): Promise<Result<number, Failure>> {
  const entries = await repository.rawChanges(base, tree);
  if (!entries.ok) return entries;
  const known = new Set(entries.value.map(({oldId}) => oldId));
  const ids = entries.value
    .filter(({letter, newMode, newId}) => letter !== "D" && newMode !== "160000" && !known.has(newId))
    .map(({newId}) => `${newId}\n`);
  if (ids.length === 0) return ok(0);
  const sizes = await repository.git(["cat-file", "--batch-check=%(objectsize)"], {input: ids.join("")});
  if (!sizes.ok) return gitRefused(sizes.failure);
  // an object that is not there gives no number, and no number is no size that is allowed
  return ok(sizes.value.split("\n").reduce((sum, line) => sum + Number(line), 0));
}
