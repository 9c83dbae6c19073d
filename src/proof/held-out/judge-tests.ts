/** Decides which held-out tests count, from their runs on the base, and runs those on a candidate. */
import type {OverlayEntry} from "../../changes/overlay.ts";
import type {Repository} from "../../git/repository.ts";
import {compareTests, isUnread, type LocatedTest} from "../../integrity/changed-tests/compare-tests.ts";
import {type ChangedTest, changedTests, isTestFile} from "../../integrity/changed-tests/new-tests.ts";
import {loadTestGrammars} from "../../integrity/load-parsers.ts";
import {readChange} from "../../integrity/read-change.ts";
import type {HeldOutTest} from "../../record/held-out.ts";
import {readSource} from "../../test-code/read-source.ts";
import {mayFail} from "../reproduction.ts";
import {type HeldOutRuns, observeTests, type SeenTest} from "./observe-tests.ts";
import {type RequestNames, readRequestNames} from "./request-names.ts";

const MAX_FILES = 10;
const MAX_TESTS = 40;
const MAX_TEXT = 3000;

interface HeldOutPlace extends HeldOutRuns {
  readonly base: string;
  /** the commit on the base that adds the files of the tests, and nothing else */
  readonly commit: string;
  /** all texts of the request */
  readonly request: string;
}

interface OneFile {
  readonly entries: readonly OverlayEntry[];
  readonly tests: readonly {readonly test: ChangedTest; readonly source: LocatedTest}[];
}

/** All written tests, each with the reason why it does not count. */
export async function judgeHeldOut(options: HeldOutPlace): Promise<HeldOutTest[]> {
  const names = readRequestNames(options);
  const {files, unread} = await readFiles(options);
  const rows: HeldOutTest[] = unread.map((path) => ({
    ...{path, name: "", line: 1, text: "", about: []},
    uncounted: {reason: "syntax", detail: "its file cannot be read"},
  }));
  for (const {entries, tests} of files) {
    const seen = await observeTests(options, {onto: options.base, entries, tests: tests.map(({test}) => test)});
    for (const [at, {test, source}] of tests.entries()) {
      const about = await names.usedBy(source.test, readSource(source.file.path, source.file.after).units);
      const uncounted = await whyUncounted({source, about, seen: seen[at] ?? NOT_SEEN}, names);
      rows.push({...identityOf(test), text: source.test.text.slice(0, MAX_TEXT), about: [...about], uncounted});
    }
  }
  return rows;
}

const NOT_SEEN: SeenTest = {kind: "unknown", detail: "it was not run"};

const identityOf = ({path, groups, name, line}: ChangedTest) => ({path, name: [...groups, name].join(" > "), line});

async function whyUncounted(
  {source: {test}, about, seen}: {source: LocatedTest; about: readonly string[]; seen: SeenTest},
  names: RequestNames,
): Promise<HeldOutTest["uncounted"]> {
  const {detail} = seen;
  if (seen.kind === "syntax") return {reason: "syntax", detail};
  if (!mayFail(test) || test.marks.size > 0) return {reason: "cannot-fail", detail: ""};
  if (seen.kind === "missing") {
    const other = await notIntroduced(seen, names);
    if (other !== null) return {reason: seen.isWholeFile ? "import" : "missing-name", detail: other};
  }
  if (about.length === 0) return {reason: "unrelated", detail: ""};
  switch (seen.kind) {
    case "passes":
    case "flaky":
    case "error":
      return {reason: seen.kind, detail};
    case "unknown":
      return {reason: "not-run", detail};
    case "assertion":
    case "missing":
      return null;
  }
}

/** A missing name that is not the request's; null if all are. */
async function notIntroduced(
  {missing}: Extract<SeenTest, {kind: "missing"}>,
  names: RequestNames,
): Promise<string | null> {
  for (const name of missing.names) if (!(await names.introduces(name))) return name;
  for (const module of missing.modules) if (!(await names.introducesFile(module))) return module;
  return null;
}

/**
 * Runs the tests that count on the candidate's sources, with the tests and test data of the base: a test of the agent with the
 * same name must not keep them from compiling. A failure counts only for the reasons for which a test counts on the base.
 */
export async function runHeldOut(
  options: HeldOutPlace,
  {candidate, rows}: {readonly candidate: string; readonly rows: readonly HeldOutTest[]},
): Promise<HeldOutTest[]> {
  const {repository, base} = options;
  const names = readRequestNames(options);
  const changes = await repository.rawChanges(base, candidate);
  const ofBase = (changes.ok ? changes.value : [])
    .filter(isTestFile)
    .map(({oldMode, oldId, path}): OverlayEntry => ({mode: oldMode, path, content: {kind: "object", id: oldId}}));
  const {files} = await readFiles(options);
  const results = new Map<string, NonNullable<HeldOutTest["onCandidate"]>>();
  for (const {entries, tests} of changes.ok ? files : []) {
    const counted = tests.filter(({test}) => rows.some((row) => row.uncounted === null && isSame(row, test)));
    if (counted.length === 0) continue;
    const about = {onto: candidate, entries: [...ofBase, ...entries], tests: counted.map(({test}) => test)};
    for (const [at, seen] of (await observeTests(options, about)).entries()) {
      const test = counted[at]?.test;
      const isMissing = seen.kind === "missing" && (await notIntroduced(seen, names)) === null;
      const fails = seen.kind === "assertion" || isMissing ? "fails" : "unknown";
      if (test !== undefined) results.set(keyOf(identityOf(test)), seen.kind === "passes" ? "passes" : fails);
    }
  }
  return rows.map((row) =>
    row.uncounted === null ? {...row, onCandidate: results.get(keyOf(row)) ?? "unknown"} : row,
  );
}

const keyOf = ({path, name, line}: Pick<HeldOutTest, "path" | "name" | "line">): string =>
  JSON.stringify([path, name, line]);

const isSame = (row: HeldOutTest, test: ChangedTest): boolean => keyOf(row) === keyOf(identityOf(test));

/** The added files with tests. Each is run alone, because a mistake in one may keep the others from compiling. */
async function readFiles({
  repository,
  base,
  commit,
  plan,
}: HeldOutPlace): Promise<{files: OneFile[]; unread: string[]}> {
  const [change, entries] = await Promise.all([
    readChange({repository, base, head: commit, plan}),
    testEntries(repository, base, commit),
  ]);
  if (!change.ok) return {files: [], unread: []};
  await loadTestGrammars(change.value);
  const unread = change.value.files.filter((file) => isUnread(file) !== null).map(({path}) => path);
  const sources = compareTests(change.value).added;
  const all = changedTests(change.value).flatMap((test) => {
    const source = sources.find((one) => one.file.path === test.path && one.test.line === test.line);
    return source === undefined ? [] : {test, source};
  });
  const paths = [...new Set(all.map(({test}) => test.path))];
  const support = entries.filter(({path}) => !paths.includes(path) && !unread.includes(path));
  const files = paths.slice(0, MAX_FILES).map((path) => ({
    entries: [...support, ...entries.filter((one) => one.path === path)],
    tests: all.slice(0, MAX_TESTS).filter(({test}) => test.path === path),
  }));
  return {files: files.filter(({tests}) => tests.length > 0), unread};
}

/** The new test files of a commit, and their data. Nothing else of it counts. */
export async function testEntries(repository: Repository, base: string, commit: string): Promise<OverlayEntry[]> {
  const raw = await repository.rawChanges(base, commit);
  const added = (raw.ok ? raw.value : []).filter((entry) => entry.letter === "A" && isTestFile(entry));
  return added
    .filter(({newMode}) => newMode.startsWith("100"))
    .map(({newMode, newId, path}) => ({mode: newMode, path, content: {kind: "object", id: newId}}));
}
