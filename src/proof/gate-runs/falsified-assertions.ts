/** Makes the assertions of changed tests false, in their own place: a run that still passes hides what they find. */
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {commandsIn} from "../../integrity/commands/command-fates.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import {isShellTest} from "../../integrity/source/kinds.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {type FalseValue, falseValues} from "../../test-code/falsify.ts";
import {readSource, readTests} from "../../test-code/read-source.ts";
import type {ExtraCheckout, ExtraRunOptions, PassedStage} from "./extra-run.ts";
import {failuresIn} from "./judge-replay.ts";
import {isSamePath, sourceNames} from "./lost-tests.ts";
import {withNewNames} from "./new-names.ts";
import {replayFiles, sideOf} from "./replay-base.ts";
import type {CanaryFile} from "./unnoticed-failures.ts";

const MAX_FILE_BYTES = 512 * 1024;
/** Each round takes another assertion of each test. */
const MAX_ROUNDS = 8;
const MAX_MS = 8_000;
const REPEATS = 3;

interface Sides {
  readonly candidate: Falsifiable;
  readonly base: Falsifiable;
}

interface Falsifiable {
  readonly path: string;
  readonly text: string;
}

interface FalseTest extends Sides {
  /** null for a script of shell, which is one test */
  readonly name: string | null;
  readonly id: string;
  /** the same value on both sides */
  readonly values: readonly {readonly candidate: FalseValue; readonly base: FalseValue}[];
}

interface SilentOptions extends ExtraRunOptions {
  readonly change: InspectedChange;
  readonly touched: TestChange;
  readonly checkout: ExtraCheckout;
  readonly control: ExtraCheckout;
  readonly spent: () => string | null;
  /** true if other files than those of the tests decide what a failure means */
  readonly isGateTouched: boolean;
}

/**
 * Only a value that fails its test on the base has to fail it here, unless the base's test accepts it here, too: `size > 2` of a longer
 * list. Null if all of these do, or if no run shows it.
 */
export async function findHidden(
  options: SilentOptions,
  passed: PassedStage,
  testFiles: readonly CanaryFile[],
): Promise<IntegrityFinding | null> {
  const sides = await Promise.all(testFiles.map((file) => readSides(options, file)));
  const tests = sides.flatMap((one) => (one === null ? [] : falseTests(one, options.isGateTouched)));
  const endMs = performance.now() + MAX_MS;
  for (let round = 0; round < MAX_ROUNDS && performance.now() < endMs && options.spent() === null; round += 1) {
    const chosen = tests.filter(({values}) => values[round] !== undefined);
    if (chosen.length === 0) return null;
    const silent = await silentTests({...options, passed, round}, chosen, "candidate");
    const onBase = silent.length === 0 ? [] : await silentTests({...options, passed, round}, silent, "base");
    for (const test of silent.filter((one) => !onBase.includes(one))) {
      // The runner may stop at its first failure.
      const alone = await silentTests({...options, passed, round}, [test], "candidate");
      const level = alone.length === 0 ? null : await levelOf(options, {passed, test, round});
      const isSilent = async (side: keyof Sides) =>
        (await silentTests({...options, passed, round}, [test], side)).length > 0;
      if (level === null || !(await isRepeated(async () => (await isSilent("candidate")) && !(await isSilent("base")))))
        continue;
      return hiddenFailure(passed, {test, round, level});
    }
  }
  return null;
}

/** A test with random values may fail in some runs only. */
async function isRepeated(observe: () => Promise<boolean>): Promise<boolean> {
  for (let left = REPEATS; left > 0; left -= 1) if (!(await observe())) return false;
  return true;
}

/** By the base's test on the change's code: null if that accepts both values, and a flag if it cannot be compared. */
async function levelOf(
  options: SilentOptions,
  {passed, test, round}: {passed: PassedStage; test: FalseTest; round: number},
): Promise<"block" | "flag" | null> {
  const {name, id, base, candidate, values} = test;
  const {files: changed} = withNewNames(options.change) ?? options.change;
  const text = changed.find(({basePath}) => basePath === base.path)?.before ?? base.text;
  const source = readSource(base.path, text);
  const tests = readTests(base.path, text).filter((one) => one.id === id);
  const known = name === null ? comparisonsIn(text) : tests.flatMap((one) => falseValues({test: one, source, text}));
  const value = known.find(({key}) => key === values[round]?.base.key);
  const files = await replayFiles({...options, of: "tests"});
  if (value === undefined || !files.ok) return "flag";
  // Another test may have other values, of which an assertion such as `size > 2` accepts many.
  const isSame = readTests(candidate.path, candidate.text).some((one) => one.id === id && one.text === tests[0]?.text);
  if (!value.isExact && !isSame) return null;
  const checkout = sideOf(options.touched) === "base" ? options.control : options.checkout;
  for (const {from, to, replacement} of [value, {...value, replacement: text.slice(value.from, value.to)}]) {
    const content = text.slice(0, from) + replacement + text.slice(to);
    const others = files.value
      .filter(({path}) => path !== base.path)
      .map((file) => ({
        ...file,
        content: changed.find(({basePath}) => basePath === file.path)?.before ?? file.content,
      }));
    const ran = await checkout.run({
      passed,
      files: [...others, {path: base.path, content, isExecutable: false}],
      tests: name === null ? null : [{path: base.path, groups: [], name}],
    });
    const exit = ran.ok ? ran.value.result.exit : null;
    if (!ran.ok || exit?.kind !== "exited") return "flag";
    if (exit.code === 0) continue;
    if (name === null) return "block";
    const failed = failuresIn(ran.value.result);
    const own = failed.find((one) => isOf(one, {path: base.path, name}));
    if (own !== undefined || failed.length === 0) return own?.isComparison && value.isExact ? "block" : "flag";
  }
  return null;
}

function hiddenFailure(
  {stage}: PassedStage,
  {test, round, level}: {test: FalseTest; round: number; level: "block" | "flag"},
): IntegrityFinding {
  const {name, candidate, values} = test;
  return {
    check: "unnoticed-failures",
    level,
    path: candidate.path,
    line: values[round]?.candidate.line ?? null,
    message: `\`${stage.name}\` still passes with ${name === null ? "`false` in place of this command" : `another expected value in this assertion of \`${name}\``}; on the default branch it fails`,
    fix: "Remove the code that hides failures of this assertion.",
    tests: [{file: candidate.path, name: name ?? candidate.path}],
  };
}

async function readSides({repository, candidate}: ExtraRunOptions, file: CanaryFile): Promise<Sides | null> {
  const read = async (commit: string, path: string | null): Promise<Falsifiable | null> => {
    const text = path === null ? null : await repository.readText(commit, path, {maxBytes: MAX_FILE_BYTES});
    return path === null || !text?.ok || text.value === null ? null : {path, text: text.value};
  };
  const [head, base] = [await read(candidate.commit, file.path), await read(candidate.base, file.basePath)];
  return head === null || base === null ? null : {candidate: head, base};
}

/** The tests that are on both sides, unless nothing in the change can concern them. */
function falseTests(sides: Sides, isGateTouched: boolean): FalseTest[] {
  const {candidate, base} = sides;
  if (isShellTest(candidate.path)) {
    const known = new Map(comparisonsIn(base.text).map((one) => [one.key, one]));
    return [{...sides, name: null, id: "", values: onBoth(comparisonsIn(candidate.text), known)}];
  }
  const [head, before] = [readSource(candidate.path, candidate.text), readSource(base.path, base.text)];
  const isConcerned = isGateTouched || head.surroundings !== before.surroundings;
  const earlier = new Map(readTests(base.path, base.text).map((test) => [test.id, test]));
  return readTests(candidate.path, candidate.text).flatMap((test) => {
    const old = earlier.get(test.id);
    if (old === undefined || test.marks.size + old.marks.size > 0) return [];
    // Another test in the file may hide one that is as it was.
    const most = isConcerned || test.text !== old.text ? MAX_ROUNDS : 1;
    const known = new Map(falseValues({test: old, source: before, text: base.text}).map((one) => [one.key, one]));
    const values = onBoth(falseValues({test, source: head, text: candidate.text}), known);
    return [{...sides, name: test.name, id: test.id, values: values.slice(0, most)}];
  });
}

const onBoth = (values: readonly FalseValue[], known: ReadonlyMap<string, FalseValue>): FalseTest["values"] =>
  values.flatMap((candidate) => {
    const base = known.get(candidate.key);
    return base === undefined ? [] : [{candidate, base}];
  });

const COMPARES = new Set(["[", "[[", "test", "diff", "cmp", "grep"]);

/** The comparisons of a script of shell, each in place of which `false` can stand. */
const comparisonsIn = (text: string): FalseValue[] =>
  commandsIn(text)
    .filter(({words}) => COMPARES.has(words[0] ?? ""))
    .map(({start, end}) => {
      const line = text.slice(0, start).split("\n").length;
      return {from: start, to: end, replacement: "false", line, key: text.slice(start, end), isExact: true};
    });

async function silentTests(
  {checkout, control, passed, round}: SilentOptions & {readonly passed: PassedStage; readonly round: number},
  tests: readonly FalseTest[],
  side: keyof Sides,
): Promise<readonly FalseTest[]> {
  const texts = new Map<string, string>();
  const placed = tests.flatMap((one) => {
    const value = one.values[round]?.[side];
    return value === undefined ? [] : [{...value, file: one[side]}];
  });
  // From the end, so that the places of the others stay the same.
  for (const {file, from, to, replacement} of placed.toSorted((one, other) => other.from - one.from)) {
    const text = texts.get(file.path) ?? file.text;
    texts.set(file.path, text.slice(0, from) + replacement + text.slice(to));
  }
  const ran = await (side === "base" ? control : checkout).run({
    passed,
    files: [...texts].map(([path, content]) => ({path, content, isExecutable: false})),
    tests: tests.some(({name}) => name === null)
      ? null
      : tests.map(({name, ...one}) => ({path: one[side].path, groups: [], name: name ?? ""})),
  });
  if (!ran.ok || ran.value.result.exit?.kind !== "exited") return [];
  const {result} = ran.value;
  if (result.exit?.kind === "exited" && result.exit.code === 0) return tests;
  const failed = failuresIn(result);
  const hasFailed = (one: FalseTest) => failed.some((failure) => isOf(failure, {...one[side], name: one.name}));
  if (tests.every(({name}) => name === null)) return [];
  return failed.some(({isComparison}) => isComparison) ? tests.filter((one) => !hasFailed(one)) : [];
}

const isOf = (
  {file, title}: {file: string | null; title: string},
  {path, name}: {path: string; name: string | null},
): boolean => isSamePath(file, path) && sourceNames(title).includes(name ?? "");
