/** Files that a tool reads in place of another file that is still there. */
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {SettingsText} from "../../tools/tool-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";

const RULES = INTEGRITY.flatMap(({precedence}) => precedence ?? []);

export const takesPrecedence = (path: string): boolean => RULES.some(({name}) => name.test(nameOf(path)));

/** The nearest of `paths` that the new file at `path` hides. */
export function hiddenBy(path: string, paths: readonly string[]): string | null {
  const rule = RULES.find(({name}) => name.test(nameOf(path)));
  if (rule === undefined) return null;
  const isHidden = (one: string): boolean =>
    one !== path &&
    rule.hides.test(nameOf(one)) &&
    (rule.isInherited === true ? path.startsWith(folderOf(one)) : folderOf(path) === folderOf(one));
  return paths.filter(isHidden).toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** Compares a new file with the one that it hides. A file that extends the hidden one changes only what it says. */
export function besideHidden(file: InspectedFile, hidden: SettingsText): InspectedFile {
  const rule = RULES.find(({name}) => name.test(nameOf(file.path)));
  const earlier = rule?.asEarlier === undefined ? hidden : rule.asEarlier(hidden, file.path, file.after ?? "");
  if (earlier === null || earlier.text.trim() === "" || /^\s*extend\s*=|mergeConfig/m.test(file.after ?? ""))
    return file;
  const status = earlier.path === file.path ? "modified" : "renamed";
  return {...file, basePath: earlier.path, status, before: earlier.text};
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
