/** Verifies one candidate: setup, then the plan's stages on a fresh checkout, then the verdict. */
import {join} from "node:path";
import {openProject} from "../detect/files/open-project.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Stage} from "../record/plan.ts";
import type {Candidate, Isolation, Verdict, Verification} from "../record/verification.ts";
import {planAffectedRun} from "./affected/plan-affected-run.ts";
import type {Baseline} from "./baseline/baseline.ts";
import type {Checkouts} from "./checkout/checkout.ts";
import {rewrittenFiles} from "./checkout/rewritten-files.ts";
import {expandScripts} from "./commands/expand-scripts.ts";
import {isolatedStages} from "./commands/isolated-stages.ts";
import {scriptsAt, scriptsOf} from "./commands/scripts.ts";
import {findUnread} from "./coverage.ts";
import {type CoverageRules, coverageIn, findCoverage} from "./find-coverage.ts";
import {machineVerdict} from "./machine-check.ts";
import {runStages} from "./run-stages.ts";
import type {StageEnvironment} from "./stage/stage.ts";
import type {StagesOptions} from "./stage-run.ts";
import type {Toolchain} from "./toolchain.ts";
import {decideVerdict} from "./verdict.ts";

export interface VerifyOptions extends StagesOptions {
  readonly candidate: Candidate;
  readonly checkouts: Checkouts;
  /** null if there is nothing to compare with */
  readonly baseline: Baseline | null;
  readonly repository: Repository;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true if failures go back to the agent: then a narrowed run with a failure is enough for the verdict `failed` */
  readonly mayRunAffectedFirst: boolean;
  /** the machine's programs that the plan uses, recorded before anything ran; null if they were not recorded */
  readonly toolchain: Toolchain | null;
  readonly coverageRules: CoverageRules;
}

/**
 * Verifies `candidate` on its own checkout. An affected run can only lead to the verdict `failed`. Every other verdict is based
 * on the whole plan, in checkouts that no narrowed run has used. Expected errors do not reject; they are in the verdict.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const {candidate, plan, changes, checkouts, repository, coverageRules: rules} = options;
  const {commit} = candidate;
  const begin = performance.now();
  const seal = (rest: Pick<Verification, "setup" | "stages" | "coverage" | "verdict">): Verification => ({
    candidate,
    where: "checkout",
    isolation: options.isolation,
    ...rest,
    durationMs: performance.now() - begin,
  });
  const untrusted = machineVerdict(options.toolchain);
  if (untrusted !== null) return seal({setup: [], stages: [], verdict: untrusted});
  const opened = await checkouts.open({commit, changes});
  if (!opened.ok) return seal({setup: [], stages: [], verdict: gateError(opened.failure)});
  const {environment, setupFailedOnBase, openAnother} = opened.value;
  const setup = [...opened.value.setup];
  const coverage = await findCoverage({repository, commit, folder: environment.folder, changes, rules});
  if (!coverage.ok) return seal({setup, stages: [], verdict: gateError(coverage.failure)});
  const isReady = setup.every((step) => step.outcome === "passed");
  const pass = await runPlan({options, environment, openAnother, isReady});
  const isShard = plan.stages.length < rules.wholePlan.stages.length;
  const verdict =
    machineVerdict(options.toolchain) ??
    decideVerdict({
      setup,
      setupFailedOnBase,
      ...pass,
      cancelled: options.signal.aborted,
      uncovered: isShard ? [] : findUnread(coverage.value, pass.stages).blocking,
      isBase: changes.length === 0,
    });
  return seal({setup, stages: pass.stages, coverage: coverage.value, verdict});
}

async function runPlan(o: {
  options: VerifyOptions;
  environment: StageEnvironment;
  openAnother: Parameters<typeof runStages>[0]["checkouts"]["openAnother"];
  isReady: boolean;
}) {
  const {options, environment, openAnother, isReady} = o;
  const {plan, baseline, repository} = options;
  const {commit, base} = options.candidate;
  const scripts = (cwd: string) => scriptsAt({repository, commit: base, cwd});
  const expanded = await expandScripts(plan.stages, scripts);
  const isolated = isolatedStages(plan.stages, expanded);
  const durationMs = (stage: Stage) => baseline?.durationMs(stage) ?? null;
  const {folder} = environment;
  const {readText} = repository;
  const mayRunAffected = options.mayRunAffectedFirst && isReady && openAnother !== null;
  return runStages({
    options,
    checkouts: {shared: environment, openAnother, isolated},
    blockedBy: isReady ? "" : "setup did not pass",
    baseline,
    affectedPlan: mayRunAffected
      ? await planAffectedRun({...options, folder, base, expanded, isolated, durationMs, readText})
      : null,
    restoreRewritten: (checkout, except) => rewrittenFiles({repository, folder: checkout, commit, except}),
    scripts,
  });
}

function gateError(failure: Failure): Verdict {
  const detail = "message" in failure ? failure.message : failure.kind;
  return {kind: "unverified", why: "gate-error", detail};
}

type InPlaceOptions = Omit<StagesOptions, "previous" | "spent"> &
  Pick<VerifyOptions, "toolchain" | "coverageRules"> & {readonly environment: StageEnvironment};

/** Implements `--in-place`: the stages run in the working folder, without setup and without a check of rewritten files. */
export async function verifyInPlace(options: InPlaceOptions): Promise<Verification> {
  const {environment, changes, toolchain} = options;
  const begin = performance.now();
  const seal = (rest: Pick<Verification, "stages" | "coverage" | "verdict">): Verification => {
    const durationMs = performance.now() - begin;
    return {candidate: null, where: "in-place", isolation: environment.isolation, setup: [], ...rest, durationMs};
  };
  const untrusted = machineVerdict(toolchain);
  if (untrusted !== null) return seal({stages: [], verdict: untrusted});
  const pass = await runStages({
    options: {...options, previous: null, spent: () => null},
    checkouts: {shared: environment, openAnother: null, isolated: new Set()},
    blockedBy: "",
    baseline: null,
    affectedPlan: null,
    restoreRewritten: async () => [],
    scripts: (cwd) => scriptsOf(join(environment.folder, cwd)),
  });
  const cancelled = environment.signal.aborted;
  const tree = await openProject(environment.folder);
  const coverage = coverageIn({tree, changes, rules: options.coverageRules});
  const uncovered = findUnread(coverage, pass.stages).blocking;
  const verdict =
    machineVerdict(toolchain) ??
    decideVerdict({setup: [], setupFailedOnBase: false, ...pass, cancelled, uncovered, isBase: changes.length === 0});
  return seal({stages: pass.stages, coverage, verdict});
}
