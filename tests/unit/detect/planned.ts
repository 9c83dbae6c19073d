/** The plan of a tree in memory, as lines that a table test can read. */
import {planOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

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
