/** Runs one scheduled stage: chooses its checkout, compares it with the base, and reruns flaky tests. */

import {isDoubtful, whyLessThanBase} from "../diagnostics/doubtful-pass.ts";
import type {OnEvent} from "../record/events.ts";
import {isPartlyRun, type StageResult} from "../record/evidence.ts";
import {isCausedByChange} from "../record/failure-cause.ts";
import type {Plan, Stage} from "../record/plan.ts";
import {type Change, changedPaths, type Verification} from "../record/verification.ts";
import type {PackageScripts} from "../shell/started-script.ts";
import type {AffectedRun} from "./affected/affected-run.ts";
import type {Baseline} from "./baseline/baseline.ts";
import type {CheckoutKind, openStageCheckouts, StageCheckouts} from "./checkout/stage-checkouts.ts";
import {rerunFailed} from "./flakes/rerun-failed.ts";
import {prerequisitesOf} from "./schedule/order.ts";
import type {ScheduledStage} from "./schedule/schedule.ts";
import {blockedReason, isOptional, isRequested, skipReason, stopsOthers} from "./schedule/skip-reasons.ts";
import {isDeterministic} from "./stage/outcome.ts";
import {notRun} from "./stage/stage.ts";

export interface StagesOptions {
  readonly plan: Plan;
  readonly changes: readonly Change[];
  /** requested names or kinds of stages; empty for all. A stage requested by name is required */
  readonly only: readonly string[];
  readonly failFast: boolean;
  /** the verification before a fix, whose failed stages run first; null for the first verification */
  readonly previous: Verification | null;
  /** why no further stage may start; null while stages may start */
  readonly spent: () => string | null;
  /** ids of known flaky tests from the base's verify.json */
  readonly flaky: readonly string[];
  readonly onEvent: OnEvent;
  /** a check that takes longer than this is left to another machine; absent if no other machine verifies the change */
  readonly mostSeconds?: number | undefined;
}

/** The options and the progress of one pass over the plan. */
export interface PipelineState {
  readonly options: StagesOptions;
  readonly checkouts: StageCheckouts;
  /** why no stage may start; empty if stages may start */
  readonly blockedBy: string;
  readonly baseline: Baseline | null;
  /** the package.json scripts that commands in this folder may use */
  readonly scripts: (cwd: string) => Promise<PackageScripts>;
  readonly affectedRun: AffectedRun;
  /** stages with a separate checkout */
  readonly isolated: Set<Stage>;
  readonly runIn: ReturnType<typeof openStageCheckouts>;
  /** stops running stages, under `failFast` */
  readonly stop: AbortController;
  /** stages whose start event was emitted; only these emit an end event */
  readonly started: Set<Stage>;
  readonly results: StageResult[];
  readonly skipped: Set<string>;
  /** names of the stages that are left to another machine */
  readonly left: Set<string>;
  outOfTime: string;
}

type Scheduled = "done" | "again";

/** Runs a stage of the plan, or a narrowed one. Returns `"again"` if the stage must run again, alone. */
export function runScheduledStage(state: PipelineState, stage: Stage, slot: ScheduledStage): Promise<Scheduled> {
  return state.affectedRun.narrowed.has(stage) ? runNarrowed(state, stage, slot) : runWhole(state, stage, slot);
}

/** The result is only for the affected run; the record gets a result when the whole stage is scheduled. */
async function runNarrowed(state: PipelineState, stage: Stage, slot: ScheduledStage): Promise<Scheduled> {
  const result = reasonNotToStart(state, stage) === "" ? await runAndCompare(state, stage, slot) : null;
  if (result === "again") return "again";
  state.affectedRun.add(stage, result === "long" ? null : result);
  return "done";
}

async function runWhole(state: PipelineState, stage: Stage, slot: ScheduledStage): Promise<Scheduled> {
  const {affectedRun, options} = state;
  const whySkipped = skipReason(stage, {...options, stages: options.plan.stages});
  if (whySkipped !== "") {
    state.skipped.add(stage.name);
    return finish(state, stage, skippedResult(stage, whySkipped));
  }
  const isLeft = isLeftToOthers(state, stage);
  const replacement = affectedRun.replacementFor(stage, isLeft);
  if (replacement !== null) return finish(state, stage, replacement);
  const reason = reasonNotToStart(state, stage);
  const result = isLeft ? "long" : reason === "" ? await runAndCompare(state, stage, slot) : null;
  if (result === "again") return "again";
  if (result === "long") return leaveToOthers(state, stage, isLeft);
  affectedRun.add(stage, result);
  if (reason !== "") return finish(state, stage, skippedResult(stage, reason));
  if (result !== null) return finish(state, stage, explainStop(state, stage, result));
  return finish(state, stage, notRun(stage, {outcome: "unavailable", reason: "it has no checkout to run in"}));
}

/** True for a stage that took longer than `mostSeconds` before a fix or on the base. */
export function isLong(
  stage: Stage,
  {mostSeconds, previous, baseline}: Pick<StagesOptions, "mostSeconds" | "previous"> & {baseline: Baseline | null},
): boolean {
  if (mostSeconds === undefined) return false;
  const last = previous?.stages.find(({name}) => name === stage.name);
  if (last !== undefined && (isPartlyRun(last) || last.durationMs >= mostSeconds * 1_000)) return true;
  return baseline?.takes(stage, mostSeconds * 1_000) === true;
}

/** A stage also waits for the machine that runs what it needs. */
function isLeftToOthers({options, baseline, left}: PipelineState, stage: Stage): boolean {
  const needed = prerequisitesOf(stage, options.plan);
  return needed.some(({name}) => left.has(name)) || isLong(stage, {...options, baseline});
}

/** A narrowed run that passed is the result of a stage that is left to another machine. */
function leaveToOthers(state: PipelineState, stage: Stage, isKnown: boolean): Promise<"done"> {
  const {mostSeconds = 0, previous} = state.options;
  state.affectedRun.add(stage, null);
  const part = state.affectedRun.replacementFor(stage, true);
  if (part !== null) return finish(state, stage, part);
  state.left.add(stage.name);
  const reason = `left to the machine that verifies the change: it takes longer than ${mostSeconds} s`;
  const lastMs = previous?.stages.find(({name}) => name === stage.name)?.durationMs ?? 0;
  return finish(state, stage, {...skippedResult(stage, reason), durationMs: isKnown ? lastMs : mostSeconds * 1_000});
}

/** Runs the stage, compares it with the base, and reruns failed tests. Returns null if it has no checkout. */
async function runAndCompare(
  state: PipelineState,
  stage: Stage,
  slot: ScheduledStage,
): Promise<StageResult | null | "again" | "long"> {
  const {options, baseline, affectedRun, isolated, checkouts} = state;
  const plannedStage = affectedRun.narrowed.get(stage) ?? stage;
  const timeout = Math.min(stage.timeout, options.mostSeconds ?? stage.timeout);
  const stageToRun = {...stage, timeout, optional: isOptionalIn(options, stage)};
  emitStart(state, plannedStage);
  const stop = affectedRun.signalFor(stage);
  const signals = [slot.signal, state.stop.signal, ...(stop ? [stop] : [])];
  const kind = checkoutKindOf(state, stage);
  const runCommand = (command: string) => state.runIn({...stageToRun, command}, kind, signals);
  const result = await runCommand(stage.command);
  if (result === null && kind !== "separate") return null;
  if (result?.outcome === "timed-out" && timeout < stage.timeout) return "long";
  if (result === null || (slot.hadCompany() && (slot.signal.aborted || mayBeContention(result)))) {
    // Without a separate checkout it uses the shared one, when no other stage runs.
    isolated.delete(stage);
    return "again";
  }
  const labeledResult =
    plannedStage === stage ? result : {...result, command: plannedStage.command, narrowed: stage.command};
  const comparedResult = baseline === null ? labeledResult : await baseline.compare(plannedStage, labeledResult);
  const firstResult = await checkDoubtfulPass(state, plannedStage, comparedResult);
  if (firstResult.narrowed !== undefined && firstResult.outcome === "passed") return firstResult;
  return rerunFailed({
    first: firstResult,
    stage: stageToRun,
    changes: options.changes,
    knownFlaky: options.flaky,
    scripts: () => state.scripts(stage.cwd),
    runOnCandidate: async (command) => (await runCommand(command)) ?? result,
    runOnBase: baseline === null ? null : (command) => baseline.rerun(plannedStage, command),
    isSpent: () => [checkouts.shared.signal, ...signals].some(({aborted}) => aborted) || options.spent() !== null,
  });
}

/** Checks a pass with little evidence against the base: tests that ran there must run here. */
async function checkDoubtfulPass(
  {baseline, options}: PipelineState,
  stage: Stage,
  result: StageResult,
): Promise<StageResult> {
  if (baseline === null || !isDoubtful(result) || options.spent() !== null) return result;
  const base = await baseline.onBase(stage);
  const reason =
    base === null ? "" : whyLessThanBase({candidate: result, base, changed: changedPaths(options.changes)});
  if (reason === "") return result;
  return {...result, outcome: "unavailable", failureKind: "no-check", reason: `exit code 0, but ${reason}`};
}

function checkoutKindOf({isolated, affectedRun}: PipelineState, stage: Stage): CheckoutKind {
  if (isolated.has(stage)) return "separate";
  return affectedRun.narrowed.has(stage) ? "affected" : "shared";
}

function emitStart({options, started}: PipelineState, stage: Stage): void {
  if (!started.has(stage)) {
    const {stages} = options.plan;
    const stageToRun = {...stage, optional: isOptionalIn(options, stage)};
    options.onEvent({kind: "stage-started", stage: stageToRun, index: stages.indexOf(stage) + 1, of: stages.length});
  }
  started.add(stage);
}

/** Adds the result to the others and emits the end event. */
async function finish(state: PipelineState, stage: Stage, stageResult: StageResult): Promise<"done"> {
  const {options, started, results, stop} = state;
  const {stages} = options.plan;
  const optional = isOptionalIn(options, stage) || (await isSeenToFail(state, stage, stageResult));
  const result = {...stageResult, optional};
  if (started.has(stage)) {
    options.onEvent({kind: "stage-finished", result, index: stages.indexOf(stage) + 1, of: stages.length});
  }
  results.push(result);
  if (options.failFast && stopsOthers(result)) stop.abort();
  return "done";
}

/**
 * True for an unproved stage that the base does not pass either: then nothing shows that it can pass here. Without a run
 * of the base that shows it, the stage decides.
 */
async function isSeenToFail({options, baseline}: PipelineState, stage: Stage, result: StageResult): Promise<boolean> {
  const {changes, only, spent} = options;
  if (stage.unproved !== true || result.outcome === "passed" || result.outcome === "skipped") return false;
  // The base may fail it, too, and the change adds failures.
  const {outcome, new: added = []} = result.baseline ?? {};
  const hasAdded = added.length > 0 || (outcome === "new" && isCausedByChange(result));
  if (isRequested(stage, only) || hasAdded) return false;
  if (changes.length === 0) return true;
  const base = baseline === null || spent() !== null ? null : await baseline.onBase(stage);
  return base !== null && base.outcome !== "passed" && base.outcome !== "skipped";
}

/** Empty if the stage may start. Records that the time has run out, because that explains a missing verdict. */
function reasonNotToStart(state: PipelineState, stage: Stage): string {
  state.outOfTime ||= state.options.spent() ?? "";
  return whyBlocked(state, stage) || state.outOfTime;
}

function whyBlocked({results, options, checkouts, blockedBy}: PipelineState, stage: Stage): string {
  const isCancelled = checkouts.shared.signal.aborted;
  return blockedReason(stage, {results, failFast: options.failFast, isCancelled, blockedBy});
}

/** Replaces the reason of a stage that was stopped by `failFast` or by an affected run. */
function explainStop(state: PipelineState, stage: Stage, result: StageResult): StageResult {
  const {affectedRun, checkouts, stop} = state;
  if (result.outcome !== "skipped" || checkouts.shared.signal.aborted) return result;
  const reason = stop.signal.aborted ? whyBlocked(state, stage) : "";
  return affectedRun.replacementFor(stage) ?? (reason === "" ? result : skippedResult(stage, reason));
}

const isOptionalIn = ({plan, only}: StagesOptions, stage: Stage) => isOptional(stage, {stages: plan.stages, only});
const skippedResult = (stage: Stage, reason: string) => notRun(stage, {outcome: "skipped", reason});

/** Parallel stages share cores and memory, so a failure for lack of these does not concern the code. */
function mayBeContention(result: StageResult): boolean {
  return (result.outcome === "failed" || result.outcome === "timed-out") && !isDeterministic(result);
}
