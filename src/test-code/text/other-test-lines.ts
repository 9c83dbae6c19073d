/** The meaning of test lines in languages that have no parser here. Data only. */

/** The frameworks that use the words, what a line with them does, and the words. */
type TestLineFact = readonly [frameworks: string, meaning: string, pattern: RegExp];

/** One pattern for all rows: it is searched in each changed line. */
const anyOf = (...facts: readonly TestLineFact[]): RegExp =>
  new RegExp(facts.map(([, , {source}]) => source).join("|"));

export const ASSERTS = anyOf(
  [
    "most frameworks",
    "asserts",
    /\b(?:assert|refute|expect|should|must|flunk|EXPECT_|ASSERT_|REQUIRE|CHECK|STATIC_REQUIRE)\w*!?|\bAssert\./,
  ],
  ["XCTest, Swift Testing", "asserts", /\bXCT(?:Assert|Fail)\w*|#(?:expect|require)\b/],
  ["RSpec, Dart", "expects an exception", /\b(?:raises?_error|throwsA)\w*/],
  ["Pest", "asserts in a chain", /->(?:to[A-Z]|throws)/],
  ["Elixir", "asserts with a match, or runs the examples of a module", /\bmatch\s*\{.*[=<>]|\bdoctest\b/],
);

/** Assertions that accept most values. */
export const ACCEPTS_MOST = anyOf(
  ["RSpec", "accepts everything except nil and false", /(?<!\.)\b(?:be_truthy|be_present|not_to be_nil)\b/],
  ["Dart", "accepts everything, or one of several values", /(?<!\.)\b(?:anything|isNotNull|isNotEmpty)\b|\banyOf\(/],
  ["xUnit, NUnit, PHPUnit", "accepts everything except null", /(?<!\.)\b(?:Assert\.NotNull|assertNotNull)\b/],
  ["RSpec, Minitest", "accepts every exception", /raise_error\s*$|assert_raises\((?:StandardError|Exception)\)/],
  [
    "GoogleTest, xUnit",
    "accepts every exception",
    /_ANY_THROW\b|\b(?:ThrowsAny(?:Async)?<(?:System\.)?Exception>|Record\.Exception)/,
  ],
  ["Minitest, Pest", "runs without comparing", /(?<!\.)\b(?:assert_nothing_raised|throwsNoExceptions)\b/],
  ["PHPUnit", "accepts a difference", /WithDelta\(/],
  ["ExUnit", "matches everything, or only asks whether a value is set", /assert\s+_\s*=|^\s*assert\s+\w+$/],
  ["all", "compares nothing", /expect\(true\)|assert\(?\s*true\b|\btrue\s*[;}]|\/\.\*\//],
);

/** Lines that keep tests from running, or replace what they test. */
export const SKIPS = anyOf(
  ["RSpec, Pest, Dart", "skips", /^\s*(?:x(?:it|describe|context|specify|test)\b|(?:skip|pending)(?:\s|$|\())/],
  ["RSpec", "runs only this test", /^\s*f(?:it|describe|context)\b/],
  ["ExUnit", "skips by a tag", /^\s*@(?:module|describe)?tag\b.*\bskip/],
  ["Dart", "skips, or runs on one platform", /^\s*@(?:Skip|TestOn)\(|\b(?:skip|solo):\s*(?!false|nil|null)/],
  // `#if NET8_0` and `#if os(Linux)` are about the platform.
  [
    "C, C++, C#, Swift",
    "is compiled only if somebody defines a name",
    /^\s*#if\s+(?!!?\(?(?:NET|DEBUG|RELEASE|WIN|LINUX|MAC|os\(|arch\(|can|swift|compiler|defined|has|_))\w/,
  ],
  ["Minitest", "hides the test methods below", /^\s*private\s*$/],
  ["NUnit, MSTest, xUnit", "skips", /\[(?:\w+\()?(?:Ignore|Explicit)\b|\bSkip\s*=/],
  ["GoogleTest", "skips", /\bDISABLED_|\bGTEST_SKIP\b/],
  ["PHPUnit, Pest", "skips, or runs only this test", /markTest(?:Skipped|Incomplete)|->(?:skip|todo|only)\(/],
  ["XCTest", "skips", /\bXCTSkip/],
  ["Rust", "skips under a condition", /\bcfg_attr\([^)]*ignore/],
  ["RSpec, Mocha", "answers in place of the code", /receive\(.*and_return|allow_any_instance_of|stub_any_instance/],
);

/** Where a test or a row of its table begins. */
export const STARTS_TEST = anyOf(
  [
    "RSpec, ExUnit, Pest, Dart, StreamData",
    "a test",
    /^\s*[xf]?(?:it|test|specify|property|example)[\s(]+["']|^\s*test\($/,
  ],
  ["Minitest, Python", "a test", /^\s*def\s+test_\w+/],
  ["Swift", "a test", /^\s*(?:func\s+test\w+|@Test\b)/],
  ["GoogleTest, Catch2", "a test", /^\s*(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO)\s*\(/],
  [
    "xUnit, NUnit, MSTest",
    "a test or a row",
    /^\s*\[(?:(?:Fact|Theory|Test|TestMethod)\b|(?:InlineData|TestCase|DataRow)\()/,
  ],
  ["PHPUnit", "a test or a row", /^\s*(?:(?:public\s+)?function\s+test\w+|#\[(?:Test|DataProvider)|yield\s)/],
);

/** Code that ends a run with success, or replaces what asserts. */
export const TRICKS = anyOf(
  ["all", "ends the run with success", /exit!?\(?\s*0|System\.halt\(\s*0|exit_status:\s*0/],
  ["Minitest", "replaces an assertion", /\bdef\s+assert\w*\(\*/],
  [
    "C, C++",
    "defines an assertion that does nothing",
    /^\s*#\s*define\s+\w*(?:CHECK|ASSERT|EXPECT|REQUIRE|FAIL)\w*\([^)]*\)\s*(?:$|\(*\s*\(void\)|\(?\s*[01]\s*\)?\s*$|do\s*\{\s*\}\s*while)/,
  ],
  ["RSpec", "removes the failure of an example", /instance_variable_set\(:@exception/],
  [
    "Minitest, RSpec, ExUnit",
    "catches the failure of an assertion",
    /^\s*rescue\s+(?:Minitest::Assertion|ExUnit\.AssertionError|RSpec::Expectations)|ExUnit\.AssertionError\s*->/,
  ],
);

/** Lines that let a test program fail: a test without a framework counts its failures, and ends with them. */
export const FAILS_RUN = anyOf(
  [
    "C, C++, Zig",
    "ends with the failures, or with a code",
    /\b(?:return|exit)\b[\s(]*(?:[1-9]|EXIT_FAILURE|.*(?:fail|err|status|bad|result))/,
  ],
  ["all", "counts a failure", /\w*(?:fail|err)\w*\s*(?:\+\+|\+=)|\+\+\s*\w*(?:fail|err)/],
  ["all", "ends with a signal", /\babort\s*\(\s*\)/],
);

/** Comments, ends of blocks and imports. */
export const NO_CODE =
  /^\s*(?:#(?!\[|if|\s*define)|\/\/|\/?\*|[)\]};,]*$|end\b|use\s|using\s|import\s|require|alias\s|#include)/;
/** An import of a test library: the assertions of another library have other names. */
export const IMPORTS_TESTS = /^\s*(?:import|use|using|require|#include)\b.*test/i;
