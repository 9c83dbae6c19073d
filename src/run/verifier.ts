/** The verifier of a run: checkouts, the baseline, the plan and its limits. */
import {join} from "node:path";
import {openBaseline} from "../engine/baseline/baseline.ts";
import {
  type KeptBaseline,
  openKeptBaseline,
  readEarlierBaselines,
  toolVersions,
} from "../engine/baseline/kept-baseline.ts";
import {openCheckouts} from "../engine/checkout/checkout.ts";
import type {ChangeBase} from "../engine/checkout/compared-commits.ts";
import {chooseSandbox, type StageIsolation} from "../engine/isolation/choose-sandbox.ts";
import {stageHome} from "../engine/isolation/home.ts";
import {openLogs} from "../engine/stage/logs.ts";
import {measureAfterVerification, NOT_MEASURED, type TestMeasurements} from "../proof/after-verification.ts";
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import type {Sensitivity} from "../record/sensitivity.ts";
import type {Verdict, Verification} from "../record/verification.ts";
import type {SpecCheck} from "../verify/spec-drift.ts";
import {verify as verifyOnCheckout} from "../verify/verify.ts";
import type {VerifyOptions} from "../verify/verify-options.ts";
import {jobTimeWords, timeSpent} from "./budget.ts";
import {noteIsolation} from "./confine-agent.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";
import {COMMAND_FILES, downloadsFolder} from "./run-context.ts";
import {asksForTest} from "./thread.ts";
import {triesOf} from "./tries.ts";

export type Verifier = Awaited<ReturnType<typeof openVerifier>>;

/** A finished verification: `baseline` has the results to save, `close` removes the checkouts. */
export interface CheckedCandidate {
  readonly baseline: KeptBaseline | null;
  /** measures which changed lines the tests run, and whether they notice faults in them */
  readonly measureTests: () => Promise<TestMeasurements>;
  readonly close: () => Promise<void>;
}

/**
 * In separate jobs another machine gives the verdict, so the agent's job does not run what takes longer. Work of
 * several tries is compared before that, and needs all checks.
 */
const ADVISORY_SECONDS = 60;
const limitOf = (run: PreparedRun) =>
  run.context.inputs.job === "work" && triesOf(run).count === 1 ? {mostSeconds: ADVISORY_SECONDS} : {};

/** The time that a cancelled run waits for the results of its stages, which are killed after 1 s. */
const CANCEL_PATIENCE_MS = 1_500;

/**
 * Opens the verifier once for a run; the caller disposes of it. `compareWith` is the commit whose failures the change
 * does not cause; null without a change. If it is not the run's base, it gets its own install. A second verifier that
 * is open at the same time needs another `folder`.
 */
export async function openVerifier(run: PreparedRun, compareWith: string | null, options: {folder?: string} = {}) {
  const {repository, plan, wholePlan, config, toolchain, onEvent} = run;
  const {signal, variables, runner, redact, now} = run.context;
  const [fence, earlier] = await Promise.all([
    chooseSandbox({...config, folder: run.folder, isOfFork: run.head?.isFork ?? false}),
    compareWith === null ? null : readEarlierBaselines({repository, base: compareWith, now, signal}),
  ]);
  noteIsolation(run, fence);
  const isolation = fence.level;
  const home = homeOf(run, fence);
  // In the folder of the record, which names them. They stay after the checkouts are removed, so that a later step can
  // upload them.
  const logs = openLogs({folder: join(run.folder, "logs"), redact});
  const installOn = (base: string, folder: string) =>
    openCheckouts({
      folder: join(run.folder, folder),
      repository,
      base,
      setup: plan.setup,
      dependencies: {kind: "install"},
      home,
      isolation: fence,
      signal,
      onEvent,
      logs,
      hidden: [join(runner.temp, COMMAND_FILES)],
    });
  const checkouts = installOn(run.base.commit, options.folder ?? "checkouts");
  const comparesWithBase = compareWith === null || compareWith === run.base.commit;
  const baseCheckouts = comparesWithBase ? checkouts : installOn(compareWith, `base-${options.folder ?? "checkouts"}`);
  const circumstances = [isolation, fence.network, ...toolVersions({plan, variables})];
  const keptBaseline = earlier && openKeptBaseline({repository, plan, earlier, circumstances, redact, now});
  const compared = {checkouts: baseCheckouts, repository, plan, changes: [], kept: keptBaseline, signal};
  const baseline = compareWith === null ? null : openBaseline({...compared, base: compareWith});
  let runningVerification: Promise<unknown> = Promise.resolve();
  const dispose = async () => {
    await runningVerification;
    await baseline?.pause();
    await checkouts.dispose();
    await baseCheckouts.dispose();
  };
  endBeforeJob(run);
  const spent = () => timeSpent(config.budget, {elapsedMs: performance.now(), job: run.jobTime});
  const {failFast, flaky, integrity, skipPatterns, codeExtensions, coverage} = config;
  const coverageRules = {skipPatterns, codeExtensions, coverage, wholePlan};
  const parts = {coverageRules, checkouts, baseline, repository, plan, toolchain, failFast, flaky, spent, isolation};
  const verifier = {...parts, specCheck: specCheckOf(run), integrity, ...requestOptions(run), signal, onEvent};
  const verify = (choices: Omit<VerifyOptions, keyof typeof verifier>): Promise<Verification> => {
    const verified = verifyOnCheckout({...verifier, ...choices});
    const over = new AbortController();
    runningVerification = verified.catch(() => null).finally(() => over.abort());
    const firstResult = Promise.race([verified, afterCancelling({...verifier, ...choices, over: over.signal})]);
    return firstResult.then((seen) => {
      const {verdict} = seen;
      if (verdict.kind !== "unverified" || verdict.why !== "cancelled") return seen;
      return {...seen, verdict: unfinished(run, verdict.detail)};
    });
  };
  return {...verifier, kept: keptBaseline, verify, measureTests: measureWith(run, verifier), dispose};
}

function homeOf({context}: PreparedRun, isolation: StageIsolation) {
  const {realHome, variables, runner} = context;
  const hidden = {private: [runner.temp, runner.workspace]};
  return stageHome({realHome, variables, isolation, ...hidden, restored: downloadsFolder(context)});
}

function measureWith(
  {config, record}: PreparedRun,
  options: Omit<Parameters<typeof measureAfterVerification>[1], "wants" | "changeBase">,
) {
  const faultResults = new Map<string, Sensitivity | null>();
  /** `only`: an attempt whose faults the agent may be asked about, or one to compare with that of another try */
  return async (changeBase: ChangeBase | null, only?: Attempt, isCompared = false): Promise<TestMeasurements> => {
    const attempt = only ?? keptAttempt(record.current().attempts);
    if (!attempt?.candidate) return NOT_MEASURED;
    const {tree} = attempt.candidate;
    const isWanted = config.integrity.enabled && config.integrity.sensitivity !== "off";
    const sensitivity = isWanted && !faultResults.has(tree);
    const wants = {sensitivity, executedLines: config.executedLines && (only === undefined || isCompared)};
    const measured = await measureAfterVerification(attempt, {...options, changeBase, wants, isCompared});
    if (sensitivity) faultResults.set(tree, measured.sensitivity);
    return {...measured, sensitivity: faultResults.get(tree) ?? null};
  };
}

/**
 * The body of a pull request describes the change, not the work. No texts for `/undo`, which may undo a repair on
 * purpose, and for `/update`.
 */
function requestOptions(run: PreparedRun): Pick<VerifyOptions, "request" | "isBugFix" | "mostSeconds"> {
  const {title, body, isPullRequest} = run.event.thread;
  const {task, isUndo, isUpdate} = requestRules(run);
  const request = isUndo || isUpdate ? null : {title, body: isPullRequest ? "" : body, request: task ?? ""};
  return {request, isBugFix: request !== null && task !== null && asksForTest(run, request), ...limitOf(run)};
}

/** The specs come from the commit of the rules, so that a pull request cannot bring its own (P4). */
function specCheckOf({config, record, base}: PreparedRun): SpecCheck | null {
  return config.specs && {rules: config.specs, commit: record.current().rules?.commit ?? base.commit};
}

/**
 * The result of a verification for which a cancelled run does not wait, because creating a large checkout cannot be
 * interrupted.
 */
async function afterCancelling({
  candidate,
  isolation,
  signal,
  over,
}: Pick<VerifyOptions, "candidate" | "isolation" | "signal"> & {over: AbortSignal}): Promise<Verification> {
  const startMs = performance.now();
  await new Promise<void>((resolve) => {
    const waitForResult = () => void setTimeout(resolve, CANCEL_PATIENCE_MS).unref();
    if (signal.aborted) waitForResult();
    else signal.addEventListener("abort", waitForResult, {once: true, signal: over});
  });
  const verdict = {kind: "unverified" as const, why: "cancelled" as const, detail: ""};
  const durationMs = performance.now() - startMs;
  return {candidate, where: "checkout", isolation, setup: [], stages: [], verdict, durationMs};
}

/** Ends the run as a cancellation does, but early enough to save the work and report. */
export function endBeforeJob({context, jobTime: job}: PreparedRun): void {
  if (job === null) return;
  const leftMs = Math.max(0, job.endsAtMs - performance.now());
  const minutes = Math.round(leftMs / 60_000);
  context.log(`The job may take ${job.minutes} minutes; the run ends by itself after ${minutes} more.`);
  setTimeout(() => context.end(job), leftMs).unref();
}

/** The verdict of a run without a result: it was cancelled, or ended itself before the limit of its job. */
export function unfinished({context, jobTime: job}: PreparedRun, detail: string): Verdict {
  return job !== null && context.signal.reason === job
    ? {kind: "unverified", why: "out-of-time", detail: jobTimeWords(job)}
    : {kind: "unverified", why: "cancelled", detail};
}
