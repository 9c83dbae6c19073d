/** Matches the tests of the base with those of the candidate: by id, by name in other files, and by similar bodies. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {TestFacts, UnreadReason} from "../../test-code/facts.ts";
import {mayHaveTests, readSource, readTests} from "../../test-code/read-source.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCollectedByName, isTestData} from "../source/kinds.ts";

export interface LocatedTest {
  readonly file: InspectedFile;
  readonly test: TestFacts;
}

/** The tests as data of a finding. */
export const namesOfTests = (tests: readonly LocatedTest[]): NonNullable<IntegrityFinding["tests"]> =>
  tests.map(({file, test}) => ({file: file.basePath, name: test.name}));

export interface KeptTest {
  readonly base: LocatedTest;
  readonly head: LocatedTest;
  /** true if neither the test nor what surrounds it has changed: then its facts are the same */
  readonly isSame: boolean;
}

export interface TestComparison {
  /** tests that exist before and after, also if they moved or have another name */
  readonly kept: readonly KeptTest[];
  readonly removed: readonly LocatedTest[];
  /** removed tests that are equal to a kept one of their group */
  readonly twins: readonly LocatedTest[];
  readonly added: readonly LocatedTest[];
}

/** From this share of equal words on, a removed and an added test are the same test. */
const SAME_BODY = 0.55;
/** Comparing bodies takes quadratic time. */
const MAX_UNMATCHED = 300;

const cache = new WeakMap<InspectedChange, TestComparison>();

/** All checks of a change share the result. */
export function compareTests(change: InspectedChange): TestComparison {
  const cached = cache.get(change);
  if (cached !== undefined) return cached;
  const comparison = compare(change);
  cache.set(change, comparison);
  return comparison;
}

function compare(change: InspectedChange): TestComparison {
  const kept: KeptTest[] = [];
  let removed: LocatedTest[] = [];
  let added: LocatedTest[] = [];
  for (const file of change.files.filter(({path, basePath}) => !isTestData(path) || !isTestData(basePath))) {
    if (isUnread(file)) continue;
    const before = readTests(file.basePath, file.before);
    const after = isStillCollected(file) ? readTests(file.path, file.after) : [];
    const isSameAround = before.length > 0 && after.length > 0 && haveSameSurroundings(file);
    const byId = new Map(after.map((test) => [test.id, test]));
    for (const test of before) {
      const head = byId.get(test.id);
      if (head === undefined && isKnown(test, file.path, file.after)) removed.push({file, test});
      if (head !== undefined) {
        const isSame = isSameAround && test.text === head.text && test.headText === head.headText;
        kept.push({base: {file, test}, head: {file, test: head}, isSame});
      }
      byId.delete(test.id);
    }
    const isNew = (test: TestFacts) => isKnown(test, file.basePath, file.before);
    added.push(...[...byId.values()].filter(isNew).map((test) => ({file, test})));
  }
  for (const isSame of [haveSameName, haveSameBody]) {
    if (removed.length > MAX_UNMATCHED && isSame === haveSameBody) break;
    const unmatchedTests: LocatedTest[] = [];
    for (const base of removed) {
      const head = bestMatch(base, added, isSame);
      if (head === null) unmatchedTests.push(base);
      else {
        kept.push({base, head, isSame: false});
        added = added.filter((one) => one !== head);
      }
    }
    removed = unmatchedTests;
  }
  // One of two equal tests tests nothing that the other one does not.
  const twinsOf = (base: LocatedTest) => kept.filter(({head}) => isTwin(base, head));
  const groupOf = ({test}: LocatedTest) => test.id.slice(0, -test.name.length);
  const twins = removed.filter((base) => twinsOf(base).some(({head}) => groupOf(base) === groupOf(head)));
  removed = removed.filter((base) => twinsOf(base).length === 0);
  return {kept, removed, twins, added};
}

const haveSameSurroundings = ({path, basePath, before, after}: InspectedFile): boolean =>
  readSource(basePath, before).surroundings === readSource(path, after).surroundings;

/** False if the test may be in a part of the file that the parser does not understand. */
const isKnown = ({name}: TestFacts, path: string, text: string | null): boolean =>
  !(readSource(path, text).isPartial && text?.includes(name));

/** On one side, the file's tests are not known, so nothing can be compared. */
export const isUnread = ({path, basePath, before, after}: InspectedFile): UnreadReason | null =>
  (mayHaveTests(basePath, before) ? readSource(basePath, before).unread : null) ??
  (mayHaveTests(path, after) ? readSource(path, after).unread : null);

/** A file that was collected because of its name, and now has another name, is not collected. */
function isStillCollected({path, basePath}: InspectedFile): boolean {
  if (COLLECTED_FOLDERS.some(([files, folder]) => files.test(path) && folder.test(basePath) && !folder.test(path)))
    return false;
  return !isCollectedByName(basePath) || isCollectedByName(path) || path.includes("__tests__/");
}

/**
 * Cargo runs the files directly in `tests`, Maven those below `src/test`, and Go none below `testdata` or `_name`; RSpec, Rails and PHPUnit
 * take files by the end of their names.
 */
const COLLECTED_FOLDERS: readonly (readonly [files: RegExp, folder: RegExp])[] = [
  [/\.rs$/, /(?:^|\/)tests\/(?:[^/]+|[^/]+\/main)\.rs$/],
  [/\.(?:java|kt)$/, /(?:^|\/)src\/\w*[tT]est\w*\//],
  [/\.rb$/, /(?:_(?:spec|test)|(?:^|\/)test_\w+)\.rb$/],
  [/\.php$/, /Test(?:Case)?\.php$/],
  [/_test\.go$/, /^(?!(?:.*\/)?(?:testdata\/|_|\.))/],
];

const isTwin = ({file, test}: LocatedTest, head: LocatedTest): boolean =>
  file === head.file &&
  bodyOf(test) === bodyOf(head.test) &&
  test.headText === head.test.headText &&
  head.test.assertions.length > 0;

const bodyOf = ({text, name}: TestFacts): string => text.replace(name, "");

type Similarity = (base: LocatedTest, head: LocatedTest) => number;

function bestMatch(base: LocatedTest, added: readonly LocatedTest[], similarity: Similarity): LocatedTest | null {
  let best: LocatedTest | null = null;
  let highest = 0;
  for (const head of added) {
    const score = similarity(base, head);
    if (score > highest) [best, highest] = [head, score];
  }
  return best;
}

/** Equal names in one file are the same test in another group. In two files, the bodies must be similar. */
const haveSameName: Similarity = (base, head) => {
  if (base.test.name !== head.test.name) return 0;
  const similarity = similarityOf(base.test, head.test);
  return base.file === head.file ? 1 + similarity : similarity > 0.3 ? similarity : 0;
};

const haveSameBody: Similarity = (base, head) => {
  const similarity = similarityOf(base.test, head.test);
  return similarity >= SAME_BODY ? similarity + (base.file === head.file ? 0.1 : 0) : 0;
};

const words = new WeakMap<TestFacts, ReadonlySet<string>>();

function wordsOf(test: TestFacts): ReadonlySet<string> {
  const cached = words.get(test);
  if (cached !== undefined) return cached;
  const wordSet = new Set(test.text.slice(0, 20_000).match(/[A-Za-z_]\w*|\d+/g) ?? []);
  words.set(test, wordSet);
  return wordSet;
}

/** The share of words that two tests have in common, from 0 to 1. */
function similarityOf(one: TestFacts, other: TestFacts): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const sharedCount = [...left].filter((word) => right.has(word)).length;
  return sharedCount / Math.max(1, left.size + right.size - sharedCount);
}

/** The values of a source text, for a search. */
const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g;

/** What does not assert, whatever its arguments are. */
const NO_HELPER =
  /^(?:if|for|while|switch|catch|return|e?[pP]rint\w*|dbg|warn|log|Logf?|Skip\w*|Helper|discard|String|Number|len|fmt|range|set(?:Timeout|Immediate|Interval)|to[A-Z]\w*|Errorf?|Fatalf?)$/;

/**
 * The test calls a function that it did not call before: a helper that asserts, a table of cases. The inputs
 * of its earlier assertions are still in the file.
 */
export function callsNewHelper(base: LocatedTest, head: LocatedTest): boolean {
  // A method of a value is no helper.
  const isPlain = (name: string) =>
    new RegExp(String.raw`(?<![\w$.])(?:(?:self|this|cls)\.)?${name.replaceAll("$", "\\$")}\s*!?\(`).test(
      head.test.code,
    );
  const isNew = (name: string) => !base.test.calls.has(name) && !NO_HELPER.test(name) && isPlain(name);
  if (![...head.test.calls].some(isNew)) return false;
  const values = base.test.assertions.flatMap(({subject}) => subject.match(VALUES) ?? []);
  return values.every((value) => head.file.after?.includes(value.replace(/^["'`]|["'`]$/g, "")));
}
