/** Plans which tests run for a fault in a file: the nearest ones first, and the others only if these pass. */
import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import type {FailedTests} from "../../diagnostics/failed-tests.ts";
import {chooseTests, type Rerun, rerunOf} from "../../diagnostics/rerun.ts";
import type {ComparedCommits} from "../../engine/checkout/compared-commits.ts";
import {scriptsAt} from "../../engine/commands/expand-scripts.ts";
import type {Repository} from "../../git/repository.ts";
import type {ChangedTest} from "../../integrity/changed-tests/new-tests.ts";
import type {InspectedChange} from "../../integrity/source/inspected-change.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {testFilesFor, testsIn} from "./tests-for.ts";
import type {ExpectedRun} from "./time-budget.ts";

export interface RunOptions {
  readonly candidate: ComparedCommits;
  readonly change: InspectedChange;
  readonly plan: Plan;
  readonly stages: readonly StageResult[];
  readonly repository: Repository;
  /** only these tests run, and count; by default all that are likely to run the changed lines */
  readonly only?: readonly ChangedTest[];
}

/** The runs that should notice a fault in one file. */
export interface FaultRun {
  readonly stage: Stage;
  /** each runs only if the ones before it pass */
  readonly commands: readonly [TestCommand, ...TestCommand[]];
  /** of the whole stage, without a fault */
  readonly verified: StageResult;
}

export interface TestCommand extends ExpectedRun {
  readonly line: string;
}

/** A longer suite is not run in full for one fault. */
const SHORT_MS = 30_000;
/** So many files take less time than another start of the runner. */
const MAX_JOINED = 3;

/** A run with a fault may hang, and one that records lines is slower. */
const MIN_TIMEOUT_S = 20;

export function stageWithLimit({stage, verified}: FaultRun): Stage {
  const timeout = Math.min(stage.timeout, Math.max(MIN_TIMEOUT_S, (10 * verified.durationMs) / 1000));
  return {...stage, timeout};
}

/** The nearest test stage above the file, limited to the tests of the file; null if it has none that is short enough. */
export async function planRun(options: RunOptions, path: string): Promise<FaultRun | null> {
  const {plan, stages, only} = options;
  const [stage] = plan.stages
    .filter(({kind, cwd}) => kind === "test" && isBelow(path, cwd))
    .toSorted((one, other) => other.cwd.length - one.cwd.length);
  const result = stages.find(({name}) => name === stage?.name);
  if (stage === undefined || result?.outcome !== "passed") return null;
  const groups = only ? [only.map((test) => test.path)] : await groupsFor(options, {path, verified: result});
  const inFolder = groups.filter((group) => group === null || group.some((file) => isBelow(file, stage.cwd)));
  const lines = await Promise.all(inFolder.map((files) => files && narrowed(options, {stage, files})));
  return withCommands({stage, verified: result}, lines.length === 0 ? [null] : lines);
}

/** Files of tests whose groups run one after another; null for all tests. */
async function groupsFor(
  {repository, candidate, change}: RunOptions,
  {path, verified}: {path: string; verified: StageResult},
): Promise<(readonly string[] | null)[]> {
  const changed = change.files.filter((file) => file.status !== "deleted" && isTestPath(file.path));
  const {nearest, others, isComplete} = await testFilesFor({
    ...{repository, commit: candidate.commit, path},
    changed: changed.map((file) => file.path),
  });
  if (isComplete && others.length <= MAX_JOINED) return [[...nearest, ...others]];
  return [nearest, isComplete || verified.durationMs > SHORT_MS ? others : null];
}

/** `null` is the whole stage, which is not run if it takes long; then the other commands prove nothing. */
function withCommands(about: Pick<FaultRun, "stage" | "verified">, lines: readonly (string | null)[]): FaultRun | null {
  const {name, command} = about.stage;
  const {durationMs} = about.verified;
  const [first, ...others] = [...new Set(lines)].map((line) => ({
    key: JSON.stringify([name, line ?? command]),
    line: line ?? command,
    expectedMs: line === null ? durationMs : 0,
  }));
  if (first === undefined || (lines.includes(null) && durationMs > SHORT_MS)) return null;
  return {...about, commands: [first, ...others]};
}

/**
 * Files may not be what they seem: if these commands fail without a fault, the whole stage runs in their place. Null if
 * that fails too.
 */
export function withoutCommands(run: FaultRun, isBroken: (command: TestCommand) => boolean): FaultRun | null {
  const lines = run.commands.map((one) => (isBroken(one) || one.line === run.stage.command ? null : one.line));
  const otherRun = withCommands(run, lines);
  return otherRun?.commands.some(isBroken) ? null : otherRun;
}

/**
 * The command without an early end for these tests alone, and how many must pass; null if the runner cannot select
 * them. A fault ended the run, so other tests may fail with it, too.
 */
export async function rerunFor({repository, candidate}: RunOptions, testRun: FailedRun): Promise<Rerun | null> {
  const {run, command, failed} = testRun;
  if (failed === null) return null;
  const {cwd} = run.stage;
  const scripts = await scriptsAt({repository, commit: candidate.base, cwd});
  const about = {cwd, scripts, failed: {...failed, isComplete: true}};
  // Chosen parts of a project are built faster than all of it.
  return rerunOf({...about, command: command.line}) ?? rerunOf({...about, command: run.stage.command});
}

interface FailedRun {
  readonly run: FaultRun;
  readonly command: TestCommand;
  readonly failed: FailedTests | null;
}

/** The stage's command for the tests in these files; null if the runner cannot select them. */
async function narrowed(
  {repository, candidate, only}: RunOptions,
  {stage, files}: {stage: Stage; files: readonly string[]},
): Promise<string | null> {
  const {cwd, command} = stage;
  const {commit} = candidate;
  const scripts = await scriptsAt({repository, commit: candidate.base, cwd});
  const inFolder = [...new Set(files)].filter((file) => isBelow(file, cwd));
  const about = {command, scripts, files: inFolder.map((file) => posix.relative(cwd, file)), endsEarly: !only};
  if (only)
    return chooseTests({...about, tests: only.map((test) => ({...test, file: posix.relative(cwd, test.path)}))});
  // Large files take long to read, and most runners accept files.
  const byFile = chooseTests({...about, tests: []});
  return byFile ?? chooseTests({...about, tests: await testsIn({repository, commit, files: inFolder, cwd})});
}
