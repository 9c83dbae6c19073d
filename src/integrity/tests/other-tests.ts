/** Compares the lines of tests in languages without a reader of their own. */
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isTestData} from "../source/kinds.ts";
import {type ChangedLine, compareLines, shorten} from "../source/line-changes.ts";

const ENDINGS =
  /\.(?:rb|php|cs|fs|vb|c|cc|cpp|cxx|h|hpp|hh|mm?|exs?|dart|swift|lua|jl|pl|pm|erl|hs|ml|nim|cr|zig|clj|rs)$/;
const NAMES = /(?:^|\/)[^/]*(?:[._-](?:test|spec)|(?:Test|Spec|Tests)|^test_[^/]*)\.\w+$/;
const FOLDERS = /(?:^|\/)(?:tests?|specs?|t|unittests?|[\w.-]+[.-]Tests?)\//i;

export const isOtherTest = (path: string): boolean =>
  ENDINGS.test(path) &&
  (NAMES.test(path) || FOLDERS.test(path)) &&
  !path.endsWith(".rs") &&
  !isGenerated(path) &&
  !isTestData(path);
/** Helpers of tests, whose readers find tests only. */
const isHelper = (path: string): boolean => path.endsWith(".rs") && FOLDERS.test(path);
const isCode = (path: string): boolean => ENDINGS.test(path) && !isOtherTest(path) && !isGenerated(path);

const ASSERTS =
  /\b(?:assert|refute|expect|should|must|flunk|XCTAssert|XCTFail|EXPECT_|ASSERT_|REQUIRE|CHECK|STATIC_REQUIRE|raises?_error|throwsA)\w*!?|#(?:expect|require)\b|\bAssert\.|->(?:to[A-Z]|throws)|\bmatch\s*\{.*[=<>]|\bdoctest\b/;
/** Assertions that accept most values. */
const ACCEPTS_MOST =
  /(?<!\.)\b(?:be_truthy|be_present|not_to be_nil|anything|isNotNull|isNotEmpty|assert_nothing_raised|ANY_THROW|ThrowsAny|Assert\.NotNull|assertNotNull|throwsNoExceptions|Record\.Exception)\b|raise_error\s*$|assert_raises\((?:StandardError|Exception)\)|WithDelta\(|assert\s+_\s*=|^\s*assert\s+\w+$|\banyOf\(|\btrue\s*[;}]|\/\.\*\/|expect\(true\)|assert\(?\s*true\b/;
const SKIPS =
  /^\s*(?:x(?:it|describe|context|specify|test)\b|f(?:it|describe|context)\b|skip(?:\s|$|\()|pending(?:\s|$|\()|@(?:module|describe)?tag\b.*\bskip|@(?:Skip|TestOn)\(|#if\s+(?:0|false|NEVER)|private\s*$)|\[(?:\w+\()?(?:Ignore|Explicit)\b|\bSkip\s*=|\bDISABLED_|\bGTEST_SKIP\b|markTest(?:Skipped|Incomplete)|->(?:skip|todo|only)\(|\b(?:skip|solo):\s*(?!false|nil|null)|\bXCTSkip|\bdo\s*#\s*skip|\bcfg_attr\([^)]*ignore|receive\(.*and_return|allow_any_instance_of|stub_any_instance/;
const TEST =
  /^\s*(?:def\s+test_\w+|[xf]?(?:it|test|specify|property|example)[\s(]+["']|test\($|@Test\b|(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO)\s*\(|\[(?:Fact|Theory|Test|TestMethod)\b|(?:public\s+)?function\s+test\w+|func\s+test\w+|#\[(?:Test|DataProvider)|\[(?:InlineData|TestCase|DataRow)\(|yield\s)/;
/** Code that ends a run with success, or replaces what asserts. */
const TRICKS =
  /exit!?\(?\s*0|System\.halt\(\s*0|exit_status:\s*0|\bdef\s+assert\w*\(\*|instance_variable_set\(:@exception|^\s*rescue\s+(?:Minitest::Assertion|ExUnit\.AssertionError|RSpec::Expectations)|ExUnit\.AssertionError\s*->/;
const NO_CODE = /^\s*(?:#(?!\[|if)|\/\/|\/?\*|[)\]};,]*$|end\b|use\s|using\s|import\s|require|alias\s|#include)/;

export interface LineFinding {
  readonly check: "disabled-tests" | "weakened-tests" | "removed-tests" | "runner-tricks";
  readonly file: InspectedFile;
  readonly line: number | null;
  readonly message: string;
}

interface LinesOfFile {
  readonly file: InspectedFile;
  readonly added: readonly ChangedLine[];
  readonly removed: readonly ChangedLine[];
}

export function findInLines(change: InspectedChange): LineFinding[] {
  const files = change.files
    .filter(({path, basePath}) => isOtherTest(path) || isOtherTest(basePath) || isHelper(path))
    .map((file) => ({file, ...shorten(compareLines(file.before, file.after))}));
  const existing = files.filter(({file}) => file.before !== null);
  const single = existing.flatMap((lines) => [
    ...skipped(lines),
    ...tricked(lines),
    ...renamed(lines),
    ...loosened(lines),
  ]);
  return [...single, ...(losesCode(change) ? [] : lost(files, existing))];
}

const count = (lines: readonly ChangedLine[], pattern: RegExp): number =>
  lines.filter(({text}) => !NO_CODE.test(text) && pattern.test(text)).length;

function more(lines: LinesOfFile, pattern: RegExp): ChangedLine | undefined {
  if (count(lines.added, pattern) <= count(lines.removed, pattern)) return undefined;
  return lines.added.find(({text}) => !NO_CODE.test(text) && pattern.test(text));
}

function skipped(lines: LinesOfFile): LineFinding[] {
  // A new test may come with its own doubles.
  const place = count(lines.added, TEST) > count(lines.removed, TEST) ? undefined : more(lines, SKIPS);
  if (place === undefined) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` keeps tests from running, or replaces what they test`;
  return [{check: "disabled-tests", file: lines.file, line: place.number, message}];
}

function tricked(lines: LinesOfFile): LineFinding[] {
  const place = more(lines, TRICKS);
  if (place === undefined) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` hides failures of tests`;
  return [{check: "runner-tricks", file: lines.file, line: place.number, message}];
}

function renamed({file}: LinesOfFile): LineFinding[] {
  if (file.status !== "renamed" || !NAMES.test(file.basePath) || NAMES.test(file.path)) return [];
  const isSame = file.path.split(".").at(-1) === file.basePath.split(".").at(-1);
  if (isSame && !/[._-](?:test|spec)\./.test(file.basePath)) return [];
  const message = "The new name of the file is not one of a test";
  return [{check: "removed-tests", file, line: null, message}];
}

function loosened(lines: LinesOfFile): LineFinding[] {
  const place = count(lines.removed, ASSERTS) === 0 ? undefined : more(lines, ACCEPTS_MOST);
  if (place === undefined || count(lines.added, TEST) > count(lines.removed, TEST)) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` accepts more values than the assertion before`;
  return [{check: "weakened-tests", file: lines.file, line: place.number, message}];
}

/** The code of the product got shorter: its tests may go too. */
function losesCode({files}: InspectedChange): boolean {
  const code = files.filter(({path, basePath}) => isCode(path) || isCode(basePath));
  const size = code.reduce((sum, {before, after}) => sum + (after ?? "").length - (before ?? "").length, 0);
  return size < 0 || code.some(({status}) => status === "deleted");
}

/** All files together assert less, or a file only loses lines. */
function lost(all: readonly LinesOfFile[], existing: readonly LinesOfFile[]): LineFinding[] {
  // Assertions of another library have other names.
  if (
    existing.some(({removed}) =>
      removed.some(({text}) => /^\s*(?:import|use|using|require|#include)\b.*test/i.test(text)),
    )
  )
    return [];
  const sum = (pattern: RegExp) =>
    all.reduce((net, one) => net + count(one.added, pattern) - count(one.removed, pattern), 0);
  for (const [pattern, what] of [
    [ASSERTS, "assertions"],
    [TEST, "tests, or rows of their tables"],
  ] as const) {
    const place = existing.find(({added, removed}) => count(added, pattern) < count(removed, pattern));
    if (sum(pattern) < 0 && place !== undefined)
      return [
        {
          check: "weakened-tests",
          file: place.file,
          line: null,
          message: `The change has fewer ${what}, and the code does not get shorter`,
        },
      ];
  }
  const isReal = ({text}: ChangedLine) => !NO_CODE.test(text);
  const shorter = existing.find(
    ({added, removed, file}) => file.after !== null && removed.some(isReal) && !added.some(isReal),
  );
  const isMoved = all.some(({added}) => added.some(isReal));
  return shorter === undefined || isMoved
    ? []
    : [
        {
          check: "weakened-tests",
          file: shorter.file,
          line: null,
          message: "The test only loses lines, and the code does not get shorter",
        },
      ];
}
