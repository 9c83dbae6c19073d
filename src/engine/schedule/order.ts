/** The order of the stages: the plan's order, but after a fix the previously failed stages come first. */
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Verification} from "../../record/verification.ts";

/**
 * Stages that must have run in the same checkout before `stage`, in the plan's order: the stages that it needs, and
 * earlier builds, because it may read their outputs. Includes indirect prerequisites.
 */
export function prerequisitesOf(stage: Pick<Stage, "name" | "needs">, plan: Pick<Plan, "stages">): Stage[] {
  const index = plan.stages.findIndex(({name}) => name === stage.name);
  const prerequisites = new Set<Stage>();
  const add = (dependent: Pick<Stage, "needs">) => {
    for (const earlierStage of plan.stages.slice(0, index)) {
      if (
        prerequisites.has(earlierStage) ||
        !(dependent.needs.includes(earlierStage.name) || earlierStage.kind === "build")
      )
        continue;
      prerequisites.add(earlierStage);
      add(earlierStage);
    }
  };
  add(stage);
  return plan.stages.filter((other) => prerequisites.has(other));
}

/** The stages that did not pass in the `previous` verification, each after its prerequisites. */
export function failedFirst(plan: Pick<Plan, "stages">, previous: Verification | null): Set<Stage> {
  const failedNames = new Set(previous?.stages.filter(hasNotPassed).map(({name}) => name));
  return new Set(
    plan.stages.filter(({name}) => failedNames.has(name)).flatMap((stage) => [...prerequisitesOf(stage, plan), stage]),
  );
}

/** All stages of the plan: first those of `failedFirst`, then the others in the plan's order. */
export function orderStages(plan: Pick<Plan, "stages">, previous: Verification | null): Stage[] {
  return [...new Set([...failedFirst(plan, previous), ...plan.stages])];
}

const hasNotPassed = ({outcome}: StageResult) => outcome !== "passed" && outcome !== "skipped";
