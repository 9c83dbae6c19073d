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

/** Each command of CI as `outcome command`, with the stages or the reason. */
export function accountOf(tree: Tree): string[] {
  return (planOf(tree).ci ?? []).map(({command, outcome}) => {
    if (outcome.kind === "stage") return `stage ${command} → ${outcome.stage}`;
    if (outcome.kind === "covered") return `covered ${command} → ${outcome.by.join(", ")}`;
    return `${outcome.role} ${command}: ${outcome.why}`;
  });
}
