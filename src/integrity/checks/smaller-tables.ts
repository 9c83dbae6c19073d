/** Finds lists with fewer values, over which tests run. A part of the check `weakened-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {readSource} from "../../test-code/read-source.ts";
import {canRead} from "../changed-tests/support-code.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCollectedByName, isTestPath} from "../source/kinds.ts";

/** Lists at the top of a file of tests, in a set-up, or in a file with cases. */
export function findSmallerTables(file: InspectedFile, {files}: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  if (before === null || after === null || !isTestPath(path) || !isTestPath(basePath) || !canRead(file)) return [];
  const [base, head] = [readSource(basePath, before), readSource(path, after)];
  if (base.surroundings === head.surroundings) return [];
  // Tests import the lists of other files.
  const isUsed = (name: string) => !isCollectedByName(path) || base.iterated.has(name);
  const [name, rows] =
    [...base.lists].find(([one, count]) => isUsed(one) && count > (head.lists.get(one) ?? count)) ?? [];
  if (name === undefined || rows === undefined || (hasEnoughElsewhere(files) && keepsValues(file, files))) return [];
  const rowsNow = head.lists.get(name) ?? 0;
  const message = `Tests run over ${rowsNow} ${rowsNow === 1 ? "value" : "values"} of \`${name}\`, ${rows} before`;
  const line = after.split("\n").findIndex((text) => text.includes(`${name} `) || text.includes(`${name}:`)) + 1;
  const fix = "Run the tests over all earlier values.";
  return [{check: "weakened-tests", level: "flag", path, line: line || null, message, fix}];
}

/** All values of the file are in the code of the tests. */
function keepsValues({basePath, before}: InspectedFile, files: readonly InspectedFile[]): boolean {
  const present = new Set(files.filter(canRead).flatMap(({path, after}) => valuesIn(path, after)));
  return valuesIn(basePath, before).every((value) => present.has(value));
}

/** Without those in comments. */
function valuesIn(path: string, text: string | null): string[] {
  const {code} = readSource(path, text);
  return [...(text ?? "").matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g)].flatMap(({0: value, index}) =>
    code[index] === value[0] ? [value.replace(/^["'`]|["'`]$/g, "")] : [],
  );
}

/** Values that moved to other tests are not a loss. */
function hasEnoughElsewhere(files: readonly InspectedFile[]): boolean {
  const count = (key: "before" | "after") =>
    files.filter(canRead).reduce((sum, file) => {
      const {tests, lists} = readSource(key === "before" ? file.basePath : file.path, file[key]);
      const ofTests = tests.reduce((all, {assertions}) => all + assertions.length, 0);
      return [...lists.values()].reduce((all, rows) => all + rows, sum + ofTests);
    }, 0);
  return count("after") >= count("before");
}
