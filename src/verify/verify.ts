/** Verification of one candidate: setup, then the plan's stages in order on a fresh checkout, then the verdict. */
import {minimatch} from "minimatch";
import type {Repository} from "../changes/repository.ts";
import type {OnEvent} from "../events.ts";
import type {Candidate, Change, Isolation, Plan, Stage, StageResult, Verification} from "../record.ts";
import type {Baseline} from "./baseline.ts";
import type {Checkouts} from "./checkout.ts";
import {inOrder} from "./order.ts";
import {asRewriting, rewrittenFiles} from "./rewritten.ts";
import {notRun, runStage, type Surroundings} from "./stage.ts";
import {isTheBases, judge} from "./verdict.ts";

export interface VerifyOptions {
  readonly candidate: Candidate;
  readonly changes: readonly Change[];
  readonly plan: Plan;
  /** names or kinds of stages asked for; empty for all. A stage asked for by name is required */
  readonly only: readonly string[];
  readonly failFast: boolean;
  /** the verification before a fix: what did not pass then runs first; null for a first one */
  readonly before: Verification | null;
  /** why no further stage may start; null while one may */
  readonly spent: () => string | null;
  readonly checkouts: Checkouts;
  /** null where there is nothing to compare with */
  readonly baseline: Baseline | null;
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
    findRewritten: (folder) => rewrittenFiles({...options, folder, commit: options.candidate.commit}),
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

async function runStages(o: {
  options: Pick<VerifyOptions, "plan" | "only" | "failFast" | "before" | "spent" | "changes" | "onEvent">;
  surroundings: Surroundings;
  blockedBy: string;
  baseline: Baseline | null;
  findRewritten: (folder: string) => Promise<string[]>;
}): Promise<{stages: StageResult[]; irrelevant: Set<string>; outOfTime: string}> {
  const {plan, onEvent, only} = o.options;
  // Where nothing is required, the optional stages are all the evidence there is, so they decide.
  const hasRequired = plan.stages.some((stage) => !stage.optional);
  const stages: StageResult[] = [];
  const irrelevant = new Set<string>();
  let outOfTime = "";
  for (const planned of inOrder(plan, o.options.before)) {
    const at = plan.stages.indexOf(planned);
    const isAskedFor = only.includes(planned.name) || only.includes(planned.kind);
    const stage = {...planned, optional: planned.optional && hasRequired && !isAskedFor};
    const beside = whyIrrelevant(stage, o.options);
    if (beside !== "") irrelevant.add(stage.name);
    outOfTime ||= o.options.spent() ?? "";
    const reason = beside || whySkipped({stage, done: stages, ...o}) || outOfTime;
    if (reason !== "") {
      stages.push(notRun(stage, {outcome: "skipped", reason}));
      continue;
    }
    onEvent({kind: "stage-started", stage, index: at + 1, of: plan.stages.length});
    const ran = await runStage(stage, o.surroundings);
    const seen = asRewriting(ran, await o.findRewritten(o.surroundings.folder));
    const result = o.baseline === null ? seen : await o.baseline.compare(planned, seen);
    onEvent({kind: "stage-finished", result, index: at + 1, of: plan.stages.length});
    stages.push(result);
  }
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  stages.sort((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return {stages, irrelevant, outOfTime};
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
    (result) => !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isTheBases(result),
  );
  return o.options.failFast && first !== undefined ? `failFast: ${first.name} did not pass` : "";
}
