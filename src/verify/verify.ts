/** Verification of one candidate: setup, then the plan's stages on a fresh checkout, then the verdict. */
import {join} from "node:path";
import type {Repository} from "../changes/repository.ts";
import type {OnEvent} from "../events.ts";
import type {Plan} from "../record/plan.ts";
import type {Candidate, Change, Isolation, Verification} from "../record/verification.ts";
import type {Baseline} from "./baseline.ts";
import type {Checkouts} from "./checkout.ts";
import {rewrittenFiles} from "./rewritten.ts";
import {scriptsAt, scriptsOf} from "./scripts.ts";
import type {Surroundings} from "./stage.ts";
import {runStages, type StagesOptions} from "./stages.ts";
import {judge} from "./verdict.ts";

export interface VerifyOptions extends StagesOptions {
  readonly candidate: Candidate;
  readonly checkouts: Checkouts;
  /** null where there is nothing to compare with */
  readonly baseline: Baseline | null;
  readonly repository: Repository;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
}

/** Verifies `candidate` on a checkout of its own. Never rejects for what the world does; every doubt is in the verdict. */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const started = performance.now();
  const seal = (rest: Pick<Verification, "setup" | "stages" | "verdict">): Verification => ({
    candidate: options.candidate,
    where: "checkout",
    isolation: options.isolation,
    ...rest,
    durationMs: performance.now() - started,
  });
  const opened = await options.checkouts.open({commit: options.candidate.commit, changes: options.changes});
  if (!opened.ok) {
    const detail = "message" in opened.failure ? opened.failure.message : opened.failure.kind;
    return seal({setup: [], stages: [], verdict: {kind: "unverified", why: "gate-error", detail}});
  }
  const {surroundings, setup, setupFailedOnBase} = opened.value;
  const isReady = setup.every((step) => step.outcome === "passed");
  const {stages, irrelevant, outOfTime} = await runStages({
    options,
    surroundings,
    blockedBy: isReady ? "" : "setup did not pass",
    baseline: options.baseline,
    findRewritten: (folder, spare) => rewrittenFiles({...options, folder, spare, commit: options.candidate.commit}),
    scripts: (cwd) => scriptsAt({repository: options.repository, commit: options.candidate.base, cwd}),
  });
  const cancelled = options.signal.aborted;
  const verdict = judge({setup, setupFailedOnBase, stages, irrelevant, cancelled, outOfTime});
  return seal({setup: [...setup], stages, verdict});
}

/** `--in-place`: the stages run in the working folder itself, with no setup and no check of what they rewrite. */
export async function verifyInPlace(o: {
  plan: Plan;
  only: readonly string[];
  failFast: boolean;
  changes: readonly Change[];
  flaky: readonly string[];
  surroundings: Surroundings;
  onEvent: OnEvent;
}): Promise<Verification> {
  const started = performance.now();
  const {surroundings} = o;
  const {stages, irrelevant} = await runStages({
    options: {...o, before: null, spent: () => null},
    surroundings,
    blockedBy: "",
    baseline: null,
    findRewritten: async () => [],
    scripts: (cwd) => scriptsOf(join(surroundings.folder, cwd)),
  });
  const cancelled = surroundings.signal.aborted;
  const verdict = judge({setup: [], setupFailedOnBase: false, stages, irrelevant, cancelled, outOfTime: ""});
  const durationMs = performance.now() - started;
  return {
    candidate: null,
    where: "in-place",
    isolation: surroundings.isolation,
    setup: [],
    stages,
    verdict,
    durationMs,
  };
}
