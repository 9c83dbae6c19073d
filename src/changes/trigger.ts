/** Decides whether a change needs verification. A skip always has a reason; in doubt, the change is verified. */
import {Minimatch} from "minimatch";
import {type Change, changedPaths} from "../record/verification.ts";
import {listSome, type NothingReason} from "../record/words.ts";
import {BUILD_PATTERNS, DATA_PATTERNS, DEFAULT_SKIP_PATTERNS, TEST_PATTERNS} from "./path-lists.ts";

export type VerificationDecision =
  | {readonly kind: "verify"; readonly because: string}
  | {readonly kind: "skip"; readonly why: NothingReason; readonly detail: string};

export interface SkipRules {
  /** globs; a pattern without a slash matches a file's name in any folder, one with a slash is anchored at the root */
  readonly skipPatterns: readonly string[];
  /** file name endings, with or without the dot; case does not count */
  readonly codeExtensions: readonly string[];
}

/** Changed paths that the base's code reads, each with the file that names it. */
export type DocumentReaders = ReadonlyMap<string, string>;

/**
 * Checks every path, including the old path of a rename. Files that affect the build are always verified. Paths that
 * match `skipPatterns` are skipped, but the built-in patterns do not apply to code, to folders of tests and data, and
 * to files in `readers`. All other files are verified, also those of unknown kind, because code may read them.
 */
export function decideFromPaths(
  changes: readonly Change[],
  rules: SkipRules,
  readers: DocumentReaders,
): VerificationDecision {
  if (changes.length === 0) return {kind: "skip", why: "no-change", detail: "no file differs from the base"};
  const isCode = matchExtensions(rules.codeExtensions);
  const skipOf = findSkips(rules, readers);
  const skippedPaths: string[] = [];
  let unknown: string | undefined;
  for (const path of changedPaths(changes)) {
    const quotedPath = JSON.stringify(path).slice(1, -1);
    if (BUILD_GLOBS.some((glob) => glob.match(path)))
      return verifyFor(`${quotedPath} decides how the project is built or checked`);
    const isForTests = TEST_GLOBS.some((glob) => glob.match(path));
    const reader = readers.get(path);
    const skip = skipOf(path);
    if (skip !== undefined)
      skippedPaths.push(`${quotedPath} (${BUILT_IN.has(skip.pattern) ? "documentation" : skip.pattern})`);
    else if (isCode(path)) return verifyFor(`${quotedPath} is code`);
    else if (isForTests) return verifyFor(`${quotedPath} is read by tests`);
    else if (reader !== undefined) return verifyFor(`${quotedPath} is named in ${JSON.stringify(reader).slice(1, -1)}`);
    else unknown ??= quotedPath;
  }
  if (unknown !== undefined) return verifyFor(`${unknown} is of an unknown kind and matches no skip pattern`);
  return {
    kind: "skip",
    why: "only-skipped-paths",
    detail: `only paths that need no verification: ${listSome(skippedPaths, 5)}`,
  };
}

/** True for paths that need no verification by themselves. */
export function matchSkipped(rules: SkipRules): (path: string) => boolean {
  const skipOf = findSkips(rules, new Map());
  return (path) => !BUILD_GLOBS.some((glob) => glob.match(path)) && skipOf(path) !== undefined;
}

function findSkips(rules: SkipRules, readers: DocumentReaders): (path: string) => Minimatch | undefined {
  const isCode = matchExtensions(rules.codeExtensions);
  const skips = rules.skipPatterns.map(compile);
  return (path) => {
    const isData = isCode(path) || readers.has(path) || [...TEST_GLOBS, ...DATA_GLOBS].some((glob) => glob.match(path));
    return skips.find((glob) => glob.match(path) && !(isData && BUILT_IN.has(glob.pattern)));
  };
}

/** True if a path has one of these endings, written with or without the dot. */
export function matchExtensions(codeExtensions: readonly string[]): (path: string) => boolean {
  const endings = codeExtensions.map((name) => `.${name.replace(/^\./, "").toLowerCase()}`);
  return (path) => endings.some((ending) => path.toLowerCase().endsWith(ending));
}

/**
 * True for paths that a built-in pattern may skip: prose that only people read, unless something of the base names it.
 */
export function isDocument(path: string): boolean {
  return SKIPPED_GLOBS.some((glob) => glob.match(path));
}

const compile = (glob: string) => new Minimatch(glob, {dot: true, matchBase: true, nocomment: true, nonegate: true});
const BUILD_GLOBS = BUILD_PATTERNS.map(compile);
const TEST_GLOBS = TEST_PATTERNS.map(compile);
const DATA_GLOBS = DATA_PATTERNS.map(compile);
const SKIPPED_GLOBS = DEFAULT_SKIP_PATTERNS.map(compile);
const BUILT_IN = new Set(DEFAULT_SKIP_PATTERNS);

const verifyFor = (because: string): VerificationDecision => ({kind: "verify", because});
