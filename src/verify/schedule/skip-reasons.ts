/** Why a stage of the plan does not run: no change concerns it, nobody requested it, or an earlier result blocks it. */
import {matchesWhen} from "../../changes/when.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {isPreExisting} from "../verdict.ts";

/** Empty if a changed path matches `when`. */
export function irrelevantReason(stage: Stage, changes: readonly Change[]): string {
  if (stage.when.length === 0 || changes.length === 0) return "";
  const touched = changedPaths(changes).some((path) => matchesWhen(path, stage.when));
  return touched ? "" : `no change matches \`when\` (${stage.when.join(", ")})`;
}

/** What a request for some stages leaves out; `only` are names or kinds, empty for all. */
interface Requested {
  readonly only: readonly string[];
  readonly changes: readonly Change[];
}

/** Empty if the stage is to run: it concerns the change and was requested, or another stage that is to run needs it. */
export function skipReason(stage: Stage, o: Requested & {stages: readonly Stage[]}): string {
  return stagesToRun(o.stages, o).has(stage.name) ? "" : whyNotItself(stage, o);
}

/** The names of the stages that concern the change and were requested, and of all that these need. */
function stagesToRun(stages: readonly Stage[], requested: Requested): ReadonlySet<string> {
  const needs = new Map(stages.map((stage) => [stage.name, stage.needs]));
  const names = new Set(stages.filter((stage) => whyNotItself(stage, requested) === "").map(({name}) => name));
  // A set that grows while it is iterated gives the added names, too.
  for (const name of names) for (const needed of needs.get(name) ?? []) names.add(needed);
  return names;
}

function whyNotItself(stage: Stage, {only, changes}: Requested): string {
  const irrelevant = irrelevantReason(stage, changes);
  if (irrelevant !== "") return irrelevant;
  return only.length > 0 && !isRequested(stage, only) ? "not requested" : "";
}

/** Required stages that concern the change and do not run. With one of them the whole change is not verified (P6). */
export function requiredLeftOut(stages: readonly Stage[], {only, changes}: Requested): string[] {
  if (only.length === 0) return [];
  const toRun = stagesToRun(stages, {only, changes});
  return stages
    .filter((stage) => !isOptional(stage, {stages, only}) && !toRun.has(stage.name))
    .filter((stage) => irrelevantReason(stage, changes) === "")
    .map(({name}) => name);
}

/** An optional stage decides if it was requested by name, or if the plan has no required stage: then it is all the evidence. */
export function isOptional(stage: Stage, o: {stages: readonly Stage[]; only: readonly string[]}): boolean {
  return stage.optional && !isRequested(stage, o.only) && o.stages.some(({optional}) => !optional);
}

export const isRequested = ({name, kind}: Stage, only: readonly string[]): boolean =>
  only.includes(name) || only.includes(kind);

/** Names that are given for stages, or kinds of them, and fit none of these. */
export function unknownStages(names: readonly string[], stages: readonly Stage[]): string[] {
  return names.filter((name) => !stages.some((stage) => isRequested(stage, [name])));
}

/** Empty where the stage may start now. `blockedBy` says why none may, if so. */
export function blockedReason(
  stage: Stage,
  o: {done: readonly StageResult[]; failFast: boolean; isCancelled: boolean; blockedBy: string},
): string {
  if (o.isCancelled) return "the run was cancelled";
  if (o.blockedBy !== "") return o.blockedBy;
  const needed = o.done.find((result) => stage.needs.includes(result.name) && result.outcome !== "passed");
  if (needed !== undefined) return `needs ${needed.name}, which did not pass`;
  const first = o.done.find(stopsOthers);
  return o.failFast && first !== undefined ? `failFast: ${first.name} did not pass` : "";
}

/** True for what ends a verification under `failFast`. */
export function stopsOthers(result: StageResult): boolean {
  return !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isPreExisting(result);
}
