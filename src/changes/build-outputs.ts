/** Finds the new files of a change that a build or a tool may have left: executables, binaries, and folders of reports. */
import {diffStat} from "../git/diff-stat.ts";
import type {Repository} from "../git/repository.ts";
import type {Candidate} from "../record/verification.ts";

/**
 * Folders that tools write by their documentation: coverage.readthedocs.io, github.com/bcoe/c8, jestjs.io, nyc, and
 * the tag of bford.info/cachedir. They count only where the base has nothing.
 */
const TOOL_FOLDER = /^(?:.*\/)?(?:coverage|htmlcov|\.nyc_output|__pycache__)(?=\/)|^.*(?=\/CACHEDIR\.TAG$)/;

/** The data of coverage.py. */
const TOOL_FILE = /(?:^|\/)\.coverage(?:\..*)?$/;

/** Their paths, a folder of reports as one. Empty if git cannot list the change, because nothing depends on it. */
export async function findBuildOutputs(
  repository: Repository,
  {base, commit}: Pick<Candidate, "base" | "commit">,
): Promise<string[]> {
  const [entries, stat, old] = await Promise.all([
    repository.rawChanges(base, commit),
    diffStat(repository, base, commit),
    repository.git(["ls-tree", "-r", "-t", "-d", "-z", "--name-only", base]),
  ]);
  if (!entries.ok || !old.ok) return [];
  const oldFolders = new Set(old.value.split("\0"));
  const binary = new Set(stat?.filter(({added}) => added === null).map(({path}) => path));
  const outputs = new Set<string>();
  for (const {newMode, path} of entries.value.filter(({letter}) => letter === "A")) {
    const folder = TOOL_FOLDER.exec(path)?.[0];
    if (folder !== undefined && !oldFolders.has(folder)) outputs.add(`${folder}/`);
    else if (newMode === "100755" || binary.has(path) || TOOL_FILE.test(path)) outputs.add(path);
  }
  return [...outputs];
}
