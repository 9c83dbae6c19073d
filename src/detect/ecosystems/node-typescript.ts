/** Node: TypeScript's own checks, in a form that writes no files. */
import type {Origin} from "../../record/plan.ts";
import {listOf, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";

/** The check of a tool that the project has installed. */
export interface ToolCheck {
  readonly program: string;
  readonly command: string;
  readonly origin: Origin;
}

const PACKAGE_OF = {"vue-tsc": "vue-tsc", tsc: "typescript", tsgo: "@typescript/native-preview"};
/**
 * The check of a folder with a `tsconfig.json` that no script runs; none if TypeScript is not a declared dependency.
 */
export function typeScript(project: Project, root: string, dependencies: ReadonlyMap<string, string>): ToolCheck[] {
  const file = inside(root, "tsconfig.json");
  const [program] = Object.entries(PACKAGE_OF).find(([, name]) => dependencies.has(name)) ?? [];
  const config = program === undefined || !project.has(file) ? undefined : project.jsonc(file);
  if (program === undefined || config === undefined) return [];
  const files = valueAt(config, "files");
  const holdsNothing = Array.isArray(files) && textsOf(files).length === 0 && valueAt(config, "include") === undefined;
  // `-b --noEmit` is refused for composite projects. The output of `-b` is untracked in a fresh checkout.
  if (hasReferences(config))
    return [
      {program, command: `${program} -b`, origin: originOf(file, "TypeScript with project references", "references")},
    ];
  return holdsNothing
    ? []
    : [{program, command: `${program} --noEmit`, origin: originOf(file, "TypeScript is configured")}];
}

const hasReferences = (config: unknown): boolean => listOf(valueAt(config, "references")).length > 0;
