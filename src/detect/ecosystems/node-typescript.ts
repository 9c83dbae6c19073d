/** Node: TypeScript's own checks, in a form that writes no files. */
import type {Origin} from "../../record/plan.ts";
import {plainWords} from "../../shell/split.ts";
import {listOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";

/** The check of a tool that the project has installed. */
export interface ToolCheck {
  readonly program: string;
  readonly command: string;
  readonly origin: Origin;
}

const PACKAGE_OF = {"vue-tsc": "vue-tsc", tsc: "typescript", tsgo: "@typescript/native-preview"};
/** Options with which a script selects its output, or builds projects. */
const WANTS_OUTPUT =
  /^(-b|--build|--noEmit|--emitDeclarationOnly|--outDir|--outFile|--declaration|-d|--declarationDir|--declarationMap|--init|--showConfig)(=.*)?$/i;

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

/**
 * A script's `tsc` with `--noEmit`, so that a check leaves no compiled files behind. The line stays unchanged if it
 * selects its output itself, if its config excludes the option, or if it is another command.
 */
export function withoutOutput(project: Project, root: string, line: string): string {
  const words = plainWords(line);
  if (words === null || !/^(tsc|tsgo|vue-tsc)$/.test(words[0] ?? "")) return line;
  if (words.some((word) => WANTS_OUTPUT.test(word))) return line;
  const optionIndex = words.findIndex((word) => word === "-p" || word === "--project");
  const target = inside(
    root,
    (optionIndex < 0 ? "tsconfig.json" : (words[optionIndex + 1] ?? "")).replace(/^\.\//, "").replace(/\/$/, ""),
  );
  const file = project.has(target) ? target : inside(target, "tsconfig.json");
  return mayForbid(project, file, 0) ? line : `${line} --noEmit`;
}

/** True if the config, or a config that it extends, excludes `--noEmit`. */
function mayForbid(project: Project, file: string, depth: number): boolean {
  const config = project.has(file) ? project.jsonc(file) : undefined;
  if (config === undefined) return false;
  if (valueAt(config, "compilerOptions", "emitDeclarationOnly") === true || (depth === 0 && hasReferences(config)))
    return true;
  const base = textAt(config, "extends");
  if (base === null || !base.startsWith("./") || depth > 4) return false;
  const next = inside(folderOf(file), base.slice(2));
  return mayForbid(project, next.endsWith(".json") ? next : `${next}.json`, depth + 1);
}

const hasReferences = (config: unknown): boolean => listOf(valueAt(config, "references")).length > 0;
