/** Why a stage of the plan does not run: it has nothing to do with the change, or what has happened so far stands against it. */
import {minimatch} from "minimatch";
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {isTheBases} from "../verdict.ts";

/** Empty where the stage concerns what is verified. `only` are the names or kinds that were asked for, empty for all. */
export function whyIrrelevant(stage: Stage, o: {only: readonly string[]; changes: readonly Change[]}): string {
  if (o.only.length > 0 && !isAskedFor(stage, o.only)) return "not asked for";
  if (stage.when.length === 0 || o.changes.length === 0) return "";
  const touched = o.changes.some((change) => stage.when.some((glob) => minimatch(change.path, glob, {dot: true})));
  return touched ? "" : `no change matches \`when\` (${stage.when.join(", ")})`;
}

export const isAskedFor = ({name, kind}: Stage, only: readonly string[]): boolean =>
  only.includes(name) || only.includes(kind);

/** Names that are given for stages, or kinds of them, and fit none of these. */
export function fitNone(names: readonly string[], stages: readonly Stage[]): string[] {
  return names.filter((name) => !stages.some((stage) => isAskedFor(stage, [name])));
}

/** Empty where the stage may start now. `blockedBy` says why none may, if so. */
export function whyBlocked(
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
  return !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isTheBases(result);
}
