/** Node: TypeScript's own checks, in a form that writes no files. */

import {plainWords} from "../../shell/split.ts";
import {textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

type TypeCheck = Pick<CandidateStage, "kind" | "command" | "origin"> & {readonly program: string};

const PACKAGE_OF: readonly (readonly [string, string])[] = [
  ["vue-tsc", "vue-tsc"],
  ["tsc", "typescript"],
  ["tsgo", "@typescript/native-preview"],
];
/** Options with which a script selects its output, or builds projects. */
const WANTS_OUTPUT =
  /^(-b|--build|--noEmit|--emitDeclarationOnly|--outDir|--outFile|--declaration|-d|--declarationDir|--declarationMap|--init|--showConfig)(=.*)?$/i;

/** The check of a folder with a `tsconfig.json` that no script runs; none if TypeScript is not a declared dependency. */
export function typeScript(o: {project: Project; root: string; declares: (name: string) => boolean}): TypeCheck[] {
  const {project, root} = o;
  const file = inside(root, "tsconfig.json");
  const program = PACKAGE_OF.find(([, name]) => o.declares(name))?.[0];
  if (!project.has(file) || program === undefined) return [];
  const config = project.jsonc(file);
  if (config === undefined) return [];
  const refers = hasReferences(config);
  const files = valueAt(config, "files");
  const holdsNothing = Array.isArray(files) && textsOf(files).length === 0 && valueAt(config, "include") === undefined;
  if (holdsNothing && !refers) return [];
  const why = refers ? "TypeScript with project references" : "TypeScript is configured";
  // `-b --noEmit` is refused for composite projects; what `-b` writes is untracked in a fresh checkout.
  return [
    {
      kind: "typecheck",
      command: refers ? `${program} -b` : `${program} --noEmit`,
      origin: {file, key: refers ? "references" : "tsconfig.json", why},
      program,
    },
  ];
}

/**
 * A script's `tsc` with `--noEmit`, so that a check leaves no compiled files behind. Unchanged if it selects
 * its output itself, if its config excludes that option, and if it is any other command.
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

/** True if the config, or one that it extends, excludes `--noEmit`. */
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

function hasReferences(config: unknown): boolean {
  const references = valueAt(config, "references");
  return Array.isArray(references) && references.length > 0;
}
