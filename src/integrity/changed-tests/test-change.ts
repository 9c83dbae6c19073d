/** Sorts the files of a change: what decides what the checks of the base notice, and what is the product. */
import {languageOf} from "../../test-code/languages.ts";
import {mayHaveTests} from "../../test-code/read-source.ts";
import {
  changesSettings,
  changesToolDependencies,
  isCheckSettings,
  isNamedRunFile,
  isRunFile,
} from "../gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isRecorded, isShellTest, isTestData, isTestPath} from "../source/kinds.ts";
import {altersSources} from "./new-tests.ts";

export interface TestChange {
  /** files with tests, on at least one side */
  readonly tests: readonly InspectedFile[];
  /** what test runs load or start: configuration, scripts, setup files, hooks and helpers of tests */
  readonly gate: readonly InspectedFile[];
  /** earlier data of tests that is not the same any more, and shell tests */
  readonly data: readonly InspectedFile[];
  /** what linters and type checks load or start: their configuration and scripts, some of which tests use too */
  readonly checks: readonly InspectedFile[];
  /** manifests in which a dependency of the checks has another source or version */
  readonly dependencies: readonly InspectedFile[];
}

/** What a file is for, as the files that name it show. */
export type FileRole = "product" | "gate" | "checks" | "data";

/**
 * Null if the change touches no test and no file that decides how checks run, so that nothing has to be rerun.
 * `observed`: the roles of the files whose names do not show it.
 */
export function testChangeOf(
  change: InspectedChange,
  observed: ReadonlyMap<string, FileRole> = new Map(),
): TestChange | null {
  const tests: InspectedFile[] = [];
  const gate: InspectedFile[] = [];
  const data: InspectedFile[] = [];
  const checks: InspectedFile[] = [];
  const dependencies: InspectedFile[] = [];
  for (const file of change.files) {
    const {path, basePath, before, after} = file;
    const role = observed.get(path);
    if (changesToolDependencies(basePath, before, after)) dependencies.push(file);
    if (role === undefined && [path, basePath].every(isGenerated)) continue;
    if (hasChangedTests(file)) tests.push(file);
    else {
      const isSettings = [path, basePath].some(isCheckSettings) && changesSettings(path, before, after);
      const isGateFile = role === "gate" || (role !== "product" && isGate(file));
      if (isGateFile) gate.push(file);
      if (role === "checks" || isSettings || (isGateFile && (role === "gate" || isNamedRunFile(path))))
        checks.push(file);
      const isData = role === "data" || isRecorded(basePath);
      if (!isGateFile && isData && before !== null && before !== after) data.push(file);
    }
  }
  const scripts = data.filter(({path}) => isShellTest(path));
  const isWithoutRun = [tests, gate, checks, dependencies, scripts].every(({length}) => length === 0);
  // Without other code, the earlier data gives the result that the default branch gives.
  if (isWithoutRun && !(data.length > 0 && altersSources(change))) return null;
  return {tests, gate, data, checks, dependencies};
}

/** Code without a parser may have tests. */
const hasTests = (path: string, text: string | null): boolean =>
  text !== null && (languageOf(path) === null || mayHaveTests(path, text));

function hasChangedTests({path, basePath, before, after}: InspectedFile): boolean {
  if (!isCodePath(path) || (isTestData(path) && isTestData(basePath))) return false;
  if ([".py", ".rs"].some((end) => path.endsWith(end)) && before !== null && examplesIn(before) !== examplesIn(after))
    return true;
  if (!hasTests(basePath, before) && !hasTests(path, after)) return false;
  // A test file also contains helpers. Rust keeps tests in the sources, of which only the tests count.
  if (isTestPath(path) || isTestPath(basePath)) return true;
  return path.endsWith(".rs") && inlineTests(before) !== inlineTests(after);
}

/** What doctest and rustdoc run, with its options. */
const examplesIn = (text: string | null): string => text?.match(/^\s*(?:>>> |\/\/[/!] *```).*/gm)?.join() ?? "";

/** Tests are at the end of a source file. */
function inlineTests(text: string | null): string {
  const from = text?.search(/#\[(?:cfg\b|(?:\w+::)*test\b)/) ?? -1;
  return from < 0 ? "" : (text ?? "").slice(from);
}

function isGate(file: InspectedFile): boolean {
  const {path, basePath, before, after, status} = file;
  if (isTestData(path)) return false;
  if (isRunFile(path) || isRunFile(basePath)) return status === "renamed" || changesSettings(path, before, after);
  return [path, basePath].some((one) => isTestPath(one) && isCodePath(one));
}
