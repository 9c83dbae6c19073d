/** Recognizes the code around the tests. */

import {languageOf} from "../../test-code/languages.ts";
import {mayHaveTests} from "../../test-code/read-source.ts";
import {isTestModule, PYTHON_TEST_MODULES} from "../../tools/integrity-names.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isSetup, isTestData, isTestPath} from "../source/kinds.ts";

const FOLDERS = /(?:^|\/)(?:support|test[-_]?(?:utils?|support|helpers?|lib)|assertions?|matchers)\//i;
const IMPORTED = /\b(?:from|require\()\s*["']([^"'\n]+)["']|^(?:import|from)\s+(\w+)/gm;
const IMPORTS = /^\s*(?:import\s+)?"testing"$|\borg\.(?:junit|assertj|hamcrest)\b/m;

const importsTests = (text: string): boolean =>
  IMPORTS.test(text) ||
  [...text.matchAll(IMPORTED)].some(
    ([, module = "", python = ""]) => isTestModule(module) || PYTHON_TEST_MODULES.has(python),
  );

/** A file on both sides of the change whose functions the tests call, or a runner loads. */
export function isSupport({path, basePath, before, after}: InspectedFile): boolean {
  if (before === null || after === null || before === after) return false;
  const isRead = [path, basePath].every((one) => languageOf(one) !== null && !isGenerated(one) && !isTestData(one));
  if (!isRead) return false;
  if (isOtherTest(path)) return isOtherTest(basePath);
  return isTestPath(path) ? isTestPath(basePath) : isSetup(path) || FOLDERS.test(path) || importsTests(before);
}

/** True for a file whose tests or helpers the checks read. */
export const canRead = (file: InspectedFile): boolean =>
  mayHaveTests(file.basePath, file.before) || mayHaveTests(file.path, file.after) || isSupport(file);
