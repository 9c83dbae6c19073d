/** The order in which stages run: the plan's, but after a fix what failed before comes first. */
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Verification} from "../../record/verification.ts";

/**
 * Stages that have to have run in the same checkout before `stage`: those it needs, and builds that stand before it, since
 * it may read what they write. Directly or through others, in the plan's order.
 */
export function prerequisitesOf(stage: Pick<Stage, "name" | "needs">, plan: Pick<Plan, "stages">): Stage[] {
  const at = plan.stages.findIndex(({name}) => name === stage.name);
  const ground = new Set<Stage>();
  const add = (one: Pick<Stage, "needs">) => {
    for (const other of plan.stages.slice(0, at)) {
      if (ground.has(other) || !(one.needs.includes(other.name) || other.kind === "build")) continue;
      ground.add(other);
      add(other);
    }
  };
  add(stage);
  return plan.stages.filter((other) => ground.has(other));
}

/** The stages that did not pass `before`, each behind what it stands on. */
export function failedFirst(plan: Pick<Plan, "stages">, before: Verification | null): Set<Stage> {
  const red = new Set(before?.stages.filter(didNotPass).map(({name}) => name));
  return new Set(
    plan.stages.filter(({name}) => red.has(name)).flatMap((stage) => [...prerequisitesOf(stage, plan), stage]),
  );
}

/** The plan's stages, those that did not pass `before` moved to the front with what they stand on. All of them are there. */
export function inOrder(plan: Pick<Plan, "stages">, before: Verification | null): Stage[] {
  return [...new Set([...failedFirst(plan, before), ...plan.stages])];
}

const didNotPass = ({outcome}: StageResult) => outcome !== "passed" && outcome !== "skipped";
