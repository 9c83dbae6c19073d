/** Runs a candidate's new and changed tests on the base's sources: those that pass there do not test the change. */
import {posix} from "node:path";
import {type OverlayEntry, overlayCommit} from "../../changes/overlay.ts";
import {isBelow} from "../../detect/files/project.ts";
import {chooseTests} from "../../diagnostics/rerun.ts";
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import {scriptsAt} from "../../engine/commands/expand-scripts.ts";
import {failedIn} from "../../engine/flakes/flaky.ts";
import type {Repository} from "../../git/repository.ts";
import {
  altersSources,
  type ChangedTest,
  changedTests,
  isTestFile,
  withInlineTestsOf,
} from "../../integrity/changed-tests/new-tests.ts";
import {loadTestGrammars} from "../../integrity/load-parsers.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import type {Bite, BiteTest} from "../../record/bite.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {ok, type Result} from "../../record/words.ts";
import {judgeBite} from "./judge-bite.ts";
import {runChosenTests} from "./run-chosen-tests.ts";

export interface BiteOptions {
  readonly candidate: ComparedCommits;
  readonly change: InspectedChange;
  readonly plan: Plan;
  /** the candidate's results */
  readonly stages: readonly StageResult[];
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

/** If single tests cannot be selected, a suite that takes longer is not run. */
const SHORT_MS = 30_000;
const MIN_TIMEOUT_S = 60;
const MAX_TESTS = 200;

/**
 * Null if nothing can be compared: no new or changed test, only tests were changed, or no test stage passed. Never
 * rejects.
 */
export async function findBite(options: BiteOptions): Promise<Bite | null> {
  const startMs = performance.now();
  await loadTestGrammars(options.change);
  const tests = changedTests(options.change).slice(0, MAX_TESTS);
  if (tests.length === 0 || !altersSources(options.change)) return null;
  const runs = await planRuns(options, tests);
  if (runs.length === 0) return null;
  const biteTests = await runOnBase(options, runs);
  return {tests: biteTests, durationMs: performance.now() - startMs};
}

interface BiteRun {
  readonly stage: Stage;
  readonly result: StageResult;
  readonly tests: readonly ChangedTest[];
  /** null if the tests cannot be chosen and the whole stage takes too long */
  readonly command: string | null;
}

/** Each test runs in one stage: the one in the nearest folder above it. */
async function planRuns(
  {plan, stages, repository, candidate}: BiteOptions,
  tests: readonly ChangedTest[],
): Promise<BiteRun[]> {
  const eligible = plan.stages
    .flatMap((stage) => {
      const result = stages.find(({name}) => name === stage.name);
      return stage.kind === "test" && result !== undefined && hasPassed(result) ? [{stage, result}] : [];
    })
    .toSorted((one, other) => other.stage.cwd.length - one.stage.cwd.length);
  const runs: BiteRun[] = [];
  let remainingTests = tests;
  for (const {stage, result} of eligible) {
    const stageTests = remainingTests.filter(({path}) => isBelow(path, stage.cwd));
    if (stageTests.length === 0) continue;
    remainingTests = remainingTests.filter((test) => !stageTests.includes(test));
    const scripts = await scriptsAt({repository, commit: candidate.base, cwd: stage.cwd});
    const relativeTests = stageTests.map((test) => ({...test, file: posix.relative(stage.cwd, test.path)}));
    const files = [...new Set(relativeTests.map(({file}) => file))];
    const chosenCommand = chooseTests({command: stage.command, files, tests: relativeTests, scripts});
    const command = chosenCommand ?? (result.durationMs <= SHORT_MS ? stage.command : null);
    runs.push({stage, result, tests: stageTests, command});
  }
  return runs;
}

const hasPassed = ({outcome, baseline}: StageResult) => outcome === "passed" || baseline?.outcome === "pre-existing";

async function runOnBase(options: BiteOptions, runs: readonly BiteRun[]): Promise<BiteTest[]> {
  const {checkouts, repository, plan, signal} = options;
  const runsWithCommand = runs.filter(({command}) => command !== null);
  const commit = await baseWithTests(options);
  const testRun = commit.ok
    ? await runChosenTests({
        checkouts,
        repository,
        plan,
        commit: commit.value,
        runs: runsWithCommand.map(({stage, command, result}) => ({
          stage: withTimeLimit(stage, result),
          command: command ?? "",
        })),
        signal,
      }).catch(() => null)
    : null;
  return runs.flatMap((run) => {
    const unknown = (why: string) => judgeUnknown(run.tests, why);
    if (run.command === null) return unknown("its stage cannot be limited to some tests");
    if (testRun === null) return unknown("the base could not be checked out with these tests");
    if (!testRun.ok) return unknown(testRun.failure);
    const result = testRun.value[runsWithCommand.indexOf(run)];
    if (result === undefined) return unknown("it was not run");
    return judgeBite({tests: run.tests, result, excused: failedNames(run.result)});
  });
}

/** A test may hang on the base. */
function withTimeLimit(stage: Stage, {durationMs}: StageResult): Stage {
  return {...stage, timeout: Math.min(stage.timeout, Math.max(MIN_TIMEOUT_S, (2 * durationMs) / 1000))};
}

function judgeUnknown(tests: readonly ChangedTest[], why: string): BiteTest[] {
  return tests.map(({path, groups, name, line, isNew}) => ({
    ...{path, name: [...groups, name].join(" > "), line, isNew},
    onBase: {kind: "unknown", why},
  }));
}

/** The tests that also fail on the candidate, whose failures on the base therefore show nothing. */
const failedNames = (result: StageResult): string[] =>
  result.outcome === "passed" ? [] : (failedIn(result)?.tests ?? []).flatMap(({name}) => name ?? []);

/** The base with the candidate's test files, and with its tests inside of Rust sources. */
async function baseWithTests({repository, candidate, change}: BiteOptions): Promise<Result<string, Failure>> {
  const raw = await repository.rawChanges(candidate.base, candidate.commit);
  if (!raw.ok) return raw;
  const files: OverlayEntry[] = raw.value
    .filter(isTestFile)
    .map(({newMode, newId, path}) => ({mode: newMode, path, content: {kind: "object", id: newId}}));
  const inline = change.files.flatMap((file): OverlayEntry[] => {
    const text = isTestFile(file) || file.status !== "modified" ? null : withInlineTestsOf(file);
    const mode = raw.value.find(({path}) => path === file.path)?.oldMode ?? "100644";
    return text === null ? [] : [{mode, path: file.path, content: {kind: "text", text}}];
  });
  const overlayResult = await overlayCommit({repository, onto: candidate.base, entries: [...files, ...inline]});
  return overlayResult.ok ? ok(overlayResult.value.commit) : overlayResult;
}
