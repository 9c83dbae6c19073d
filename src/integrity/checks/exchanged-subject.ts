/** Finds tests that import a name from a new file, although its earlier file still has it. A part of `mocked-subject`. */
import {posix} from "node:path";
import type {IntegrityFinding} from "../../record/finding.ts";
import {definedNames, importedNames} from "../source/imported-names.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";

/** The change edits the code that the tests imported, and the tests no longer see the edit. */
export function exchangedSubject(test: InspectedFile, files: readonly InspectedFile[]): IntegrityFinding[] {
  const {path, basePath, before, after} = test;
  if (before === null || after === null || !isTestPath(path)) return [];
  const earlierModules = importedNames(before, basePath);
  for (const [name, module] of importedNames(after, path)) {
    const earlierModule = earlierModules.get(name);
    if (earlierModule === undefined || earlierModule === module) continue;
    const source = files.find((file) => isModule(file, earlierModule, basePath));
    const copy = files.find((file) => isModule(file, module, path));
    if (copy?.before !== null || source?.after == null || source.before === null) continue;
    const stem = posix.basename(copy.path).replace(/\.\w+$/, "");
    if (![source.after, copy.after ?? ""].every((text) => definedNames(text).has(name)) || source.after.includes(stem))
      continue;
    const line = after.split("\n").findIndex((text) => text.includes(module)) + 1;
    const message = `The test imports \`${name}\` from \`${copy.path}\`, a new file, although \`${source.path}\` still has it`;
    const fix = "Import the code that the product uses.";
    return [{check: "mocked-subject", level: "flag", path, line: line || null, message, fix}];
  }
  return [];
}

/** `../lib/csv.js` seen from the test, or `lib.csv` of Python in any folder. */
function isModule({path}: InspectedFile, module: string, importer: string): boolean {
  const withoutEnding = (name: string) => name.replace(/\.(?:[cm]?[jt]sx?|py)$/, "");
  if (importer.endsWith(".py")) {
    const wanted = module.replace(/^\.+/, "").replaceAll(".", "/");
    return wanted !== "" && `/${withoutEnding(path)}`.endsWith(`/${wanted}`);
  }
  if (!module.startsWith(".")) return false;
  return withoutEnding(path) === withoutEnding(posix.join(posix.dirname(importer), module));
}
