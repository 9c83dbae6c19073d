/** Expands a job's matrix into the combinations that run on Linux. */
import {namesTest} from "../../tools/names.ts";
import {mapOf} from "../files/manifest-values.ts";

export type Combination = Readonly<Record<string, unknown>>;

/** GitHub starts at most this many jobs for one matrix. */
export const MAX_COMBINATIONS = 256;

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
      .flatMap((combination) => values.map((value: unknown) => ({...combination, [key]: value})))
      .slice(0, MAX_COMBINATIONS * 16);
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

/** A version of a language, such as `3.14t` without the lock (pallets/click), of a package or of a Linux machine. */
const VERSION = /^(?:[\w.@/-]*[@:=-])?(?:[\^~v]|[<>]=?|==)?\d+(?:\.(?:\d+|x|\*))*t?(?:\.|-[\w.-]+)?$/i;
const NAMED_VERSION = namesTest(
  "lts/* lts latest current stable oldstable oldest lowest highest locked beta nightly node tip head dev msrv",
  "ubuntu-*",
);
/** An interpreter, as tox names its environments: https://tox.wiki/en/stable/user_guide.html#test-environments */
const INTERPRETER = /^(?:py|pypy)[23](?:\.?\d+)?$/;

/** What the text of a job does with its matrix. */
export interface MatrixUse {
  /** the keys that it reads */
  readonly keys: (combination: Combination) => readonly string[];
  /** those that select its machine, or a version of what it installs */
  readonly ofTools: ReadonlySet<string>;
}

/** The keys of the matrix that a text reads. */
export const keysOfMatrix = (text: string): string[] =>
  Array.from(text.matchAll(/\bmatrix(?:\.|\[')([\w-]+)/g), ([, key = ""]) => key);

/** The keys in the texts of a job, and in those that select what it runs with. */
export function matrixUse(job: string, tools: string): MatrixUse {
  const [read, ofTools] = [new Set(keysOfMatrix(job)), new Set(keysOfMatrix(tools))];
  const isWhole = /\bmatrix\b(?!\.|\[')/.test(job);
  return {keys: (combination) => Object.keys(combination).filter((key) => isWhole || read.has(key)), ofTools};
}

/** A value that looks like a version may be the number of a shard: only a key that selects a tool holds versions. */
export const isVersion = (key: string, value: unknown, {ofTools}: Pick<MatrixUse, "ofTools">): boolean =>
  INTERPRETER.test(String(value)) || (ofTools.has(key) && namesVersion(String(value).trim()));

const namesVersion = (value: string): boolean => VERSION.test(value) || NAMED_VERSION(value.toLowerCase());

/** What distinguishes a combination from those that only differ in versions, or in keys that the job's text does not read. */
export const withoutVersions = (combination: Combination, use: MatrixUse): string =>
  JSON.stringify(
    use
      .keys(combination)
      .filter((key) => !MARKS_UNRELEASED.test(key) && !isVersion(key, combination[key], use))
      .map((key) => [key, combination[key]]),
  );

/**
 * Orders combinations of a job by the versions that its text reads, the oldest first; a name such as `stable` is newer than
 * numbers, and `nightly` older.
 */
export function compareVersions(a: Combination, b: Combination, use: MatrixUse): number {
  for (const key of use.keys(a)) {
    if (!isVersion(key, a[key], use) || !isVersion(key, b[key], use)) continue;
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
  // Few machines have the build without the lock (python-humanize/humanize).
  if (/\dt$/.test(text)) return [];
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** True for a label, or a list of labels, of a runner that is not a Linux machine. */
export function isElsewhere(runsOn: unknown): boolean {
  const text = JSON.stringify(runsOn ?? "").toLowerCase();
  return /windows|macos|mac-os|osx|vs20\d\d|xcode/.test(text) && !/ubuntu|linux/.test(text);
}

function records(value: unknown): Combination[] {
  return Array.isArray(value)
    ? value.slice(0, MAX_COMBINATIONS * 4).map((item: unknown) => Object.fromEntries(mapOf(item)))
    : [];
}

function agrees(combination: Combination, part: Combination): boolean {
  return Object.entries(part).every(([key, value]) => JSON.stringify(combination[key]) === JSON.stringify(value));
}
