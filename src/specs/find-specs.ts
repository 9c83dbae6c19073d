/** Finds the specs of a file tree: in the places of the known formats, or in those of verify.json. */
import {Minimatch} from "minimatch";
import type {SpecRules} from "../detect/config/config.ts";
import type {Project} from "../detect/files/project.ts";
import {FORMATS} from "./formats/all.ts";
import {configured} from "./formats/configured.ts";
import type {SpecFormat} from "./formats/format.ts";
import type {ScorableText} from "./scorers/scorer.ts";

const EMPTY = new Uint8Array();
/** Further specs are ignored. */
const MAX_SPECS = 10_000;

/** A document that states what code must do. */
export interface SpecFile {
  readonly path: string;
  readonly name: string;
  readonly format: SpecFormat;
  /** true for a file that every run gets, such as a constitution */
  readonly isAlways: boolean;
}

/** A spec whose text can be read. */
export type Spec = SpecFile & ScorableText;

/** Returns the specs among these paths. Globs replace the default locations. */
export function findSpecFiles(paths: readonly string[], globs: SpecRules["paths"]): SpecFile[] {
  const patterns = globs?.map((glob) => new Minimatch(glob, {dot: true, matchBase: !glob.includes("/")}));
  const specs: SpecFile[] = [];
  for (const path of paths) {
    if (patterns !== undefined && !patterns.some((pattern) => pattern.match(path))) continue;
    const spec = describeSpec(path) ?? (patterns === undefined ? null : describeAs(configured, path));
    if (spec !== null) specs.push(spec);
    if (specs.length === MAX_SPECS) break;
  }
  return specs;
}

/** The same for a project, with readable texts. */
export function findSpecs(project: Pick<Project, "below" | "head">, globs: SpecRules["paths"]): Spec[] {
  const folders = globs === null ? new Set(FORMATS.flatMap((format) => format.folders)) : ["."];
  const paths = [...folders].flatMap((folder) => project.below(folder));
  return findSpecFiles(paths, globs).map((spec) => ({
    ...spec,
    read: (mostBytes) => project.head(spec.path, mostBytes) ?? EMPTY,
  }));
}

function describeSpec(path: string): SpecFile | null {
  for (const format of FORMATS) {
    if (format.always?.test(path)) return {...describeAs(format, path), isAlways: true};
    if (format.spec.test(path)) return describeAs(format, path);
  }
  return null;
}

function describeAs(format: SpecFormat, path: string): SpecFile {
  const name = format.spec.exec(path)?.groups?.["name"] ?? path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return {path, name, format, isAlways: false};
}
