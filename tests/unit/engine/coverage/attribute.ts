/** Attributes one changed path of a made tree to the stages that these commands make. */
import {DEFAULT_CODE_EXTENSIONS} from "../../../../src/changes/path-lists.ts";
import {matchExtensions} from "../../../../src/changes/trigger.ts";
import {attributeChanges} from "../../../../src/engine/coverage/attribute.ts";
import type {StageKind} from "../../../../src/record/words.ts";
import {plannedStage, planWith} from "../../../rig/plans.ts";
import {projectOf} from "../../detect/tree.ts";

export type Tree = Record<string, string | object>;

export function attribute(tree: Tree, commands: readonly string[], path: string) {
  const stages = commands.map((command, at) => {
    const kind: StageKind = /vet|tsc|check/.test(command) ? "typecheck" : /lint|ruff/.test(command) ? "lint" : "test";
    return plannedStage({name: `${at}`, kind, command});
  });
  const [found] = attributeChanges({
    plan: planWith(...stages),
    tree: projectOf(tree),
    changes: [{path, status: "modified"}],
    isSource: matchExtensions(DEFAULT_CODE_EXTENSIONS),
    isSkipped: () => false,
    machine: {platform: "linux", arch: "x64"},
  });
  return found;
}
