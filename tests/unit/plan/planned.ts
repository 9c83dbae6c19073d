/** The plan of a tree in memory, as lines that a table test can read. */
import {DEFAULT_CONFIG} from "../../../src/plan/config.ts";
import {plan} from "../../../src/plan/plan.ts";
import type {Plan} from "../../../src/record/plan.ts";
import {projectOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

/** The whole plan, by the ecosystems that the product has. */
export function planOf(tree: Tree): Plan {
  const made = plan({project: projectOf(tree), config: DEFAULT_CONFIG});
  if (!made.ok) throw new Error(made.failure.kind);
  return made.value;
}

/** The stages as `name: command`, in the order in which they run; an optional one that is not lint ends in `?`. */
export function stagesOf(tree: Tree): string[] {
  return planOf(tree).stages.map(
    (stage) => `${stage.name}: ${stage.command}${stage.optional && stage.kind !== "lint" ? " ?" : ""}`,
  );
}

/** The set-up as `cwd: command`. */
export function setupOf(tree: Tree): string[] {
  return planOf(tree).setup.map((step) => `${step.cwd}: ${step.command}`);
}
