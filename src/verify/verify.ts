/** Verification of one candidate: setup, then the plan's stages on a fresh checkout, then the verdict. */
import {join} from "node:path";
import {openProject} from "../detect/files/open-project.ts";
import type {Repository} from "../git/repository.ts";
import type {OnEvent} from "../record/events.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Candidate, Change, Isolation, Verdict, Verification} from "../record/verification.ts";
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
  /** null where there is nothing to compare with */
  readonly baseline: Baseline | null;
  readonly repository: Repository;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true where a failure goes back to the agent: then a narrowed run that finds one is enough to say `failed` */
  readonly mayLookFirst: boolean;
  /** what the plan's commands use of the machine, as it was before anything ran; null where nobody looked */
  readonly toolchain: Toolchain | null;
  readonly coverageRules: CoverageRules;
}

/**
 * Verifies `candidate` on a checkout of its own. A first, narrowed look can only ever end it as failed: every other verdict
 * stands on the whole plan, run in checkouts that no narrowed run touched. Never rejects for what the world does; every
 * doubt is in the verdict.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const {candidate, plan, changes, before, checkouts, baseline, repository, isolation, signal} = options;
  const started = performance.now();
  const seal = (rest: Pick<Verification, "setup" | "stages" | "coverage" | "verdict">): Verification => ({
    candidate,
    where: "checkout",
    isolation,
    ...rest,
    durationMs: performance.now() - started,
  });
  const untrusted = machineVerdict(options.toolchain);
  if (untrusted !== null) return seal({setup: [], stages: [], verdict: untrusted});
  const opened = await checkouts.open({commit: candidate.commit, changes});
  if (!opened.ok) return seal({setup: [], stages: [], verdict: gateError(opened.failure)});
  const {surroundings, setup, setupFailedOnBase, another} = opened.value;
  const rules = options.coverageRules;
  const coverage = await findCoverage({
    repository,
    commit: candidate.commit,
    folder: surroundings.folder,
    changes,
    rules,
  });
  if (!coverage.ok) return seal({setup: [...setup], stages: [], verdict: gateError(coverage.failure)});
  const isReady = setup.every((step) => step.outcome === "passed");
  const {commit, base} = candidate;
  const {folder} = surroundings;
  const scripts = (cwd: string) => scriptsAt({repository, commit: base, cwd});
  const written = await expandScripts(plan.stages, scripts);
  const apart = isolatedStages(plan.stages, written);
  const {readText} = repository;
  const tookMs = (stage: Stage) => baseline?.tookMs(stage) ?? null;
  const mayLook = options.mayLookFirst && isReady && another !== null;
  const ran = await runStages({
    options,
    rooms: {shared: surroundings, another, apart},
    blockedBy: isReady ? "" : "setup did not pass",
    baseline,
    look: mayLook
      ? await planAffectedRun({plan, changes, before, folder, base, written, apart, tookMs, readText})
      : null,
    findRewritten: (place, spare) => rewrittenFiles({repository, folder: place, commit, spare}),
    scripts,
  });
  const {blocking} = findUnread(coverage.value, ran.stages);
  const isShare = plan.stages.length < rules.wholePlan.stages.length;
  const uncovered = isShare ? [] : blocking;
  const verdict =
    machineVerdict(options.toolchain) ??
    decideVerdict({
      setup,
      setupFailedOnBase,
      ...ran,
      cancelled: signal.aborted,
      uncovered,
      isBase: changes.length === 0,
    });
  return seal({setup: [...setup], stages: ran.stages, coverage: coverage.value, verdict});
}

function gateError(failure: Failure): Verdict {
  const detail = "message" in failure ? failure.message : failure.kind;
  return {kind: "unverified", why: "gate-error", detail};
}

/** `--in-place`: the stages run in the working folder itself, with no setup and no check of what they rewrite. */
export async function verifyInPlace(o: {
  plan: Plan;
  only: readonly string[];
  failFast: boolean;
  changes: readonly Change[];
  flaky: readonly string[];
  surroundings: StageEnvironment;
  toolchain: Toolchain | null;
  coverageRules: CoverageRules;
  onEvent: OnEvent;
}): Promise<Verification> {
  const started = performance.now();
  const {surroundings} = o;
  const seal = (rest: Pick<Verification, "stages" | "coverage" | "verdict">): Verification => {
    const {isolation} = surroundings;
    const durationMs = performance.now() - started;
    return {candidate: null, where: "in-place", isolation, setup: [], ...rest, durationMs};
  };
  const untrusted = machineVerdict(o.toolchain);
  if (untrusted !== null) return seal({stages: [], verdict: untrusted});
  const ran = await runStages({
    options: {...o, before: null, spent: () => null},
    rooms: {shared: surroundings, another: null, apart: new Set()},
    blockedBy: "",
    baseline: null,
    look: null,
    findRewritten: async () => [],
    scripts: (cwd) => scriptsOf(join(surroundings.folder, cwd)),
  });
  const cancelled = surroundings.signal.aborted;
  const tree = await openProject(surroundings.folder);
  const coverage = coverageIn({tree, changes: o.changes, rules: o.coverageRules});
  const uncovered = findUnread(coverage, ran.stages).blocking;
  const verdict =
    machineVerdict(o.toolchain) ??
    decideVerdict({setup: [], setupFailedOnBase: false, ...ran, cancelled, uncovered, isBase: o.changes.length === 0});
  return seal({stages: ran.stages, coverage, verdict});
}
