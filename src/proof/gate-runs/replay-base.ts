/** Prepares a replay: the base's gate over the candidate's sources, in the files of a checkout, and which tests run. */

import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import type {RawEntry} from "../../git/raw-diff.ts";
import {readBlobs} from "../../git/read-blobs.ts";
import type {Repository} from "../../git/repository.ts";
import {groupsOf, type SourceTest} from "../../integrity/changed-tests/new-tests.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {isManifest} from "../../integrity/dependencies/declared-dependencies.ts";
import {isLockFile} from "../../integrity/dependencies/locked-packages.ts";
import {withBaseSettings} from "../../integrity/gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isProductCode, isRecorded} from "../../integrity/source/kinds.ts";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {languageOf} from "../../test-code/languages.ts";
import {readSource, readTests} from "../../test-code/read-source.ts";
import type {ReplacedFile} from "./extra-run.ts";

/** Whose files are replaced. The dependencies of the base's checks are only in a checkout of the base. */
export const sideOf = ({dependencies}: TestChange): "candidate" | "base" =>
  dependencies.length > 0 ? "base" : "candidate";

/**
 * The files to write or remove before the replay, so that the checkout holds the base's gate and the candidate's
 * sources. A replay of tests takes their files from the base, too; linters and type checks read the candidate's.
 */
export async function replayFiles(options: {
  repository: Repository;
  candidate: ComparedCommits;
  change: InspectedChange;
  touched: TestChange;
  of: "tests" | "checks";
}): Promise<Result<ReplacedFile[], Failure>> {
  const {repository, candidate, change, touched, of} = options;
  const raw = await repository.rawChanges(candidate.base, candidate.commit);
  if (!raw.ok) return raw;
  const data = change.files.filter(({path, basePath}) => isRecorded(path) || isRecorded(basePath));
  // Rust keeps tests in the sources, which stay the candidate's.
  const tests = touched.tests.filter((file) => !isInline(file));
  const gate = of === "checks" ? touched.checks : touched.gate;
  const files = of === "checks" ? gate : [...tests, ...gate, ...touched.data, ...data];
  const bases = new Set(files.flatMap(({path, basePath}) => [path, basePath]));
  if (sideOf(touched) === "base")
    return sourcesOnBase(
      repository,
      raw.value.filter(({path}) => !bases.has(path)),
    );
  const entries = raw.value.filter((entry) => bases.has(entry.path));
  const contents = await readContents(
    repository,
    entries.filter(({oldMode}) => oldMode.startsWith("100")).map(({oldId}) => oldId),
  );
  const replacedFiles: ReplacedFile[] = [];
  for (const {path, oldMode, oldId} of entries) {
    const file = gate.find((one) => one.path === path && one.before !== null && one.after !== null);
    const text = file === undefined ? null : await mergedText(options, path);
    const content = text ?? contents.get(oldId) ?? null;
    // Links, submodules and files that are too large stay the candidate's.
    if (content !== null || /^0+$/.test(oldMode))
      replacedFiles.push({path, content, isExecutable: oldMode === "100755"});
  }
  return ok(replacedFiles);
}

/** The candidate's sources, for a checkout of the base. Its manifests and lock files are the base's. */
async function sourcesOnBase(
  repository: Repository,
  entries: readonly RawEntry[],
): Promise<Result<ReplacedFile[], Failure>> {
  const sources = entries.filter(({path}) => !isManifest(path) && !isLockFile(path));
  const contents = await readContents(
    repository,
    sources.map(({newId}) => newId),
  );
  const files = sources.map(({path, newMode, newId}) => ({
    ...{path, isExecutable: newMode === "100755"},
    content: contents.get(newId) ?? null,
  }));
  const isLost = ({newMode, newId}: RawEntry) =>
    !/^0+$/.test(newMode) && !(newMode.startsWith("100") && contents.has(newId));
  // Without one of its sources, the candidate would not be what is judged.
  if (sources.some(isLost)) return refused({kind: "internal", message: "a changed source could not be read"});
  return ok(files);
}

async function readContents(repository: Repository, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const wanted = ids.filter((id) => !/^0+$/.test(id));
  await readBlobs({repository, ids: wanted, limits: LIMITS, take: (id, content) => void contents.set(id, content)});
  return contents;
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

export const isInline = ({path}: InspectedFile): boolean =>
  (path.endsWith(".rs") && !/(?:^|\/)tests\//.test(path)) || (path.endsWith(".py") && isProductCode(path));

/**
 * The changed tests of the base by file, as a selection; null if the whole stage has to run. Any test may read data.
 * `isShort`: the stage is short enough to repeat it because of data.
 */
export function testsToReplay(touched: TestChange, isShort: boolean): SourceTest[] | null {
  if (touched.gate.length + touched.dependencies.length > 0 || (touched.data.length > 0 && isShort)) return null;
  const files = touched.tests.filter((file) => file.before !== null && !isInline(file));
  if (files.some(({basePath, before}) => isUnknown(basePath, before))) return null;
  return files.flatMap(({basePath, before}) =>
    readTests(basePath, before).map((test) => ({path: basePath, groups: groupsOf(test), name: test.name})),
  );
}

/** Its tests cannot be listed, so none can be chosen. */
const isUnknown = (path: string, text: string | null): boolean =>
  languageOf(path) === null || readSource(path, text).unread !== null;
