/** Explains why a stage does not run: no relevant change, not requested, or blocked by an earlier result. */
import {matchesWhen} from "../../changes/when.ts";
import type {StageResult} from "../../record/evidence.ts";
import {isPreExisting} from "../../record/failure-cause.ts";
import type {Stage} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";

/** Empty if a changed path matches `when`. */
export function irrelevantReason(stage: Stage, changes: readonly Change[]): string {
  if (stage.when.length === 0 || changes.length === 0) return "";
  const isTouched = changedPaths(changes).some((path) => matchesWhen(path, stage.when));
  return isTouched ? "" : `no change matches \`when\` (${stage.when.join(", ")})`;
}

/** A request for some stages by names or kinds, empty for all. */
interface StageRequest {
  readonly only: readonly string[];
  readonly changes: readonly Change[];
}

/** Empty if the stage runs: it concerns the change and was requested, or another stage that runs needs it. */
export function skipReason(stage: Stage, options: StageRequest & {stages: readonly Stage[]}): string {
  return stagesToRun(options.stages, options).has(stage.name) ? "" : reasonNotSelected(stage, options);
}

/** The names of the stages that concern the change and were requested, and of all stages that these need. */
function stagesToRun(stages: readonly Stage[], request: StageRequest): ReadonlySet<string> {
  const needs = new Map(stages.map((stage) => [stage.name, stage.needs]));
  const names = new Set(stages.filter((stage) => reasonNotSelected(stage, request) === "").map(({name}) => name));
  // The iteration of a set includes names that are added meanwhile.
  for (const name of names) for (const neededName of needs.get(name) ?? []) names.add(neededName);
  return names;
}

function reasonNotSelected(stage: Stage, {only, changes}: StageRequest): string {
  const irrelevant = irrelevantReason(stage, changes);
  if (irrelevant !== "") return irrelevant;
  return only.length > 0 && !isRequested(stage, only) ? "not requested" : "";
}

/** Required stages that concern the change and do not run. With one of them the whole change is not verified (P6). */
export function requiredLeftOut(stages: readonly Stage[], {only, changes}: StageRequest): string[] {
  if (only.length === 0) return [];
  const toRun = stagesToRun(stages, {only, changes});
  return stages
    .filter((stage) => !isOptional(stage, {stages, only}) && !toRun.has(stage.name))
    .filter((stage) => irrelevantReason(stage, changes) === "")
    .map(({name}) => name);
}

/**
 * An optional stage decides if it was requested by name, or if no stage is required: then it is the only evidence. An
 * unproved one decides unless the base is seen to fail it (`stage-run.ts`).
 */
export function isOptional(stage: Stage, options: {stages: readonly Stage[]; only: readonly string[]}): boolean {
  const isUndecided = stage.unproved === true && stage.kind !== "lint";
  const isRequired = !stage.optional || isUndecided || isRequested(stage, options.only);
  return !isRequired && options.stages.some(({optional}) => !optional);
}

export const isRequested = ({name, kind}: Stage, only: readonly string[]): boolean =>
  only.includes(name) || only.includes(kind);

/** Requested names that match no stage and no kind of stage. */
export function unknownStages(names: readonly string[], stages: readonly Stage[]): string[] {
  return names.filter((name) => !stages.some((stage) => isRequested(stage, [name])));
}

/** Empty if the stage may start now. `blockedBy` is the reason why no stage may start, if there is one. */
export function blockedReason(
  stage: Stage,
  options: {results: readonly StageResult[]; failFast: boolean; isCancelled: boolean; blockedBy: string},
): string {
  if (options.isCancelled) return "the run was cancelled";
  if (options.blockedBy !== "") return options.blockedBy;
  const blockingResult = options.results.find(
    (result) => stage.needs.includes(result.name) && result.outcome !== "passed",
  );
  if (blockingResult !== undefined) return `needs ${blockingResult.name}, which did not pass`;
  const stoppingResult = options.results.find(stopsOthers);
  return options.failFast && stoppingResult !== undefined ? `failFast: ${stoppingResult.name} did not pass` : "";
}

/** True for a result that ends the verification under `failFast`. */
export function stopsOthers(result: StageResult): boolean {
  return !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isPreExisting(result);
}
