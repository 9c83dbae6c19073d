/** Verifies one candidate: setup, then the plan's stages on a fresh checkout, then the verdict. */
import {join} from "node:path";
import {openProject} from "../detect/files/open-project.ts";
import type {Repository} from "../git/repository.ts";
import {deviceProblem, ownPrograms} from "../process/own-programs.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Failure} from "../record/failure.ts";
import type {Stage} from "../record/plan.ts";
import type {Candidate, Isolation, Verdict, Verification} from "../record/verification.ts";
import {planAffectedRun} from "./affected/plan-affected-run.ts";
import type {Baseline} from "./baseline/baseline.ts";
import type {Checkouts} from "./checkout/checkout.ts";
import {rewrittenFiles} from "./checkout/rewritten-files.ts";
import {expandScripts, scriptsAt, scriptsOf} from "./commands/expand-scripts.ts";
import {isolatedStages} from "./commands/isolated-stages.ts";
import {findUnread} from "./coverage.ts";
import {type CoverageRules, coverageIn, findCoverage} from "./find-coverage.ts";
import {runStages} from "./run-stages.ts";
import {checkSpecDrift, type SpecCheck, withSpecDrift} from "./spec-drift.ts";
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
  /** without it, specs are not compared with the change */
  readonly specCheck?: SpecCheck | null;
}

/**
 * Verifies `candidate` on its own checkout. An affected run can only lead to the verdict `failed`. Every other verdict is based
 * on the whole plan, in checkouts that no narrowed run has used. Expected errors do not reject; they are in the verdict.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const {candidate, plan, changes, checkouts, repository, coverageRules: rules, isolation, toolchain} = options;
  const {commit} = candidate;
  return verifyOnMachine({candidate, where: "checkout", isolation, toolchain}, async () => {
    const opened = await checkouts.open({commit, changes});
    if (!opened.ok) return {setup: [], stages: [], verdict: gateError(opened.failure)};
    const {environment, setupFailedOnBase, openAnother} = opened.value;
    const setup = [...opened.value.setup];
    const coverage = await findCoverage({repository, commit, folder: environment.folder, changes, rules});
    if (!coverage.ok) return {setup, stages: [], verdict: gateError(coverage.failure)};
    const isReady = setup.every((step) => step.outcome === "passed");
    const pass = await runPlan({options, environment, openAnother, isReady});
    const isShard = plan.stages.length < rules.wholePlan.stages.length;
    const uncovered = isShard ? [] : findUnread(coverage.value, pass.stages).blocking;
    const seen = {setup, setupFailedOnBase, ...pass, uncovered};
    const verdict = decideVerdict({...seen, cancelled: options.signal.aborted, isBase: changes.length === 0});
    const drift = await findSpecDrift(options, pass.stages);
    return {
      setup,
      stages: [...pass.stages, ...drift],
      coverage: coverage.value,
      verdict: withSpecDrift(verdict, drift),
    };
  });
}

/** Nobody asked for it if only some stages are requested. */
async function findSpecDrift(options: VerifyOptions, stages: readonly StageResult[]): Promise<StageResult[]> {
  const {specCheck: check, only, coverageRules} = options;
  if (!check || only.length > 0) return [];
  return checkSpecDrift({...options, check, stages, codeExtensions: coverageRules.codeExtensions});
}

type Findings = Pick<Verification, "setup" | "stages" | "coverage" | "verdict">;

/** Runs `work` on a trustworthy machine, and checks after it whether the machine still is: a stage reaches what the agent reaches. */
async function verifyOnMachine(
  {toolchain, ...about}: Pick<Verification, "candidate" | "where" | "isolation"> & Pick<VerifyOptions, "toolchain">,
  work: () => Promise<Findings>,
): Promise<Verification> {
  const startMs = performance.now();
  const untrusted = machineVerdict(toolchain);
  const findings = untrusted === null ? await work() : {setup: [], stages: [], verdict: untrusted};
  const verdict = machineVerdict(toolchain) ?? findings.verdict;
  return {...about, ...findings, verdict, durationMs: performance.now() - startMs};
}

/** The report names at most this many changed programs. */
const MAX_SHOWN = 5;

/** The verdict if device files, Assay's own programs or the plan's tools are not trustworthy, else null. */
function machineVerdict(toolchain: Toolchain | null): Verdict | null {
  const device = deviceProblem();
  if (device !== null) return {kind: "unverified", why: "gate-error", detail: `${device.what}; ${device.fix}`};
  const changed = [...ownPrograms().changed(), ...(toolchain?.changed() ?? [])];
  if (changed.length === 0) return null;
  const shown = changed.slice(0, MAX_SHOWN).join("; ");
  const more = changed.length > MAX_SHOWN ? `; and ${changed.length - MAX_SHOWN} more` : "";
  const advice =
    "Programs and settings of the machine must stay as they were when the run started; install them in a step before Assay";
  return {kind: "unverified", why: "gate-error", detail: `${shown}${more}. ${advice}`};
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
  const {environment, changes, toolchain, coverageRules: rules} = options;
  const {folder, isolation, signal} = environment;
  return verifyOnMachine({candidate: null, where: "in-place", isolation, toolchain}, async () => {
    const pass = await runStages({
      options: {...options, previous: null, spent: () => null},
      checkouts: {shared: environment, openAnother: null, isolated: new Set()},
      blockedBy: "",
      baseline: null,
      affectedPlan: null,
      restoreRewritten: async () => [],
      scripts: (cwd) => scriptsOf(join(folder, cwd)),
    });
    const coverage = coverageIn({tree: await openProject(folder), changes, rules});
    const seen = {setup: [], setupFailedOnBase: false, ...pass, uncovered: findUnread(coverage, pass.stages).blocking};
    const verdict = decideVerdict({...seen, cancelled: signal.aborted, isBase: changes.length === 0});
    return {setup: [], stages: pass.stages, coverage, verdict};
  });
}
