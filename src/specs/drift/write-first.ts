/** Finds new modules without a spec, if the owner requires specs to be written first. */
import {matchExtensions} from "../../changes/trigger.ts";
import {stemOf} from "../../git/paths.ts";
import {keepVisibleText} from "../../markdown/visible-text.ts";
import type {Diagnostic} from "../../record/evidence.ts";
import type {Change} from "../../record/verification.ts";
import {withoutFrontMatter} from "../constraints.ts";
import {mentionedPaths, ownedPaths, type SpecWithText} from "./claims.ts";
import {findingOn, isTest} from "./find-drift.ts";

/**
 * A module is a folder that had no file before, or a file in a folder of which a spec owns another file. `newSpecs` are
 * the specs that the change adds or edits; hidden text in them is ignored, and a file without text does not count.
 */
export function findModulesWithoutSpec(options: {
  specs: readonly SpecWithText[];
  newSpecs: readonly SpecWithText[];
  changes: readonly Change[];
  basePaths: readonly string[];
  codeExtensions: readonly string[];
}): Diagnostic[] {
  const isCode = matchExtensions(options.codeExtensions);
  const folders = new Set(options.basePaths.flatMap(foldersAbove));
  const ownedFolders = new Set(options.specs.flatMap((spec) => [...ownedPaths(spec)].map(folderOf)));
  const modules = new Map<string, string[]>();
  for (const {path, status} of options.changes) {
    if (status !== "added" || !isCode(path) || isTest(path)) continue;
    const newFolder = foldersAbove(path).find((folder) => !folders.has(folder));
    const module = newFolder ?? (ownedFolders.has(folderOf(path)) ? path : null);
    if (module !== null) modules.set(module, [...(modules.get(module) ?? []), path]);
  }
  const writtenSpecs = options.newSpecs.flatMap(({name, text}) => {
    const visibleText = keepVisibleText(text).text;
    return withoutFrontMatter(visibleText).trim() === "" ? [] : [{name, text: visibleText}];
  });
  const names = new Set(writtenSpecs.map(({name}) => plainName(name)));
  const mentionedFiles = new Set(writtenSpecs.flatMap(({text}) => [...mentionedPaths(text)]));
  return [...modules].flatMap(([module, paths]) => {
    const parts = paths.flatMap((path) => [path, ...foldersAbove(path).filter((folder) => folder.startsWith(module))]);
    const hasSpec = parts.some((part) => names.has(plainName(part)) || mentionedFiles.has(part));
    const message = `\`${module}\` is a new module: add a spec with its name, or name the file in a spec of this change`;
    return hasSpec ? [] : [findingOn({path: paths[0] ?? module}, "no-spec", message)];
  });
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folders above a file, outermost first: `a`, `a/b` of `a/b/c.ts`. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** `src/user-store.ts`, `UserStore` and `user_store` are the same name. */
function plainName(path: string): string {
  const baseName = stemOf(path);
  return baseName.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
