/** Finds the test files that are likely to run a changed source file, by file names and contained names. */

import {posix} from "node:path";
import {entriesAt} from "../../git/private-index.ts";
import type {Repository} from "../../git/repository.ts";
import {groupsOf} from "../../integrity/changed-tests/new-tests.ts";
import {isCollectedByName, isTestPath, testedName} from "../../integrity/source/kinds.ts";
import {loadGrammars} from "../../test-code/grammars.ts";
import {readTests} from "../../test-code/read-source.ts";
import {nameSet} from "../../tools/names.ts";
import type {TestName} from "../../tools/tool.ts";

const MAX_FILES = 12;
const MAX_BYTES = 512 * 1024;
/** File names that do not describe the content; the folder's name is used instead. */
const GENERAL = nameSet("index main lib mod __init__ util utils helper helpers core base types common");
const GENERAL_FOLDER = new Set([".", "src", "lib", "source", "sources", "app", "pkg", "internal"]);

export interface LikelyTests {
  /** test files of the change, and those that are named after the file */
  readonly nearest: string[];
  readonly others: string[];
  /** false if other files may contain tests for it, too */
  readonly isComplete: boolean;
}

/** Best first; `changed` are test files of the change. */
export async function testFilesFor(options: {
  repository: Repository;
  commit: string;
  path: string;
  changed: readonly string[];
}): Promise<LikelyTests> {
  const {repository, commit, path, changed} = options;
  const likely = (files: readonly string[]) =>
    [...new Set(files)].filter((file) => isCollected(file) && isSameKind(file, path));
  const inline = await filesWithTests({repository, commit, path});
  const stem = posix.basename(path).replace(/\..*$/, "");
  const folder = posix.basename(posix.dirname(path));
  const word = GENERAL.has(stem) ? folder : stem;
  if (!/^[\w-]{2,80}$/.test(word))
    return {nearest: [...inline, ...likely(changed).slice(0, MAX_FILES)], others: [], isComplete: false};
  const grepResult = await repository.git(["grep", "-l", "-z", "-I", "-i", "-w", "-F", "-e", word, commit]);
  const files = grepResult.ok ? grepResult.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1)) : [];
  const entries = await entriesAt({git: repository.git, commit});
  const paths = entries.ok ? entries.value.map((entry) => entry.path) : [];
  const namesakes = paths.filter((file) => isNamedAfter(file, word));
  const neighbors = files.filter((file) => posix.dirname(file) === posix.dirname(path));
  const nearest = [...inline, ...likely([...changed, ...namesakes]).slice(0, MAX_FILES)];
  const all = likely([...nearest, ...neighbors, ...files]);
  const others = all.slice(0, MAX_FILES).filter((file) => !nearest.includes(file));
  if (nearest.length > 0 && !path.endsWith(".rs") && likely(paths).every((file) => isRunWith(file, nearest)))
    return {nearest, others: [], isComplete: true};
  // Tests that do not name the file may use it through another one. A source of Rust contains tests, too.
  const isNamed = likely([...namesakes, ...files]).length > 0;
  const isComplete = isNamed && all.length <= MAX_FILES && !GENERAL_FOLDER.has(word) && !path.endsWith(".rs");
  return {nearest, others, isComplete};
}

/** A source of Rust that contains tests, or names a module of tests. */
async function filesWithTests(options: {repository: Repository; commit: string; path: string}): Promise<string[]> {
  const {repository, commit, path} = options;
  if (!path.endsWith(".rs")) return [];
  const text = await repository.readText(commit, path, {maxBytes: MAX_BYTES});
  return text.ok && /#\[(?:cfg\(test\)|test)\]/.test(text.value ?? "") ? [path] : [];
}

/** A runner that gets another file of a folder of tests, such as a benchmark, would run it. */
const isCollected = (path: string): boolean =>
  isTestPath(path) && (isCollectedByName(path) || /\.(?:[cm]?[jt]sx?|rs)$/.test(path));

/** Go runs all tests of a folder together. */
const isRunWith = (file: string, files: readonly string[]): boolean =>
  files.includes(file) || (file.endsWith(".go") && files.some((one) => posix.dirname(one) === posix.dirname(file)));

const isNamedAfter = (file: string, word: string): boolean => testedName(file) === word.toLowerCase();

/** Tests of one language are not run by the runner of another. */
const isSameKind = (one: string, other: string): boolean => kindOf(one) === kindOf(other);
const kindOf = (path: string): string => (/\.[cm]?[jt]sx?$/.test(path) ? "script" : posix.extname(path));

/** A class in Python that may have inherited tests, which no line of its file names. */
const INHERITING = /^\s*class\s+\w+\((?!\s*(?:\w+\.)?(?:IsolatedAsyncio)?TestCase\s*\))/m;

/** The tests in these files, with their files relative to `cwd`; none if a file may have others, too. */
export async function testsIn(options: {
  repository: Repository;
  commit: string;
  files: readonly string[];
  cwd: string;
}): Promise<TestName[]> {
  const tests: TestName[] = [];
  await loadGrammars(options.files);
  for (const path of options.files) {
    const text = await options.repository.readText(options.commit, path, {maxBytes: MAX_BYTES});
    const file = posix.relative(options.cwd, path);
    if (text.ok && path.endsWith(".py") && INHERITING.test(text.value ?? "")) return [];
    for (const test of text.ok ? readTests(path, text.value) : [])
      tests.push({file, groups: groupsOf(test), name: test.name});
  }
  return tests;
}
