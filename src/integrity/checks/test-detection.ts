/** Check: product code that behaves differently in tests, or returns the values that the tests expect. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {isSetByRunner, MOCK_OBJECTS, PYTHON_TEST_MODULES, RUNNER_NAMES} from "../../tools/integrity-names.ts";
import {inlineTestLines} from "../changed-tests/new-tests.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode, isProgram, isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {type EarlierCode, knownCase, mayBeTested} from "./test-answers.ts";

const PYTHON_MODULE = [...PYTHON_TEST_MODULES].join("|");
const RUNNER = RUNNER_NAMES.join("|");
/** Signs of a running test that product code can see. */
const DETECTS = new RegExp(
  [
    String.raw`(?:\bglobalThis\.(?:__)?|import\.meta\.|require\.main.*)(?:${RUNNER})`,
    String.raw`\bNODE_ENV\b\s*["']?\]?\s*[!=]==?\s*["']test["']`,
    String.raw`["']test["']\s*[!=]==?\s*process\.env`,
    String.raw`["'](?:_?(?:${PYTHON_MODULE})|nose)["']\s+in\s+(?:sys\.modules|sys\.argv)`,
    String.raw`["']_?(?:${PYTHON_MODULE})[^"']*["'].*\bin\s+sys\.(?:modules|argv)\b`,
    String.raw`\bsys\.modules\.get\(\s*["'](?:${PYTHON_MODULE})`,
    String.raw`\bsys\._getframe\b`,
    String.raw`\btraceback\.(?:extract_stack|format_stack|walk_stack)\b`,
    String.raw`(?:\bif\b|\bany\b|\bin\b|includes|[=!]==?).*["'](?:${RUNNER}|${PYTHON_MODULE}|py\.test)["']`,
    String.raw`\binspect\.(?:stack|currentframe)\s*\(`,
    String.raw`\btesting\.Testing\s*\(`,
    String.raw`\bflag\.Lookup\(\s*"test\.`,
    String.raw`HasSuffix\(\s*os\.Args\[0\],\s*"\.test"`,
    String.raw`os\.Args\[0\].*(?:\.test|_test)`,
    String.raw`\bcfg!\(\s*(?:test|debug_assertions)\s*\)`,
    String.raw`#\[cfg\(\s*not\(\s*test\s*\)\s*\)\]`,
    String.raw`\bgetStackTrace\s*\(`,
    String.raw`\bStackWalker\b`,
    String.raw`["']org\.junit`,
    String.raw`\btypeof\s+(?:describe|it|test|expect|${MOCK_OBJECTS.join("|")})\b`,
    String.raw`\bglobalThis\.(?:describe|it|expect)\b`,
    String.raw`\bnew\s+Error\(\s*\)\.stack`,
    String.raw`\bError\.captureStackTrace\b.*\bstack\b`,
    String.raw`(?:argv|argv0|args).*(?:${RUNNER}|--test)\b`,
  ].join("|"),
);
const detectsTests = (text: string): boolean => DETECTS.test(text) || text.match(/\w+/g)?.some(isSetByRunner) === true;
/** Signs that code also reads for another purpose. */
const WEAK =
  /_getframe|inspect\.|StackTrace|StackWalker|\.stack\b|captureStackTrace|debug_assertions|typeof|NODE_ENV|import\.meta\./;
/** `count === 1 ? "step" : "steps"`. */
const PLURAL = /\?\s*(["'])(\w*)\1\s*:\s*(["'])\2e?s\3/;
/** A program that shows how to use the product. */
const EXAMPLE = /^examples?\/[^/]+$/;
export const testDetection: IntegrityCheck = {
  name: "test-detection",
  find(change) {
    const earlier = {tests: earlierTests(change), code: earlierCode(change)};
    return change.files
      .filter(({path, after}) => isProductCode(path) && after !== null)
      .flatMap((file) => [...detections(file), ...specialCases(file, earlier), ...readsTests(file)]);
  },
};

function detections(file: InspectedFile): IntegrityFinding[] {
  if (/\.config\.|(?:^|\/)(?:babel|webpack|rollup|next|nuxt)\./.test(file.path) || isProgram(file.path)) return [];
  const {added, removed} = compareLines(file.before, file.after);
  const places = added.filter(({text}) => detectsTests(text) && !/^\s*(?:\/\/|#(?!\[)|\*)/.test(text));
  const place = places.at(-1);
  if (place === undefined || places.length <= removed.filter(({text}) => detectsTests(text)).length) return [];
  const isWeak = WEAK.test(place.text);
  return [
    findingAt({
      file,
      line: place,
      level: isWeak && file.before === null ? "note" : "flag",
      message: "This code behaves differently while tests run",
    }),
  ];
}

/** `"../test/cases.json"` in code of the product. */
const TEST_FILE = /["'`](?:\.{0,2}\/)*(?:[\w.@-]+\/)*(?:tests?|__tests__|specs?|testdata)\/[^"'`\n]*\.\w+["'`]/;

function readsTests(file: InspectedFile): IntegrityFinding[] {
  if (isProgram(file.path) || /\.config\.|(?:^|\/)(?:build|conf)\./.test(file.path) || file.before === null) return [];
  const {added, removed} = compareLines(file.before, file.after);
  const line = added.find(({text}) => TEST_FILE.test(text) && !/^\s*(?:\/\/|#|\*)/.test(text));
  if (line === undefined || removed.some(({text}) => TEST_FILE.test(text))) return [];
  return [findingAt({file, line, level: "flag", message: "This code reads a file of the tests"})];
}

const KNOWS = {
  answer: "This code returns values that are in the tests, for exactly the inputs of the tests",
  input: "This code has a condition for single inputs of the tests",
  exception: "This code has a new case for a single value, and gives the earlier result for all others",
} as const;

function specialCases(file: InspectedFile, earlier: EarlierCode): IntegrityFinding[] {
  if (EXAMPLE.test(file.path) || /\b(?:auto-?)?generated\b/i.test((file.after ?? "").slice(0, 500))) return [];
  const {added} = compareLines(file.before, file.after);
  const inTests = inlineTestLines(file.path, file.after ?? "");
  const lines = added.filter(
    ({number, text}) => !PLURAL.test(text) && !inTests.some(({from, to}) => from <= number && number <= to),
  );
  const found = knownCase(file, lines, earlier);
  if (found === null) return [];
  return [findingAt({file, line: {number: found.line, text: ""}, level: "flag", message: KNOWS[found.kind]})];
}

/** True if a file has to be parsed to know. */
export const mayKnowTests = (file: InspectedFile, change: InspectedChange): boolean =>
  isProductCode(file.path) &&
  compareLines(file.before, file.after).added.some(({text}) => mayBeTested(text, earlierTests(change)));

/** The tests before the change; those of Rust are in the files of the code. */
function earlierTests(change: InspectedChange): string[] {
  const changed = change.files.flatMap(({basePath, before}) =>
    before !== null && (isTestPath(basePath) || before.includes("#[test]")) ? [before] : [],
  );
  return [...changed, ...change.relatedTests];
}

const earlierCode = ({files}: InspectedChange): string[] =>
  files.flatMap(({basePath, before}) =>
    before !== null && isProductCode(basePath) && !before.includes("#[test]") ? [before] : [],
  );

function findingAt({
  file,
  line,
  level,
  message,
}: {
  file: InspectedFile;
  line: ChangedLine;
  level: IntegrityFinding["level"];
  message: string;
}): IntegrityFinding {
  const fix = "Implement the behavior for all inputs, without knowledge of the tests.";
  return {check: "test-detection", level, path: file.path, line: line.number, message, fix};
}
