/** Finds what prevents publishing whatever the verdict: protected paths, the size of the change, and secrets. */

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
/** People do not read a longer list. */
const MAX_NAMED = 200;

export interface GuardResult {
  /** empty: the candidate may be published */
  readonly failures: readonly Failure[];
  /** published and shown in the report: text that looks like a secret, but often is an example */
  readonly doubtful: readonly SecretPlace[];
}

/**
 * Works without a run: the candidate is in `repository`, `changes` is the result of `repository.changes(base,
 * candidate)`, `rules` come from the base's `verify.json`, and `find` from `createSecretFinder`. Fails only if git
 * fails; the candidate is then not published.
 */
export async function guard(options: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
  rules: Pick<Config, "protectedPaths" | "limits" | "exampleSecrets">;
  find: (text: string) => Secret[];
}): Promise<Result<GuardResult, Failure>> {
  const {repository, candidate, changes, rules} = options;
  const {blocked} = judgePaths(changes, rules.protectedPaths);
  const bytes = await addedBytes(repository, candidate);
  if (!bytes.ok) return bytes;
  const failures: Failure[] = [];
  if (blocked.length > 0) failures.push({kind: "protected-paths", paths: blocked.slice(0, MAX_NAMED)});
  const message = sizeProblem({files: changes.length, bytes: bytes.value}, rules.limits);
  // If the change is not published, secrets are searched when it is parked.
  if (message !== null) return ok({failures: [...failures, {kind: "change-too-large", message}], doubtful: []});
  const scanResult = await scan({...options, isExample: matcherOf(rules.exampleSecrets)});
  if (!scanResult.ok) return scanResult;
  failures.push(...scanFailures(scanResult.value));
  return ok({failures, doubtful: scanResult.value.doubtful.slice(0, MAX_NAMED)});
}

/** The failures of a search: secrets, and files that could not be searched. */
export function scanFailures({secrets, unsearched}: Scan): Failure[] {
  const failures: Failure[] = [];
  if (secrets.length > 0) failures.push({kind: "secret-in-change", places: secrets.slice(0, MAX_NAMED)});
  if (unsearched.length > 0) {
    failures.push({kind: "could-not-search", paths: unsearched.slice(0, MAX_NAMED), count: unsearched.length});
  }
  return failures;
}

/** Describes the limit that the change exceeds; null if it exceeds none. */
export function sizeProblem(size: {files: number; bytes: number}, limits: Config["limits"]): string | null {
  const megabytes = size.bytes / MEGABYTE;
  if (size.files > limits.files) return `it changes ${size.files} files; ${limits.files} are allowed`;
  if (megabytes <= limits.megabytes) return null;
  return `its files have ${megabytes.toFixed(1)} MB; ${limits.megabytes} MB are allowed`;
}

/** The size of the changed files, except contents that only moved. */
async function addedBytes(repository: Repository, {base, tree}: Candidate): Promise<Result<number, Failure>> {
  const entries = await repository.rawChanges(base, tree);
  if (!entries.ok) return entries;
  const oldIds = new Set(entries.value.map(({oldId}) => oldId));
  const ids = entries.value
    .filter(({letter, newMode, newId}) => letter !== "D" && newMode !== "160000" && !oldIds.has(newId))
    .map(({newId}) => `${newId}\n`);
  if (ids.length === 0) return ok(0);
  const sizes = await repository.git(["cat-file", "--batch-check=%(objectsize)"], {input: ids.join("")});
  if (!sizes.ok) return gitRefused(sizes.failure);
  // a missing object makes the sum NaN, and NaN is within no limit
  return ok(sizes.value.split("\n").reduce((sum, line) => sum + Number(line), 0));
}
