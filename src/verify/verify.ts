/** Verification of one candidate: setup, then the plan's stages in order on a fresh checkout, then the verdict. */
import {minimatch} from "minimatch";
import type {Repository} from "../changes/repository.ts";
import type {OnEvent} from "../events.ts";
import type {Candidate, Change, Isolation, Plan, Stage, StageResult, Verification} from "../record.ts";
import type {Checkouts} from "./checkout.ts";
import {notRun, runStage, type Surroundings} from "./stage.ts";
import {judge} from "./verdict.ts";

export interface VerifyOptions {
  readonly candidate: Candidate;
  readonly changes: readonly Change[];
  readonly plan: Plan;
  /** names or kinds of stages asked for; empty for all. A stage asked for by name is required */
  readonly only: readonly string[];
  readonly failFast: boolean;
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
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
  const opened = await options.checkouts.open(options);
  if (!opened.ok) {
    const detail = "message" in opened.failure ? opened.failure.message : opened.failure.kind;
    return seal({setup: [], stages: [], verdict: {kind: "unverified", why: "gate-error", detail}});
  }
  const {surroundings, setup, setupFailedOnBase} = opened.value;
  const isReady = setup.every((step) => step.outcome === "passed");
  const {stages, irrelevant} = await runStages({
    options,
    surroundings,
    blockedBy: isReady ? "" : "setup did not pass",
    findRewritten: (folder) => rewrittenFiles(options, folder),
  });
  const cancelled = options.signal.aborted;
  const verdict = judge({setup, setupFailedOnBase, stages, irrelevant, cancelled});
  return seal({setup: [...setup], stages, verdict});
}

/** `--in-place`: the stages run in the working folder itself, with no setup and no check of what they rewrite. */
export async function verifyInPlace(o: {
  plan: Plan;
  only: readonly string[];
  failFast: boolean;
  changes: readonly Change[];
  surroundings: Surroundings;
  onEvent: OnEvent;
}): Promise<Verification> {
  const started = performance.now();
  const {surroundings} = o;
  const {stages, irrelevant} = await runStages({
    options: o,
    surroundings,
    blockedBy: "",
    findRewritten: async () => [],
  });
  const cancelled = surroundings.signal.aborted;
  const verdict = judge({setup: [], setupFailedOnBase: false, stages, irrelevant, cancelled});
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

async function runStages(o: {
  options: Pick<VerifyOptions, "plan" | "only" | "failFast" | "changes" | "onEvent">;
  surroundings: Surroundings;
  blockedBy: string;
  findRewritten: (folder: string) => Promise<string[]>;
}): Promise<{stages: StageResult[]; irrelevant: Set<string>}> {
  const {plan, onEvent, only} = o.options;
  // Where nothing is required, the optional stages are all the evidence there is, so they decide.
  const hasRequired = plan.stages.some((stage) => !stage.optional);
  const stages: StageResult[] = [];
  const irrelevant = new Set<string>();
  for (const [at, planned] of plan.stages.entries()) {
    const isAskedFor = only.includes(planned.name) || only.includes(planned.kind);
    const stage = {...planned, optional: planned.optional && hasRequired && !isAskedFor};
    const beside = whyIrrelevant(stage, o.options);
    if (beside !== "") irrelevant.add(stage.name);
    const reason = beside || whySkipped({stage, done: stages, ...o});
    if (reason !== "") {
      stages.push(notRun(stage, {outcome: "skipped", reason}));
      continue;
    }
    onEvent({kind: "stage-started", stage, index: at + 1, of: plan.stages.length});
    let result = await runStage(stage, o.surroundings);
    const rewritten = await o.findRewritten(o.surroundings.folder);
    if (rewritten.length > 0) result = asRewriting(result, rewritten);
    onEvent({kind: "stage-finished", result, index: at + 1, of: plan.stages.length});
    stages.push(result);
  }
  return {stages, irrelevant};
}

function whyIrrelevant(stage: Stage, o: Pick<VerifyOptions, "only" | "changes">): string {
  if (o.only.length > 0 && !o.only.includes(stage.name) && !o.only.includes(stage.kind)) return "not asked for";
  if (stage.when.length === 0 || o.changes.length === 0) return "";
  const touched = o.changes.some((change) => stage.when.some((glob) => minimatch(change.path, glob, {dot: true})));
  return touched ? "" : `no change matches \`when\` (${stage.when.join(", ")})`;
}

function whySkipped(o: {
  stage: Stage;
  done: readonly StageResult[];
  options: Pick<VerifyOptions, "failFast">;
  surroundings: Surroundings;
  blockedBy: string;
}): string {
  if (o.surroundings.signal.aborted) return "the run was cancelled";
  if (o.blockedBy !== "") return o.blockedBy;
  const needed = o.done.find((result) => o.stage.needs.includes(result.name) && result.outcome !== "passed");
  if (needed !== undefined) return `needs ${needed.name}, which did not pass`;
  const first = o.done.find(
    (result) => !result.optional && result.outcome !== "passed" && result.outcome !== "skipped",
  );
  return o.options.failFast && first !== undefined ? `failFast: ${first.name} did not pass` : "";
}

/**
 * P3: what a stage did to tracked files was never verified, so the stage fails and its successors see the candidate again.
 * A gate that cannot look counts as rewritten.
 */
async function rewrittenFiles(options: VerifyOptions, folder: string): Promise<string[]> {
  const {repository, candidate} = options;
  const changed = await repository.trackedChanges({folder, commit: candidate.commit});
  if (!changed.ok) return ["(the checkout could not be compared with the candidate)"];
  if (changed.value.length > 0) {
    const restored = await repository.restore({folder, commit: candidate.commit, paths: changed.value});
    if (!restored.ok) return [...changed.value, "(and could not be put back)"];
  }
  return changed.value;
}

function asRewriting(result: StageResult, paths: readonly string[]): StageResult {
  if (result.outcome !== "passed") return result;
  const shown = paths.slice(0, 10).join(", ") + (paths.length > 10 ? ` and ${paths.length - 10} more` : "");
  const reason = `it rewrote tracked files: ${shown}; run \`${result.command}\` and keep what it writes, or use its checking form`;
  return {...result, outcome: "failed", failureKind: "code", reason, excerpt: reason};
}
