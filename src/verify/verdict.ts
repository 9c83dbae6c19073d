/** Turns what the stages left behind into what we claim; pure, and the only place that can say "verified". */
import type {StageResult} from "../record/evidence.ts";
import type {Verdict} from "../record/verification.ts";

/**
 * Judges one verification.
 *
 * Only required stages decide. A green verdict needs at least one that ran and passed, and none that did anything else
 * (P6, P7). Failures that the base has too are not charged to the change, and never called a pass (P15).
 * A stage that was passed over neither helps nor harms, but a required one that was not requested makes the verdict `partial`.
 */
export function decideVerdict(o: {
  setup: readonly StageResult[];
  /** true when the failed setup is the base's own, so that the change cannot be blamed for it */
  setupFailedOnBase: boolean;
  stages: readonly StageResult[];
  /** stages that no change concerns, or that were not requested */
  passedOver: ReadonlySet<string>;
  /** required stages that concern the change and were not requested */
  leftOut: readonly string[];
  cancelled: boolean;
  /** why stages were not started any more; empty where all had their time */
  outOfTime: string;
  /** changed paths that some stage has to read, and none has read */
  uncovered: readonly string[];
  /** true where nothing was changed: a stage that takes too long takes too long on the base */
  isBase: boolean;
}): Verdict {
  if (o.cancelled) return {kind: "unverified", why: "cancelled", detail: "the run was cancelled before it was done"};

  const badSetup = o.setup.find((step) => step.outcome !== "passed" && step.outcome !== "skipped");
  if (badSetup !== undefined) {
    const blamed = !o.setupFailedOnBase && (badSetup.failureKind === "code" || badSetup.failureKind === "timeout");
    if (blamed) return {kind: "failed", stages: [badSetup.name]};
    return {kind: "unverified", why: "setup-failed", detail: `\`${badSetup.command}\`: ${badSetup.reason}`};
  }

  const deciding = o.stages.filter((stage) => !stage.optional && !o.passedOver.has(stage.name));
  if (deciding.length === 0) {
    return {kind: "unverified", why: "no-stages", detail: "no stage of the plan concerns this change"};
  }

  const charged = deciding.filter((stage) => isCausedByChange(stage) && !(o.isBase && stage.outcome === "timed-out"));
  if (charged.length > 0) return {kind: "failed", stages: charged.map((stage) => stage.name)};

  const excused = deciding.filter(isPreExisting).map((stage) => stage.name);
  const notPassed = deciding.find((stage) => !isPass(stage) && !isPreExisting(stage));
  if (notPassed === undefined) {
    return decideClaim({excused, leftOut: o.leftOut, uncovered: o.uncovered});
  }
  if (o.outOfTime !== "") return {kind: "unverified", why: "out-of-time", detail: o.outOfTime};
  if (isNotComparable(notPassed)) {
    return {kind: "unverified", why: "not-comparable", detail: `${notPassed.name}: ${notPassed.baseline?.why}`};
  }
  if (notPassed.outcome === "timed-out") {
    return {kind: "unverified", why: "out-of-time", detail: `${notPassed.name}: ${notPassed.reason}`};
  }
  if (notPassed.outcome === "flaky") {
    return {kind: "unverified", why: "flaky", detail: `${notPassed.name}: ${notPassed.reason}`};
  }
  return {
    kind: "unverified",
    why: notPassed.failureKind === "no-check" ? "no-tests-ran" : "unavailable",
    detail: `${notPassed.name}: ${notPassed.reason}`,
  };
}

/** The verdict where every stage that ran passed, or is excused because it fails as on the base. */
export function decideClaim(o: {
  excused: readonly string[];
  leftOut: readonly string[];
  uncovered: readonly string[];
}): Verdict {
  const [excused, leftOut] = [[...o.excused], [...o.leftOut]];
  if (leftOut.length > 0) return {kind: "partial", notRun: leftOut, preexisting: excused};
  if (o.uncovered.length > 0) return {kind: "unverified", why: "not-covered", detail: listed(o.uncovered)};
  return excused.length === 0 ? {kind: "verified"} : {kind: "verified-with-preexisting", stages: excused};
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 20).map((path) => JSON.stringify(path).slice(1, -1));
  return `not checked: ${shown.join(", ")}${paths.length > 20 ? ` and ${paths.length - 20} more` : ""}`;
}

/** A look at a part of the stage says nothing of the whole. */
function isPass({outcome, narrowed}: StageResult): boolean {
  return outcome === "passed" && narrowed === undefined;
}

/** P15: each failure of the stage is known by its signature, and the base has it too. */
export function isPreExisting(stage: StageResult): boolean {
  const isRed = stage.outcome === "failed" || stage.outcome === "flaky";
  return isRed && stage.narrowed === undefined && stage.baseline?.outcome === "pre-existing";
}

/** A failure that is the change's fault; a required stage with one makes the verdict `failed`. */
export function isCausedByChange(stage: StageResult): boolean {
  const isRed = stage.outcome === "failed" || stage.outcome === "timed-out";
  const isCode = stage.failureKind !== "environment" && stage.failureKind !== "no-check";
  return isRed && isCode && !isPreExisting(stage) && !isNotComparable(stage);
}

/** P15: the base fails too, and one of the two runs shows too little to tell whose failure it is. */
function isNotComparable({outcome, baseline}: StageResult): boolean {
  return (outcome === "failed" || outcome === "timed-out") && baseline?.outcome === "not-comparable";
}
