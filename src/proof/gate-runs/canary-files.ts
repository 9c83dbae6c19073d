/** Chooses the test files to which a failing test is added: changed ones, and those next to changed configuration. */
import {posix} from "node:path";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import {entriesAt} from "../../git/private-index.ts";
import type {Repository} from "../../git/repository.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {isGenerated, isTestData, isTestPath} from "../../integrity/source/kinds.ts";
import {isTestScript} from "../../test-code/canary.ts";
import {loadGrammars} from "../../test-code/grammars.ts";
import {readTests} from "../../test-code/read-source.ts";
import type {CanaryFile} from "./unnoticed-failures.ts";

const MAX_CHANGED = 3;
const MAX_NEIGHBORS = 2;
/** At most this many files are read to find one neighbor. */
const MAX_READ = 20;
const MAX_FILE_BYTES = 512 * 1024;

export async function canaryFiles(options: {
  repository: Repository;
  candidate: ComparedCommits;
  touched: TestChange;
}): Promise<CanaryFile[]> {
  const scripts = options.touched.gate.filter(({path, after}) => isTestScript({path, text: after ?? ""}));
  const changedFiles = options.touched.tests
    .filter(({path, after}) => readTests(path, after).some(({marks}) => !marks.has("skip")))
    .concat(scripts)
    .map(({path, basePath, before}) => ({path, basePath: before === null ? null : basePath}))
    .toSorted((one, other) => Number(one.basePath === null) - Number(other.basePath === null));
  const testFiles: CanaryFile[] = changedFiles.slice(0, MAX_CHANGED);
  const folders = new Set(options.touched.gate.map(({path}) => posix.dirname(path)));
  for (const folder of [...folders].slice(0, MAX_NEIGHBORS)) {
    if (testFiles.some(({path, basePath}) => basePath !== null && isIn(path, folder))) continue;
    const path = await neighborOf(options, folder);
    if (path !== null && testFiles.every((testFile) => testFile.path !== path)) testFiles.push({path, basePath: path});
  }
  return testFiles;
}

const isIn = (path: string, folder: string): boolean => folder === "." || path.startsWith(`${folder}/`);

/** An unchanged test file, preferably below the folder. */
async function neighborOf(
  {repository, candidate, touched}: {repository: Repository; candidate: ComparedCommits; touched: TestChange},
  folder: string,
): Promise<string | null> {
  const entries = await entriesAt({git: repository.git, commit: candidate.commit});
  if (!entries.ok) return null;
  const changedPaths = new Set([...touched.tests, ...touched.gate].map(({path}) => path));
  const candidates = entries.value
    .map(({path}) => path)
    .filter((path) => (isTestPath(path) || path.endsWith(".rs")) && !isTestData(path) && !isGenerated(path))
    .filter((path) => !changedPaths.has(path))
    .toSorted((one, other) => distance(one, folder) - distance(other, folder));
  for (const path of candidates.slice(0, MAX_READ)) {
    await loadGrammars([path]);
    const readResult = await repository.readText(candidate.commit, path, {maxBytes: MAX_FILE_BYTES});
    const tests = readResult.ok ? readTests(path, readResult.value) : [];
    if (tests.some(({marks}) => marks.size === 0)) return path;
  }
  return null;
}

/** Files below the folder come first, then the shortest paths. */
function distance(path: string, folder: string): number {
  const depth = path.split("/").length;
  if (isIn(path, folder)) return depth;
  const stepsUp = posix
    .relative(folder, path)
    .split("/")
    .filter((part) => part === "..").length;
  return 100 * stepsUp + depth;
}
