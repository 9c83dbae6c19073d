/** Patterns of code that ends a test run early, changes its results, or replaces what assertions compare. Data only. */
import type {FindingLevel} from "../../record/words.ts";
import {filesOf, partsOf} from "../../tools/all-integrity.ts";

export interface Trick {
  readonly files: RegExp;
  /** searched in code without comments and strings, or in the whole line if `isText` */
  readonly pattern: RegExp;
  readonly isText?: boolean;
  /** code that the file has as well */
  readonly context?: RegExp;
  readonly where: "tests" | "sources" | "everywhere";
  readonly level: FindingLevel;
  readonly what: string;
}

/** The matchers of Jest and Vitest; other names, such as `toMatchImageSnapshot` of a package, are new matchers. */
const MATCHERS = [
  "to(?:Be(?:CloseTo|Defined|Undefined|Null|NaN|Truthy|Falsy|InstanceOf|TypeOf|OneOf|(?:Greater|Less)Than(?:OrEqual)?)?",
  "Equal|StrictEqual|Throw(?:Error)?|ThrowErrorMatching(?:Inline|File)?Snapshot|Contain(?:Equal)?",
  "Match(?:Object|(?:Inline|File)?Snapshot)?|Satisfy|Have(?:Length|Property",
  "BeenCalled(?:With|Times|Once(?:With)?|ExactlyOnceWith)?|Been(?:Last|Nth)CalledWith",
  "(?:Returned|Resolved)(?:With|Times)?|(?:Last|Nth)(?:Returned|Resolved)With))",
].join("|");

const JS = /\.(?:[cm]?[jt]sx?)$/;
const PY = /\.py$/;
export const TRICKS: readonly Trick[] = [
  {
    files: JS,
    pattern:
      /\b(?:after\w*|on(?:ce)?|set\w+|nextTick|finally|then)\s*\(.*\bprocess\.exit\s*[,)]|\bprocess\.(?:exit\s*\(\s*(?:0\s*)?\)|reallyExit\s*\(|kill\s*\(\s*process\.pid|abort\s*\()|\bDeno\.exit\s*\(\s*0?\s*\)/,
    where: "tests",
    level: "block",
    what: "ends the test run early with success",
  },
  {
    files: JS,
    pattern:
      /\bprocess\.exitCode\s*=\s*0|\bprocess\.(?:exit|reallyExit|on|emit)\s*=(?!=)|\bprocess\.on\s*\(\s*["'`](?:exit|beforeExit)["'`].*(?:exit|exitCode)/,
    isText: true,
    where: "tests",
    level: "block",
    what: "changes the exit code of the test run",
  },
  {
    files: JS,
    pattern: /\bprocess\.(?:exit\s*\(\s*0\s*\)|exitCode\s*=\s*0|reallyExit\s*\()/,
    where: "sources",
    level: "flag",
    what: "ends the process with success, also in tests",
  },
  {
    files: PY,
    pattern:
      /\bos\._exit\b|\batexit\.register\s*\(.*exit|\bsys\.exit\s*\(\s*(?:0\s*)?\)|\bpytest\.exit\s*\(|^(?:\s*)(?:exit|quit)\s*\(\s*0?\s*\)|\bos\.kill\s*\(\s*os\.getpid|\braise\s+SystemExit\s*(?:\(\s*0?\s*\))?\s*$/,
    where: "tests",
    level: "block",
    what: "ends the test run early",
  },
  {
    files: /\.go$/,
    pattern:
      /\bos\.Exit\s*\(\s*0\s*\)|\bsyscall\.Exit\s*\(\s*0|\bruntime\.Goexit\s*\(|:?=\s*(?:&testing\.T\{|new\(testing\.T\))/,
    where: "tests",
    level: "block",
    what: "ends the test run with success",
  },
  {
    files: /\.go$/,
    pattern: /\bflag\.Set\s*\(\s*"test\./,
    isText: true,
    where: "tests",
    level: "block",
    what: "changes which tests run",
  },
  {
    files: /\.go$/,
    pattern: /^func\s+TestMain\s*\(/,
    where: "tests",
    level: "flag",
    what: "defines `TestMain`, which decides the exit code of the tests",
  },
  {
    files: /\.rs$/,
    pattern: /\b(?:std::)?process::exit\s*\(\s*0\s*\)|\bpanic::set_hook\s*\(/,
    where: "everywhere",
    level: "flag",
    what: "ends the process with success or hides panics, also in tests",
  },
  {
    files: PY,
    pattern:
      /^def\s+load_tests\s*\(|\bdef\s+pytest_(?:runtest_\w+|collection_modifyitems|collection_finish|sessionfinish|sessionstart|report_(?!header\b)\w+|terminal_summary|pyfunc_call|ignore_collect|collect_file|itemcollected|deselected|exception_interact|assertrepr_compare|unconfigure|cmdline_\w+|load_initial_conftests)\b/,
    where: "everywhere",
    level: "flag",
    what: "adds a hook that can change which tests run and what they report",
  },
  {
    files: /(?:^|\/)conftest\.py$/,
    pattern: /^\s*(?:collect_ignore|collect_ignore_glob|pytest_plugins|__test__)\s*(?:\+?=|\.(?:append|extend))/,
    where: "everywhere",
    level: "flag",
    what: "changes which tests are collected",
  },
  {
    files: PY,
    pattern:
      /\b(?:outcome|report|rep|result|call)\.(?:outcome|excinfo|force_result|failed|passed)\s*=|\.force_result\s*\(|\bsession\.exitstatus\s*=|\bitems\s*\[\s*:\s*\]\s*=|\bitems\.(?:clear|remove)\s*\(|\bexitstatus\s*=\s*0|\.wasSuccessful\s*=|\baddFailure\s*=|\baddError\s*=|\bdef\s+run\s*\(\s*self\s*,\s*result\b|\bfailureException\s*=|\bself\.assert\w+\s*=(?!=)|\b_outcome\b|\b(?:result|outcome|stats|session)\.\w*\.?(?:failures|errors|testsfailed|clear)\b.*(?:=(?!=)|clear\s*\(|pop\s*\()|\.addSuccess\s*\(/,
    where: "tests",
    level: "block",
    what: "changes the results of the test run",
  },
  {
    files: JS,
    pattern:
      /\b(?:globalThis|global|window)\.(?:expect|assert|it|test|describe)\s*=(?!=)|\b(?:expect|assert)\.(?:equal|strictEqual|deepEqual|deepStrictEqual|ok|extend|prototype|\w+)\s*=(?!=)|(?:^|[^.\w])(?:expect|assert)\s*=(?!=)(?!.*\b(?:require|import|chai)\b)|\b(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.set)\s*\(\s*(?:expect|assert)\b|^(?:const|let|var|function)\s+(?:expect|assert|test|describe)\b(?!.*(?:require|import|chai|from|await|power|node:|\bt\.))/,
    where: "tests",
    level: "block",
    what: "replaces the functions that tests assert with",
  },
  {
    files: JS,
    pattern: /\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual|ok|match|throws|rejects)\s*=(?!=)/,
    where: "sources",
    level: "flag",
    what: "replaces the functions that tests assert with",
  },
  {
    files: JS,
    pattern:
      /\bcurrentTest\.(?:state|fn|err|skip\w*|_retries)\s*=(?!=)|\.(?:test|task)\.(?:state|fn|result)\s*=(?!=)|(?<=[.?!])result[?!]?\.(?:state|errors)\s*=(?!=)|\bObject\.assign\s*\(\s*(?:[\w.?!]*[.?!](?:result|test|task)|(?:[\w.?!]*\.)?currentTest)\b[?!]?\s*,\s*\{[^}]*\b(?:state|errors?)\b/,
    where: "tests",
    level: "block",
    what: "changes the results of the test run",
  },
  {
    files: JS,
    pattern:
      /(?<![\w$.])result[?!]?\.(?:state|errors)\s*=(?!=)|\bObject\.assign\s*\(\s*result\b[?!]?\s*,\s*\{[^}]*\b(?:state|errors?)\b/,
    // Any other `result` is a value of the test's own.
    context: /\btask\s*:\s*\{[^{}]*\bresult\b|\bresult\b[^=;\n]*=\s*(?:[\w.]*\.)?task\b/,
    where: "tests",
    level: "block",
    what: "changes the results of the test run",
  },
  {
    files: JS,
    pattern: /\bprocess\.on\s*\(\s*["'`](?:uncaughtException|unhandledRejection)["'`](?!.*(?:throw|exit|exitCode))/,
    isText: true,
    where: "tests",
    level: "flag",
    what: "takes errors that would fail the test run",
  },
  {
    files: filesOf("transformFiles", /(?:babel|rollup|webpack)[^/]*\.config\.[cm]?[jt]s/),
    pattern: /\b(?:transform|load|resolveId)\s*(?:\(|:).*\b(?:endsWith|includes|match|test)\s*\(.*(?:test|spec)/,
    isText: true,
    where: "everywhere",
    level: "flag",
    what: "rewrites tests when they are loaded",
  },
  {
    files: /\.(?:[cm]?[jt]sx?|py|java|kt)$/,
    pattern: new RegExp(
      partsOf(
        "retryMark",
        /^\s*@(?:RetryingTest|RepeatedIfExceptionsTest|Retry)\b|\b(?:it|test|describe)\b.*\bretry\s*:\s*[1-9]/,
      ),
    ),
    where: "tests",
    level: "flag",
    what: "repeats a failing test until it passes",
  },
  {
    files: /(?:^|\/)conftest\.py$/,
    pattern: /\bsys\.modules\s*\[[^\]]*\]\s*=(?!=)/,
    where: "everywhere",
    level: "flag",
    what: "replaces a module for all tests",
  },
  {
    files: JS,
    pattern: /\bRunn(?:er|able)\.prototype\.\w+\s*=(?!=)/,
    where: "everywhere",
    level: "flag",
    what: "replaces parts of the test framework",
  },
  {
    files: JS,
    pattern: new RegExp(String.raw`\bexpect\.extend\s*\(\s*\{\s*(?:[^{}]*,\s*)?(?:async\s+)?(?:${MATCHERS})\s*[:(,}]`),
    where: "tests",
    level: "block",
    what: "replaces the functions that tests assert with",
  },
  {
    files: JS,
    pattern: new RegExp(
      String.raw`(?<![.\w$])(?:${MATCHERS})\s*(?:\([^()]*\)\s*(?::[^{=;]*)?\{|[:=]\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|\w+\s*=>))|\bAssertion\.overwrite(?:Method|Property|ChainableMethod)\s*\(|\bexpect\.add(?:EqualityTesters|SnapshotSerializer)\s*\(`,
    ),
    where: "tests",
    level: "flag",
    what: "replaces what assertions compare with",
  },
  {
    files: /\.(?:java|kt)$/,
    pattern:
      /\b(?:void|fun)\s+(?:assert(?:Equals|NotEquals|True|False|Null|NotNull|Throws|Same|ArrayEquals|That|All)|fail)\s*\(/,
    where: "tests",
    level: "flag",
    what: "replaces the functions that tests assert with",
  },
  {
    files: /\.(?:java|kt)$/,
    pattern:
      /\b(?:TestExecutionExceptionHandler|LifecycleMethodExecutionExceptionHandler|InvocationInterceptor|TestExecutionListener|LauncherSessionListener|IHookable|ITestListener)\b(?!\s*;)/,
    where: "tests",
    level: "flag",
    what: "can change which tests fail",
  },
  {
    files: JS,
    pattern: /\bexpect\.extend\s*\(/,
    where: "tests",
    level: "note",
    what: "extends the assertions",
  },
  {
    files: PY,
    pattern: new RegExp(
      partsOf(
        "replacedPart",
        /\bbuiltins\.(?:\w+)\s*=(?!=)|\bsetattr\s*\(\s*builtins\b|^\s*[\w.]+\.__(?:eq|ne|bool|contains)__\s*=(?!=)/,
      ),
    ),
    where: "everywhere",
    level: "flag",
    what: "replaces parts of the test framework",
  },
  {
    files: PY,
    pattern:
      /\bdef\s+__(?:eq|ne|bool|contains|lt|le|gt|ge)__\s*\([^)]*\)[^:]*:\s*return\s+(?:True|1|isinstance\([^()]*\)|type\(\w+\)\s*(?:==|is)\s*type\(\w+\))\s*$/,
    where: "sources",
    level: "flag",
    what: "compares equal to everything",
  },
  {
    files: JS,
    pattern:
      /\b(?:Object|Array|String|Number|Function|Promise)\.prototype\.\w+\s*=(?!=)|\bDate\.now\s*=(?!=)|\bMath\.random\s*=(?!=)|\bObject\.(?:is|keys|entries)\s*=(?!=)|\[\s*Symbol\.toPrimitive\s*\]|\bchai\.(?:Assertion|util)\b.*=(?!=)|\bjasmine\.\w+\s*=/,
    where: "sources",
    level: "flag",
    what: "replaces a global that assertions depend on",
  },
  {
    files: /\.(?:java|kt|rs)$/,
    pattern:
      /\bboolean\s+equals\s*\([^)]*\)\s*\{\s*return\s+true\s*;|\bfn\s+(?:eq|partial_cmp)\s*\([^)]*\)\s*->\s*bool\s*\{\s*true\s*\}/,
    where: "sources",
    level: "flag",
    what: "compares equal to everything",
  },
  {
    files: /\.rs$/,
    pattern: /\bmacro_rules!\s*(?:assert\w*|panic)\b/,
    where: "everywhere",
    level: "block",
    what: "replaces the macros that tests assert with",
  },
];
