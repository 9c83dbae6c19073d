/** Finds the parts of a change that can alter what the tests of the base notice. */
import {changesSettings, isRunFile} from "../gate/gate-files.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isRecorded, isTestData, isTestPath} from "../source/kinds.ts";
import {altersSources} from "./new-tests.ts";

export interface TestChange {
  /** files with tests, on at least one side */
  readonly tests: readonly InspectedFile[];
  /** configuration, setup files, hooks and helpers of tests */
  readonly gate: readonly InspectedFile[];
  /** earlier data of tests that is not the same any more, and shell tests */
  readonly data: readonly InspectedFile[];
}

/** Null if the change touches no test and no file that decides how tests run, so that nothing has to be rerun. */
export function testChangeOf(change: InspectedChange): TestChange | null {
  const tests: InspectedFile[] = [];
  const gate: InspectedFile[] = [];
  const data: InspectedFile[] = [];
  for (const file of change.files) {
    if ([file.path, file.basePath].every(isGenerated)) continue;
    if (hasChangedTests(file)) tests.push(file);
    else if (isGate(file)) gate.push(file);
    else if (isRecorded(file.basePath) && file.before !== null && file.before !== file.after) data.push(file);
  }
  // Without other code, the earlier data gives the result that the default branch gives.
  if (tests.length + gate.length === 0 && !(data.length > 0 && altersSources(change))) return null;
  return {tests, gate, data};
}

/** Where tests begin in the supported languages. Must be fast, because it is used for every change. */
const TESTS =
  /^[ \t]*(?:await[ \t]+|export[ \t]+)?(?:test|it|describe|suite)[ \t]*[.(`]|^[ \t]*(?:async[ \t]+)?def[ \t]+test|^class\s+\w*Test(?!.*:[ \t]*$)|^func\s+(?:Test|Fuzz|Example|\([^)]*\)\s*Test)|#\[(?:\w+::)*test\b|@(?:org\.junit\.(?:jupiter\.api\.)?)?(?:Test|ParameterizedTest|RepeatedTest|Property)\b/m;

function hasChangedTests({path, basePath, before, after}: InspectedFile): boolean {
  if (!isCodePath(path) || (isTestData(path) && isTestData(basePath))) return false;
  if (!TESTS.test(before ?? "") && !TESTS.test(after ?? "")) return false;
  // A test file also contains helpers. Rust keeps tests in the sources, of which only the tests count.
  if (isTestPath(path) || isTestPath(basePath)) return true;
  return path.endsWith(".rs") && inlineTests(before) !== inlineTests(after);
}

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
