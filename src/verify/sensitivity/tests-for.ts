/** Finds the test files that are likely to run a changed source file, by file names and contained names. */

import {posix} from "node:path";
import {entriesAt} from "../../git/private-index.ts";
import type {Repository} from "../../git/repository.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import {groupsOf} from "../../integrity/tests/new-tests.ts";
import {readTests} from "../../integrity/tests/read-tests.ts";
import type {ChosenTest} from "../../tools/tool.ts";

const MAX_FILES = 12;
const MAX_BYTES = 512 * 1024;
/** File names that do not describe the content; the folder's name is used instead. */
const GENERAL = /^(?:index|main|lib|mod|__init__|utils?|helpers?|core|base|types|common)$/;

/** Best first; `changed` are test files of the change, which come before all others. */
export async function testFilesFor(options: {
  repository: Repository;
  commit: string;
  path: string;
  changed: readonly string[];
}): Promise<string[]> {
  const {repository, commit, path, changed} = options;
  const stem = posix.basename(path).replace(/\..*$/, "");
  const folder = posix.basename(posix.dirname(path));
  const word = GENERAL.test(stem) ? folder : stem;
  if (!/^[\w-]{2,80}$/.test(word)) return changed.slice(0, MAX_FILES);
  const grepResult = await repository.git(["grep", "-l", "-z", "-I", "-i", "-w", "-F", "-e", word, commit]);
  const files = grepResult.ok ? grepResult.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1)) : [];
  const entries = await entriesAt({git: repository.git, repository: repository.folder, commit});
  const paths = entries.ok ? entries.value.map((entry) => entry.path) : [];
  const namesakes = paths.filter((file) => isNamedAfter(file, word));
  const neighbors = files.filter((file) => posix.dirname(file) === posix.dirname(path));
  const candidates = [...changed, ...namesakes, ...neighbors, ...files].filter((file) => isTestPath(file));
  return [...new Set(candidates)].filter((file) => isSameKind(file, path)).slice(0, MAX_FILES);
}

function isNamedAfter(file: string, word: string): boolean {
  const name = posix.basename(file).replace(/\.\w+$/, "");
  return name.replace(/[._-]?(?:test|tests|spec)$|^test_|(?:Test|Tests)$/i, "").toLowerCase() === word.toLowerCase();
}

/** Tests of one language are not run by the runner of another. */
const isSameKind = (one: string, other: string): boolean => kindOf(one) === kindOf(other);
const kindOf = (path: string): string => (/\.[cm]?[jt]sx?$/.test(path) ? "script" : posix.extname(path));

/** The tests in these files, with their files relative to `cwd`. */
export async function testsIn(options: {
  repository: Repository;
  commit: string;
  files: readonly string[];
  cwd: string;
}): Promise<ChosenTest[]> {
  const tests: ChosenTest[] = [];
  for (const path of options.files) {
    const text = await options.repository.readText(options.commit, path, {maxBytes: MAX_BYTES});
    const file = posix.relative(options.cwd, path);
    for (const test of text.ok ? readTests(path, text.value) : [])
      tests.push({file, groups: groupsOf(test), name: test.name});
  }
  return tests;
}
