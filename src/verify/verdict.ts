/** Decides the verdict from the stages' results; pure, and the only place that can produce "verified". */
import {environmentLine} from "../diagnostics/environment-causes.ts";
import type {StageResult} from "../record/evidence.ts";
import {isCausedByChange, isNotComparable, isPreExisting} from "../record/failure-cause.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Approval, Verdict} from "../record/verification.ts";
import {claimsSomething, listSome} from "../record/words.ts";

export interface VerdictInput {
  readonly setup: readonly StageResult[];
  /** true if the setup fails on the base too, so that the change has not caused it */
  readonly setupFailedOnBase: boolean;
  readonly stages: readonly StageResult[];
  /** stages that no change concerns, or that were not requested */
  readonly skipped: ReadonlySet<string>;
  /** required stages that concern the change and were not requested, or passed only in part */
  readonly leftOut: readonly string[];
  readonly cancelled: boolean;
  /** why stages were no longer started; empty if there was time for all */
  readonly outOfTime: string;
  /** changed paths that a stage must read, and no stage has read */
  readonly uncovered: readonly string[];
  /** true if nothing was changed: then a timeout occurs on the base too */
  readonly isBase: boolean;
}

/** Also replaces a claim if the run is cancelled while what follows the stages can still withdraw it. */
export const CANCELLED = {
  kind: "unverified",
  why: "cancelled",
  detail: "the run was cancelled before it was finished",
} as const;

/**
 * Decides the verdict of one verification.
 * Only required stages decide. `verified` needs at least one stage that ran and passed, and no stage with another
 * outcome (P6, P7). A failure that the base has too is not attributed to the change, and never called a pass (P15). A
 * skipped stage does not count, but a required stage that was not requested makes the verdict `partial`.
 */
export function decideVerdict(input: VerdictInput): Verdict {
  if (input.cancelled) return CANCELLED;

  const failedSetup = input.setup.find(
    ({outcome, optional}) => !optional && outcome !== "passed" && outcome !== "skipped",
  );
  if (failedSetup !== undefined) {
    const {name, command, reason, failureKind} = failedSetup;
    const isCode = failureKind === "code" || failureKind === "timeout";
    if (isCode && !input.setupFailedOnBase) return {kind: "failed", stages: [name]};
    return {kind: "unverified", why: "setup-failed", detail: `\`${command}\`: ${reason}`};
  }

  const decisiveStages = input.stages.filter((stage) => !stage.optional && !input.skipped.has(stage.name));
  if (decisiveStages.length === 0) {
    return {kind: "unverified", why: "no-stages", detail: "no required check ran"};
  }

  const isBlamed = (stage: StageResult) => isCausedByChange(stage) && !(input.isBase && stage.outcome === "timed-out");
  const failedStages = decisiveStages.filter(isBlamed);
  if (failedStages.length > 0) return {kind: "failed", stages: failedStages.map((stage) => stage.name)};

  const excusedStages = decisiveStages.filter(isPreExisting).map((stage) => stage.name);
  const notPassed = decisiveStages.find(
    (stage) => !isPass(stage) && !isPreExisting(stage) && !input.leftOut.includes(stage.name),
  );
  if (notPassed === undefined) return decideClaim({...input, excused: excusedStages});
  if (input.outOfTime !== "") return {kind: "unverified", why: "out-of-time", detail: input.outOfTime};
  return unverifiedBecauseOf(notPassed);
}

const MAX_CAUSE = 300;

function unverifiedBecauseOf(stage: StageResult): Verdict {
  // An exit code alone does not name what is missing.
  const cause = stage.outcome === "failed" ? causeOf(stage)?.slice(0, MAX_CAUSE) : undefined;
  const detail = [stage.name, stage.reason, ...(cause ? [cause] : [])].join(": ");
  if (isNotComparable(stage)) {
    return {kind: "unverified", why: "not-comparable", detail: `${stage.name}: ${stage.baseline?.why}`};
  }
  if (stage.outcome === "timed-out") return {kind: "unverified", why: "out-of-time", detail};
  if (stage.outcome === "flaky") return {kind: "unverified", why: "flaky", detail};
  return {kind: "unverified", why: stage.failureKind === "no-check" ? "no-tests-ran" : "unavailable", detail};
}

function causeOf({diagnostics, failureKind, excerpt}: StageResult): string | null | undefined {
  const [first] = diagnostics;
  if (first !== undefined) return first.message.split("\n")[0];
  return failureKind === "environment" ? environmentLine(excerpt) : null;
}

/** The verdict if every stage that ran passed, or is excused because it fails on the base in the same way. */
export function decideClaim(options: {
  excused: readonly string[];
  leftOut: readonly string[];
  uncovered: readonly string[];
}): Verdict {
  const [excused, leftOut] = [[...options.excused], [...options.leftOut]];
  if (leftOut.length > 0) return {kind: "partial", notRun: leftOut, preexisting: excused};
  if (options.uncovered.length > 0)
    return {kind: "unverified", why: "not-covered", detail: listUncovered(options.uncovered)};
  return excused.length === 0 ? {kind: "verified"} : {kind: "verified-with-preexisting", stages: excused};
}

/**
 * Applies the findings of the integrity checks to the verdict (P16). A blocking finding withdraws a claim. `failed` and
 * `unverified` stay, because their cause has to be fixed first. A person may accept the findings of a tree.
 */
export function withFindings(
  verdict: Verdict,
  findings: readonly IntegrityFinding[],
  approval: Approval | null = null,
): Verdict {
  if (approval !== null) return verdict;
  const blockers = findings.filter(({level}) => level === "block");
  const isClaim = claimsSomething(verdict);
  return isClaim && blockers.length > 0 ? {kind: "tampered", findings: blockers.map(describeFinding)} : verdict;
}

function describeFinding({path, line, message}: IntegrityFinding): string {
  return `${line === null ? path : `${path}:${line}`}: ${message}`;
}

function listUncovered(paths: readonly string[]): string {
  const quotedPaths = paths.map((path) => JSON.stringify(path).slice(1, -1));
  return `read by no known check: ${listSome(quotedPaths, 20)}`;
}

function isPass({outcome, narrowed}: StageResult): boolean {
  return outcome === "passed" && narrowed === undefined;
}
