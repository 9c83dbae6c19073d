/** Recognizes the code around the tests. */

import {languageOf} from "../../test-code/languages.ts";
import {mayHaveTests} from "../../test-code/read-source.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isOtherTest, isTestData, isTestPath, SETUP} from "../source/kinds.ts";

const FOLDERS = /(?:^|\/)(?:support|test[-_]?(?:utils?|support|helpers?|lib)|assertions?|matchers)\//i;
const MODULES = `${partsOf("assertModule")}|${partsOf("testModule", /chai|expect|@testing-library\/[\w-]+/)}`;
const IMPORTS = new RegExp(
  [
    String.raw`\b(?:from|require\()\s*["'](?:${MODULES})["']`,
    String.raw`^\s*(?:import\s+)?"testing"$|\borg\.(?:junit|assertj|hamcrest)\b`,
    String.raw`^(?:import|from)\s+(?:${partsOf("pythonModule")})\b`,
  ].join("|"),
  "m",
);

/** A file on both sides of the change whose functions the tests call, or a runner loads. */
export function isSupport({path, basePath, before, after}: InspectedFile): boolean {
  if (before === null || after === null || before === after) return false;
  const isRead = [path, basePath].every((one) => languageOf(one) !== null && !isGenerated(one) && !isTestData(one));
  if (!isRead) return false;
  if (isOtherTest(path)) return isOtherTest(basePath);
  return isTestPath(path) ? isTestPath(basePath) : SETUP.test(path) || FOLDERS.test(path) || IMPORTS.test(before);
}

/** True for a file whose tests or helpers the checks read. */
export const canRead = (file: InspectedFile): boolean =>
  mayHaveTests(file.basePath, file.before) || mayHaveTests(file.path, file.after) || isSupport(file);
