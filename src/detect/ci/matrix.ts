/** Expands a job's matrix into the combinations that run on Linux. */
import {mapOf} from "../files/manifest-values.ts";

export type Combination = Readonly<Record<string, unknown>>;

/** GitHub starts at most this many jobs for one matrix. */
const MAX_COMBINATIONS = 256;
const MAX_VALUES = 20;

/**
 * The combinations of a `strategy.matrix`, with `exclude` and `include` as GitHub documents them; a single empty one if
 * there is none.
 */
export function combinationsOf(matrix: unknown): readonly Combination[] {
  const axes = [...mapOf(matrix)].filter(([key]) => key !== "include" && key !== "exclude");
  let combinations: Combination[] = [{}];
  for (const [key, values] of axes) {
    if (!Array.isArray(values)) continue;
    combinations = combinations
      .flatMap((combination) => values.slice(0, MAX_VALUES).map((value: unknown) => ({...combination, [key]: value})))
      .slice(0, MAX_COMBINATIONS * 4);
  }
  const {include, exclude} = Object.fromEntries(mapOf(matrix));
  combinations = combinations.filter((combination) => !records(exclude).some((out) => agrees(combination, out)));
  const axisNames = new Set(axes.map(([key]) => key));
  const additions: Combination[] = [];
  for (const extra of records(include)) {
    const sharedValues = Object.fromEntries(Object.entries(extra).filter(([key]) => axisNames.has(key)));
    const isExtension = (combination: Combination): boolean => axisNames.size > 0 && agrees(combination, sharedValues);
    if (combinations.some(isExtension))
      combinations = combinations.map((combination) =>
        isExtension(combination) ? {...combination, ...extra} : combination,
      );
    else additions.push(extra);
  }
  const allCombinations = axisNames.size === 0 && additions.length > 0 ? additions : [...combinations, ...additions];
  return allCombinations.slice(0, MAX_COMBINATIONS);
}

const MARKS_UNRELEASED = /^(allow[-_]?prereleases?|prerelease|experimental|nightly|allow[-_]?failure)$/i;

/** True for a combination whose keys say that its version is not released yet. */
export const isUnreleased = (combination: Combination): boolean =>
  Object.entries(combination).some(([key, value]) => value === true && MARKS_UNRELEASED.test(key));

/** A version of a language, of a package or of a Linux machine; tox selects an interpreter by names such as `pypy311`. */
const VERSION =
  /^(?:[\w.@/-]*[@:=-]|py|pypy)?(?:[\^~v]|[<>=]=?|==)?\d+(?:\.(?:\d+|x|\*))*(?:\.|-[\w.-]+)?$|^(?:lts\/\*|lts|latest|current|stable|oldstable|oldest|lowest|highest|locked|beta|nightly|node|tip|head|dev|msrv|ubuntu-.*)$/i;

const isVersion = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && VERSION.test(value.trim()));

/** The keys that a job's text reads. */
const readKeys = (combination: Combination, job: string): string[] =>
  Object.keys(combination).filter((key) => /\bmatrix\b(?!\.)/.test(job) || job.includes(`matrix.${key}`));

/** What distinguishes a combination from those that only differ in versions, or in keys that the job's text does not read. */
export const withoutVersions = (combination: Combination, job: string): string =>
  JSON.stringify(
    readKeys(combination, job)
      .filter((key) => !MARKS_UNRELEASED.test(key) && !isVersion(combination[key]))
      .map((key) => [key, combination[key]]),
  );

/**
 * Orders combinations of a job by the versions that its text reads, the oldest first; a name such as `stable` is newer than
 * numbers, and `nightly` older.
 */
export function compareVersions(a: Combination, b: Combination, job: string): number {
  for (const key of readKeys(a, job)) {
    if (!isVersion(a[key]) || !isVersion(b[key])) continue;
    const [one, other] = [numbersOf(a[key]), numbersOf(b[key])];
    for (let i = 0; i < Math.max(one.length, other.length); i++) {
      const difference = (one[i] ?? 0) - (other[i] ?? 0);
      if (difference !== 0) return difference;
    }
  }
  return 0;
}

function numbersOf(value: unknown): number[] {
  const text = String(value).toLowerCase();
  if (/^(stable|latest|current|node|highest|ubuntu-latest)$|^lts/.test(text)) return [1e9];
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** True for a label, or a list of labels, of a runner that is not a Linux machine. */
export function isElsewhere(runsOn: unknown): boolean {
  const text = JSON.stringify(runsOn ?? "").toLowerCase();
  return /windows|macos|mac-os|osx|vs20\d\d|xcode/.test(text) && !/ubuntu|linux/.test(text);
}

function records(value: unknown): Combination[] {
  return Array.isArray(value) ? value.slice(0, 100).map((item: unknown) => Object.fromEntries(mapOf(item))) : [];
}

function agrees(combination: Combination, part: Combination): boolean {
  return Object.entries(part).every(([key, value]) => JSON.stringify(combination[key]) === JSON.stringify(value));
}
