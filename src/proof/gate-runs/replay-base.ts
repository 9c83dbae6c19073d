/** Prepares a replay of the base's tests: which files of the base replace the candidate's, and which tests run. */

import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import {readBlobs} from "../../git/read-blobs.ts";
import type {Repository} from "../../git/repository.ts";
import {groupsOf, type SourceTest} from "../../integrity/changed-tests/new-tests.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {withBaseSettings} from "../../integrity/gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isRecorded} from "../../integrity/source/kinds.ts";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result} from "../../record/words.ts";
import {readTests} from "../../test-code/read-source.ts";
import type {ReplacedFile} from "./extra-run.ts";

/** The files of the base that replace the candidate's, and the files to remove, before the replay. */
export async function replayFiles(options: {
  repository: Repository;
  candidate: ComparedCommits;
  change: InspectedChange;
  touched: TestChange;
}): Promise<Result<ReplacedFile[], Failure>> {
  const {repository, candidate, change, touched} = options;
  const raw = await repository.rawChanges(candidate.base, candidate.commit);
  if (!raw.ok) return raw;
  const data = change.files.filter(({path, basePath}) => isRecorded(path) || isRecorded(basePath));
  // Rust keeps tests in the sources, which stay the candidate's.
  const tests = touched.tests.filter((file) => !isInline(file));
  const files = [...tests, ...touched.gate, ...data];
  const paths = new Set(files.flatMap(({path, basePath}) => [path, basePath]));
  const entries = raw.value.filter((entry) => paths.has(entry.path));
  const contents = new Map<string, Buffer>();
  const ids = entries.filter(({oldMode}) => oldMode.startsWith("100")).map(({oldId}) => oldId);
  await readBlobs({repository, ids, limits: LIMITS, take: (id, content) => void contents.set(id, content)});
  const replacedFiles: ReplacedFile[] = [];
  for (const {path, oldMode, oldId} of entries) {
    const file = touched.gate.find((one) => one.path === path && one.before !== null && one.after !== null);
    const text = file === undefined ? null : await mergedText(options, path);
    const content = text ?? contents.get(oldId) ?? null;
    // Links, submodules and files that are too large stay the candidate's.
    if (content !== null || /^0+$/.test(oldMode))
      replacedFiles.push({path, content, isExecutable: oldMode === "100755"});
  }
  return ok(replacedFiles);
}

const LIMITS = {fileBytes: 4 * 1024 * 1024, allBytes: 64 * 1024 * 1024};
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Null if the whole file is taken from the base. */
async function mergedText(
  {repository, candidate}: {repository: Repository; candidate: ComparedCommits},
  path: string,
): Promise<string | null> {
  const readFile = (commit: string) => repository.readText(commit, path, {maxBytes: MAX_SETTINGS_BYTES});
  const [before, after] = [await readFile(candidate.base), await readFile(candidate.commit)];
  if (!before.ok || !after.ok || before.value === null || after.value === null) return null;
  return withBaseSettings(path, before.value, after.value);
}

export const isInline = ({path}: InspectedFile): boolean => path.endsWith(".rs") && !/(?:^|\/)tests\//.test(path);

/**
 * The changed tests of the base by file, as a selection; null if the whole stage has to run. Any test may read data.
 * `isShort`: the stage is short enough to repeat it because of data.
 */
export function testsToReplay(touched: TestChange, isShort: boolean): SourceTest[] | null {
  if (touched.gate.length > 0 || (touched.data.length > 0 && isShort)) return null;
  const files = touched.tests.filter((file) => file.before !== null && !isInline(file));
  return files.flatMap(({basePath, before}) =>
    readTests(basePath, before).map((test) => ({path: basePath, groups: groupsOf(test), name: test.name})),
  );
}
