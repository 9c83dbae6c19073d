/** Tells chance from fault in a test stage: what failed is run once more, what is new or changed three times, on the same tree. */
import type {FailedTests} from "../../diagnostics/failed-tests.ts";
import {type Rerun, rerunOf} from "../../diagnostics/rerun.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import type {FailedTest} from "../../tools/tool.ts";
import {changedTests, commandFor} from "./changed-tests.ts";
import {failedIn, flakyResult, isListed, namesOf, passedOnRerun, shouldRerun} from "./flaky.ts";

/** New or changed tests must pass so often. */
const PASSES = 3;
/** Where they never pass alone they need what other files set up, and nothing can be said of chance. */
const TRIES_ALONE = 4;
/** A suite that takes longer is not run three times as a whole. */
const SHORT_MS = 30_000;
/** How often, and how long, the base is asked whether it flakes in the same test. */
const TRIES_ON_BASE = 4;
const BASE_MS = 60_000;

interface Options {
  /** the stage's first run, held against the base already */
  readonly first: StageResult;
  readonly stage: Stage;
  readonly changes: readonly Change[];
  /** ids of the base's verify.json */
  readonly known: readonly string[];
  /** those of the package.json beside the stage */
  readonly scripts: () => Promise<Readonly<Record<string, string>>>;
  /** runs another command in the stage's place, on the candidate */
  readonly here: (command: string) => Promise<StageResult>;
  /** the same on the base, null where that cannot be done; null where there is no base */
  readonly onBase: ((command: string) => Promise<StageResult | null>) | null;
  readonly isSpent: () => boolean;
}

/**
 * Gives the first result, or one with the outcome `flaky` where the same tree failed and passed. Timeouts and long lists of
 * failures are never looked at again.
 */
export async function rerunFailed(o: Options): Promise<StageResult> {
  const {first, stage} = o;
  if (o.isSpent()) return first;
  if (shouldRerun(first)) return lookAtFailed(o);
  const files = first.outcome === "passed" && stage.kind === "test" ? changedTests(o.changes, stage.cwd) : [];
  return files.length === 0 ? first : repeat({...o, files});
}

async function lookAtFailed(o: Options): Promise<StageResult> {
  const {first, stage} = o;
  const narrowed = await narrow(o, first);
  const second = await o.here(narrowed?.command ?? stage.command);
  if (!passedOnRerun({first, second, least: narrowed?.tests ?? null})) return first;
  const how = narrowed === null ? "" : `, of these tests alone: \`${narrowed.command}\``;
  const reason = `failed (${first.reason})${namesOf(first)}, then passed on a second run of the same tree${how}`;
  const durationMs = first.durationMs + second.durationMs;
  return flakyResult({failed: first, reason, durationMs, excuse: await excuseFor(o, first)});
}

async function repeat(o: Options & {files: readonly string[]}): Promise<StageResult> {
  const {first, stage, files} = o;
  const alone = commandFor({stage, files, scripts: await o.scripts()});
  if (alone === null && first.durationMs > SHORT_MS) return first;
  const runs: StageResult[] = [];
  const passes = () => runs.filter(({outcome}) => outcome === "passed").length;
  const red = () => runs.find(({outcome}) => outcome !== "passed");
  const isSettled = () => passes() + 1 >= PASSES || (red() !== undefined && (passes() > 0 || alone === null));
  while (!isSettled() && runs.length < TRIES_ALONE && !o.isSpent()) {
    const again = await o.here(alone ?? stage.command);
    const isChance = again.outcome === "timed-out" || (again.outcome === "failed" && again.failureKind === "code");
    // Nothing was run, or the machine failed: no word about these tests.
    if (again.outcome !== "passed" && !isChance) return first;
    runs.push(again);
    if (again.outcome === "timed-out") break;
  }
  const failed = red();
  if (failed === undefined || (alone !== null && passes() === 0 && failed.outcome !== "timed-out")) return first;
  const reason = `passed, then failed (${failed.reason})${namesOf(failed)} when its new or changed tests were run again on the same tree: \`${alone ?? stage.command}\``;
  const durationMs = [first, ...runs].reduce((sum, run) => sum + run.durationMs, 0);
  const shown = {...failed, command: first.command, tests: first.tests};
  return flakyResult({failed: shown, reason, durationMs, excuse: await excuseFor(o, failed)});
}

async function narrow(o: Options, failed: StageResult): Promise<(Rerun & {tests: number; of: FailedTests}) | null> {
  const of = failedIn(failed);
  if (of === null) return null;
  const {command, cwd} = o.stage;
  const rerun = rerunOf({command, cwd, failed: of, scripts: await o.scripts()});
  return rerun === null ? null : {...rerun, of};
}

/** Why a flaky failure does not stand in the way: it is known, or the base flakes in the same tests. Null where it does. */
async function excuseFor(o: Options, failed: StageResult): Promise<string | null> {
  if (isListed(failed, o.known)) return "verify.json lists what failed as flaky";
  return (await flakesOnBase(o, failed)) ? "the base fails and passes in the same way" : null;
}

/** True once each failing test has been seen to fail and to pass on the base; a base that cannot be asked excuses nothing. */
async function flakesOnBase(o: Options, failed: StageResult): Promise<boolean> {
  const narrowed = o.onBase === null ? null : await narrow(o, failed);
  if (narrowed === null || o.onBase === null) return false;
  const seen = new Map(narrowed.of.tests.map((test) => [idOf(test), new Set<"passed" | "failed">()]));
  const began = performance.now();
  for (let tries = 0; tries < TRIES_ON_BASE && performance.now() - began < BASE_MS && !o.isSpent(); tries++) {
    const result = await o.onBase(narrowed.command);
    const red = result === null ? null : failuresIn(result, narrowed.tests);
    if (red === null) return false;
    for (const [id, ways] of seen) ways.add(red.has(id) ? "failed" : "passed");
    if ([...seen.values()].every(({size}) => size === 2)) return true;
  }
  return false;
}

/** The tests that failed in one run on the base; null where it does not tell. */
function failuresIn(result: StageResult, least: number): Set<string> | null {
  if (result.outcome === "passed") return (result.tests?.passed ?? 0) >= least ? new Set() : null;
  const failed = result.outcome === "failed" ? failedIn(result) : null;
  return failed?.isComplete ? new Set(failed.tests.map(idOf)) : null;
}

const idOf = ({file, name}: FailedTest): string => JSON.stringify([file, name]);
