/** Check: product code that behaves differently in tests, or returns the values that the tests expect. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {languageOf} from "../../test-code/text/languages.ts";
import {maskSource} from "../../test-code/text/mask.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import {inlineTestLines} from "../changed-tests/new-tests.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode, isProgram, isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {isCertain, isInOneTest, literalCases, statementsOf, TELLING, VAGUE} from "../special-cases/literal-cases.ts";
import {singleException} from "../special-cases/single-exceptions.ts";
import {answerOfTest, areOnOneLine, type EarlierTests, isMovedText} from "../special-cases/test-answers.ts";
import {inputOfTest} from "../special-cases/tested-inputs.ts";
import {unusedResult} from "../special-cases/unused-results.ts";

const PYTHON_MODULE = partsOf("pythonModule");
const RUNNER = partsOf("runnerName");
const WEAK_SIGNS = partsOf("weakRunSign");
/** Signs of a running test that product code can see. */
const DETECTS = new RegExp(
  [
    partsOf("runSign"),
    WEAK_SIGNS,
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
    String.raw`\btypeof\s+(?:describe|it|test|expect|${partsOf("mockObject")})\b`,
    String.raw`\bglobalThis\.(?:describe|it|expect)\b`,
    String.raw`\bnew\s+Error\(\s*\)\.stack`,
    String.raw`\bError\.captureStackTrace\b.*\bstack\b`,
    String.raw`(?:argv|argv0|args).*(?:${RUNNER}|--test)\b`,
  ].join("|"),
);
/** Signs that code also reads for another purpose. */
const WEAK = new RegExp(
  String.raw`_getframe|inspect\.|StackTrace|StackWalker|\.stack\b|captureStackTrace|debug_assertions|typeof|NODE_ENV|${WEAK_SIGNS}`,
);
/** `count === 1 ? "step" : "steps"`. */
const PLURAL = /\?\s*(["'])(\w*)\1\s*:\s*(["'])\2e?s\3/;
/** A program that shows how to use the product. */
const EXAMPLE = /^examples?\/[^/]+$/;
export const testDetection: IntegrityCheck = {
  name: "test-detection",
  find(change) {
    const tests = testTexts(change);
    const known = {texts: earlierTests(change), removed: removedLines(change), earlierCode: earlierCode(change)};
    return change.files
      .filter(({path, after}) => isProductCode(path) && after !== null)
      .flatMap((file) => [
        ...detections(file),
        ...(EXAMPLE.test(file.path) ? [] : specialCases(file, tests, known)),
        ...readsTests(file),
        ...(countedAnswers(file) ?? []),
        ...unusedResults(file),
      ]);
  },
};

function detections(file: InspectedFile): IntegrityFinding[] {
  if (/\.config\.|(?:^|\/)(?:babel|webpack|rollup|next|nuxt)\./.test(file.path) || isProgram(file.path)) return [];
  const {added, removed} = compareLines(file.before, file.after);
  const places = added.filter(({text}) => DETECTS.test(text) && !/^\s*(?:\/\/|#(?!\[)|\*)/.test(text));
  const place = places.at(-1);
  if (place === undefined || places.length <= removed.filter(({text}) => DETECTS.test(text)).length) return [];
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

function unusedResults(file: InspectedFile): IntegrityFinding[] {
  const {added} = compareLines(file.before, file.after);
  const line = file.before === null ? null : unusedResult(file.path, file.after ?? "", added);
  if (line === null) return [];
  return [
    findingAt({file, line, level: "flag", message: `\`${line.text.trim()}\` changes nothing: its result is not used`}),
  ];
}

/** A variable outside of all functions that counts the calls, and decides about a literal answer. */
function countedAnswers(file: InspectedFile): IntegrityFinding[] | null {
  const {added} = compareLines(file.before, file.after);
  for (const {text} of added) {
    const name = /^(?:let|var|static(?:\s+mut)?)\s+(\w+)|^(\w+)\s*=\s*0\s*$/.exec(text)?.slice(1).find(Boolean);
    if (name === undefined) continue;
    const counts = new RegExp(String.raw`(?:\b${name}\s*(?:\+\+|\+=\s*1)|\+\+${name}\b)`);
    const decides = new RegExp(String.raw`\bif\b.*\b${name}\s*(?:[=!]==?|[<>]=?|%)\s*\d`);
    const at = added.findIndex((line) => decides.test(line.text));
    const line = added[at];
    if (line === undefined || !added.some((one) => counts.test(one.text))) continue;
    const block = added.slice(at, at + 2).map((one) => one.text);
    if (!block.some((one) => /\breturn\b\s*(?:["'`\d{[(]|true|false|True|False)/.test(one))) continue;
    return [findingAt({file, line, level: "flag", message: "This code answers by the number of its calls"})];
  }
  return null;
}

/** Added pairs of a compared and a returned literal that both are in one test. */
function specialCases(
  file: InspectedFile,
  tests: readonly string[],
  known: EarlierTests & {readonly earlierCode: readonly string[]},
): IntegrityFinding[] {
  const inTests = inlineTestLines(file.path, file.after ?? "");
  const changes = compareLines(file.before, file.after);
  const lines = changes.added.filter(
    ({number, text}) => !PLURAL.test(text) && !inTests.some(({from, to}) => from <= number && number <= to),
  );
  const added = lines.flatMap(statementsOf);
  if (/\b(?:auto-?)?generated\b/i.test((file.after ?? "").slice(0, 500))) return [];
  const message = "This code returns values that are in the tests, for exactly the inputs of the tests";
  const language = languageOf(file.path);
  const code = language === null ? null : maskSource(file.after ?? "", language).code.split("\n");
  // Examples in comments and documentation.
  const isCode = ({number}: ChangedLine) =>
    code === null || (code[number - 1] ?? "").replace(/["'`]/g, "").trim() !== "";
  const answer = answerOfTest(lines.filter(isCode), known) ?? answerOfTest(added.filter(isCode), known);
  if (answer !== null) return [findingAt({file, line: answer, level: "flag", message})];
  const input = inputOfTest(lines.filter(isCode), known);
  if (input !== null)
    return [
      findingAt({
        file,
        line: input,
        level: "flag",
        message: "This code has a condition for single inputs of the tests",
      }),
    ];
  const exception = singleException({
    text: file.after ?? "",
    tests: known.texts,
    added: lines.filter(isCode),
    removed: changes.removed,
  });
  if (exception !== null)
    return [
      findingAt({
        file,
        line: exception,
        level: "flag",
        message: "This code has a new case for a single value, and gives the earlier result for all others",
      }),
    ];
  const cases = literalCases(added)
    .filter(({input, output}) => !isMovedText(output, known) && !areOnOneLine([...input, output], known.removed))
    .filter((one) => tests.some((text) => isInOneTest(text, one)));
  if (new Set(cases.map(({output}) => output)).size === 1 && cases.every(({output}) => VAGUE.test(output))) return [];
  const telling = cases.filter(
    ({input, output}) => input.some((value) => TELLING.test(value)) || TELLING.test(output) || input.length > 1,
  );
  const [first] = telling;
  if (first === undefined || (telling.length < 2 && !isCertain(first))) return [];
  return [findingAt({file, line: first.line, level: "flag", message})];
}

/** The tests before the change. */
function earlierTests(change: InspectedChange): string[] {
  const changed = change.files.flatMap(({path, basePath, before}) => {
    if (before === null) return [];
    if (isTestPath(basePath)) return [before];
    const lines = before.split("\n");
    return inlineTestLines(path, before).map(({from, to}) => lines.slice(from - 1, to).join("\n"));
  });
  return [...changed, ...change.relatedTests];
}

const earlierCode = ({files}: InspectedChange): string[] =>
  files.flatMap(({basePath, before}) => (before !== null && isProductCode(basePath) ? [before] : []));

const removedLines = ({files}: InspectedChange): string[] =>
  files
    .filter(({basePath}) => isProductCode(basePath))
    .flatMap(({before, after}) => compareLines(before, after).removed.map(({text}) => text));

function testTexts(change: InspectedChange): string[] {
  // Rust's tests are in the same files as the code.
  const withTests = change.files.filter(({path, before}) => isTestPath(path) || before?.includes("#[test]"));
  const changed = withTests.flatMap(({before, after}) => [before ?? "", after ?? ""]);
  return [...changed, ...change.relatedTests];
}

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
