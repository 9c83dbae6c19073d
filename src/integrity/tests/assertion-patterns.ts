/** Patterns for the assertions of each language, and how many values each of them accepts. Data only. */
import {partsOf} from "../../tools/all-integrity.ts";
import type {LanguageName} from "../source/languages.ts";

/** Where an assertion begins; the match ends before its bracket, or before its expression in Python's `assert`. */
export const ASSERTION_STARTS: Readonly<Record<LanguageName, RegExp>> = {
  javascript:
    /(?<![\w$])(?:await\s+)?(?:(?<!\.)expect(?:TypeOf|\.soft|\.poll)?|(?<!\.)assert(?:\.\w+)*|(?<!\.)(?:t|ctx|assert|QUnit)\.(?:assert\.)?(?:is|not|equal|notEqual|deepEqual|same|strictEqual|deepStrictEqual|true|false|ok|notOk|throws|throwsAsync|rejects|match|fail|truthy|falsy|like|regex|snapshot)|(?<!\.)sinon\.assert\.\w+|(?<!\.)should(?:\.\w+)*|(?<!\.)(?:expect|assert|check|verify|ensure|must)[A-Z_]\w*)(?=\s*\()|\.should\b|\.expect(?=\s*\()/g,
  python: new RegExp(
    String.raw`^[ \t]*assert\b|(?<![\w.])(?:\w+\.)*(?:assert|fail(?:If|Unless)|expect|check|verify)_?\w*(?=\()|(?<![\w])(?:${partsOf("pythonAssert", /self\.fail/)})(?=\()`,
    "gm",
  ),
  go: /(?<![\w.])(?:t|tb|b|s\.T\(\)|suite\.T\(\))\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)(?=\()|(?<![\w.])(?:assert|require|is|qt|should|suite|gomega)\.(?!T\b|Run\b|Helper\b|Log|Name\b|Skip|Cleanup\b|Parallel\b|Setenv\b|TempDir\b)[A-Z]\w*(?=\()|(?<![\w.])test\w*\.(?:(?:Not)?(?:Assert|Check|Verify|Expect|Equals?|DeepEqual|True|False|Nil|Error\w*|Contains|Len|Must\w*|Ok|OK)|NoError)(?=\()|(?<![\w.])\w+\.(?:Require|Assert)\(\)\.[A-Z]\w*(?=\()|(?<![\w.])(?:s|c|a|r|g|ts)\.(?:Fail|FailNow)(?=\()|(?<![\w.])(?:s|c|a|r|g|ts)\.(?:(?:Not|No)?(?:Assert|Check|Verify|Expect|Equal|True|False|Nil|Error|Contains|Len|Empty|Zero|Panics|Greater|Less|In(?:Delta|Epsilon)|ElementsMatch|Subset|Is(?:Not)?(?:Type|Increasing|Decreasing|NonIncreasing|NonDecreasing)|Implements|JSONEq|YAMLEq|Regexp|Same|Fail|Exactly|Eventually|Never|Consistently|Positive|Negative|Within(?:Duration|Range)|Condition|(?:File|Dir)Exists|HTTP|Fatal|Must|Require)\w*|Ω)(?=\((?!\)))|(?<![\w.])(?:Expect|Ω|Eventually|panic)(?=\()|(?<![\w.])(?:assert|check|verify|expect|must|require)[A-Z]\w*(?=\()/g,
  rust: /\b\w*assert\w*!(?=\s*[([{])|\bErr(?=\()|\b(?:panic|unreachable)!(?=\s*[([{])|\b(?:assert|check|verify|expect)_\w+(?=\()/g,
  java: /(?<![\w.])(?:\w+\.)?(?:assert\w*|fail|verify\w*|expect\w*|check[A-Z]\w*|shouldThrow\w*)(?=\s*\()|\bshould(?:Be|NotBe|Equal|Contain)\b/g,
};

/** Assertions that accept most values. */
export const WEAK: Readonly<Record<LanguageName, RegExp>> = {
  javascript:
    /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toBeInstanceOf|toBeTypeOf|toHaveBeenCalled|toBeCalled|anything)\(\)?|\.(?:not|never)\b|expect\.any(?:thing)?\(|^(?:await)?assert(?:\.ok|\.isOk|\.exists|\.isDefined|\.isNotNull|\.notEqual|\.notStrictEqual|\.doesNotThrow|\.isObject|\.isFunction)?\((?!.*[=!]==?)(?!.*[<>]=?)|\.to\.(?:exist|be\.ok|be\.an?\()|t\.(?:ok|truthy|falsy|notOk|not)\(|\.toBe\(expect[.(]|typeof/,
  python:
    /(?:isnotNone|!=|notin)|^assertisinstance\(|^assert(?!.*(?:==|<|>|\bin\b|\.startswith|\.endswith|approx|\bis[A-Z]))|assertIsNotNone|assertNotEqual|assertTrue\((?!.*==)|assertFalse\((?!.*==)|assertIsInstance|assertNotIn|assert_called\(\)|[rR]aises\((?:Base)?Exception\b(?!.*match=)/,
  go: /\.(?:NotNil|NoError|True|False|NotEmpty|NotEqual|NotZero|NotPanics|IsType|Error|Implements)\((?!.*==)|^if(?:err|\w+)[!=]=nil|^if!?\w+\{|^iferr:=|^if(?![^{]*!)[^{|]*[^:=]==[^{|]*\{/,
  rust: /^debug_assert|^assert!\((?!.*[=!]=)(?!.*(?:<|>)=?)(?!.*matches!)(?!.*(?:contains|starts_with|ends_with))|^assert_ne!/,
  java: /assertThrows\((?:Exception|Throwable|RuntimeException)\.class|assert(?:NotNull|DoesNotThrow|NotEquals|NotSame|InstanceOf)\(|assert(?:True|False)\((?!.*(?:==|equals|<|>))|\.is(?:NotNull|NotEmpty|InstanceOf|NotEqualTo)\(|any\(\)/,
};

/** Assertions that accept several values. */
export const MEDIUM: Readonly<Record<LanguageName, RegExp>> = {
  javascript:
    /\.(?:toContain|toMatch|toMatchObject|toBeGreaterThan|toBeLessThan|toBeCloseTo|toHaveProperty|toThrow\(\)|toMatchSnapshot|toMatchInlineSnapshot|include|match|contain|closeTo|toBeOneOf)|(?:object|array|string)(?:Containing|Matching)|[^=]>=?|<=?/,
  python:
    /\bin\b|assert\w*in\w|>=?|<=?|startswith|endswith|approx|AlmostEqual|raises\((?!.*match=)|assertRaises\(|assertIn|assertRegex|assertGreater|assertLess/,
  go: /strings\.(?:Contains|Has)|\.(?:Contains|Len|Greater|Less|InDelta|Regexp|ErrorContains|Subset|ElementsMatch)|<=?|>=?/,
  rust: /matches!|contains|starts_with|ends_with|>=?|<=?|is_\w+\(\)/,
  java: /contains|startsWith|endsWith|matches|>=?|<=?|isGreater|isLess|hasSize|isCloseTo/,
};

/** Calls that keep a test from running. */
export const SKIP_CALLS: Readonly<Record<LanguageName, RegExp | null>> = {
  javascript: /\b(?:this|t|ctx|context|test|it)\s*\.\s*(?:skip|todo)\s*\(\s*(?!["'`])|(?<![\w.])pending\s*\(/g,
  python: new RegExp(partsOf("pythonSkip"), "g"),
  go: /\b(?:t|tb|b)\.(?:Skip|Skipf|SkipNow)\b/g,
  rust: null,
  java: /\b(?:Assumptions?\.)?(?:assumeTrue|assumeFalse|assumeThat|assumingThat)\s*\(|\babort\s*\(/g,
};

/** The matchers of Jest and Vitest; other names, such as `toMatchImageSnapshot` of a package, are new matchers. */
export const MATCHERS = [
  "to(?:Be(?:CloseTo|Defined|Undefined|Null|NaN|Truthy|Falsy|InstanceOf|TypeOf|OneOf|(?:Greater|Less)Than(?:OrEqual)?)?",
  "Equal|StrictEqual|Throw(?:Error)?|ThrowErrorMatching(?:Inline|File)?Snapshot|Contain(?:Equal)?",
  "Match(?:Object|(?:Inline|File)?Snapshot)?|Satisfy|Have(?:Length|Property",
  "BeenCalled(?:With|Times|Once(?:With)?|ExactlyOnceWith)?|Been(?:Last|Nth)CalledWith",
  "(?:Returned|Resolved)(?:With|Times)?|(?:Last|Nth)(?:Returned|Resolved)With))",
].join("|");
