/** Code that ends a test run early, changes its results, or replaces what assertions compare. Data only. */
import type {FindingLevel} from "../../record/words.ts";
import {noneOf, oneOf} from "../../test-code/languages/language.ts";
import type {NodeRule} from "../../test-code/walk-tree.ts";

export interface Trick {
  /** names of languages with a grammar */
  readonly languages: readonly string[];
  /** one of them is in each place that a rule finds, so that most files need not be searched */
  readonly words: readonly string[];
  readonly rules: readonly NodeRule[];
  readonly where: "tests" | "sources" | "everywhere";
  readonly level: FindingLevel;
  readonly what: string;
}

const JAVASCRIPT = ["javascript", "typescript", "tsx"];
const CALL = {javascript: "call_expression", python: "call"} as const;
const SUCCESS = oneOf("()", "(0)");
/** Python's `x = …` and JavaScript's. */
const ASSIGNMENT = ["assignment_expression", "assignment"] as const;

const MATCHERS = oneOf(
  ...["toBe", "toEqual", "toStrictEqual", "toBeCloseTo", "toBeDefined", "toBeUndefined", "toBeNull", "toBeTruthy"],
  ...["toBeFalsy", "toBeInstanceOf", "toBeGreaterThan", "toBeLessThan", "toContain", "toContainEqual", "toThrow"],
  ...["toThrowError", "toMatch", "toMatchObject", "toMatchSnapshot", "toMatchInlineSnapshot", "toHaveLength"],
  ...["toHaveProperty", "toHaveBeenCalled", "toHaveBeenCalledWith", "toHaveBeenCalledTimes", "toHaveReturnedWith"],
);
const ASSERTIONS = oneOf("expect", "assert", "it", "test", "describe");
const JUNIT = oneOf(
  ...["assertEquals", "assertNotEquals", "assertTrue", "assertFalse", "assertNull", "assertNotNull", "assertThrows"],
  ...["assertSame", "assertArrayEquals", "assertThat", "assertAll", "fail"],
);
const COMPARISONS = oneOf("__eq__", "__ne__", "__bool__", "__contains__", "__lt__", "__le__", "__gt__", "__ge__");

/** What a runner of JavaScript reads from a test that has ended. */
const RESULTS = oneOf("state", "fn", "err", "errors", "result", "skipped", "_retries");
/** A condition for the files of tests. */
const TEST_FILES = /\b(?:endsWith|includes|match|test)\(.*(?:test|spec)/;

export const TRICKS: readonly Trick[] = [
  {
    languages: JAVASCRIPT,
    words: ["process.", "Deno.exit"],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("process.exit", "Deno.exit"), arguments: SUCCESS}},
      {on: CALL.javascript, where: {function: oneOf("process.reallyExit", "process.abort")}},
      {on: CALL.javascript, where: {function: oneOf("process.kill"), "arguments.0": oneOf("process.pid")}},
      // after(process.exit)
      {on: "member_expression", where: {"": oneOf("process.exit"), "^": ["arguments"]}},
    ],
    where: "tests",
    level: "block",
    what: "ends the test run early with success",
  },
  {
    languages: JAVASCRIPT,
    words: ["process."],
    rules: [
      {on: ASSIGNMENT, where: {left: oneOf("process.exitCode"), right: oneOf("0")}},
      {on: ASSIGNMENT, where: {left: oneOf("process.exit", "process.reallyExit", "process.on", "process.emit")}},
      {
        on: CALL.javascript,
        where: {function: oneOf("process.on"), "arguments.0.0": oneOf("exit", "beforeExit"), "arguments.1": /exit/},
      },
    ],
    where: "tests",
    level: "block",
    what: "changes the exit code of the test run",
  },
  {
    languages: JAVASCRIPT,
    words: ["process."],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("process.exit"), arguments: oneOf("(0)")}},
      {on: CALL.javascript, where: {function: oneOf("process.reallyExit")}},
      {on: ASSIGNMENT, where: {left: oneOf("process.exitCode"), right: oneOf("0")}},
    ],
    where: "sources",
    level: "flag",
    what: "ends the process with success, also in tests",
  },
  {
    languages: ["python"],
    words: ["exit", "kill", "SystemExit", "quit"],
    rules: [
      {on: CALL.python, where: {function: oneOf("os._exit", "pytest.exit")}},
      {on: CALL.python, where: {function: oneOf("sys.exit", "exit", "quit"), arguments: SUCCESS}},
      {on: CALL.python, where: {function: oneOf("atexit.register"), arguments: /exit/}},
      {on: CALL.python, where: {function: oneOf("os.kill"), "arguments.0": oneOf("os.getpid()")}},
      {on: "raise_statement", where: {"0": oneOf("SystemExit", "SystemExit()", "SystemExit(0)")}},
    ],
    where: "tests",
    level: "block",
    what: "ends the test run early",
  },
  {
    languages: ["go"],
    words: ["Exit", "testing.T"],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("os.Exit", "syscall.Exit"), arguments: oneOf("(0)")}},
      {on: CALL.javascript, where: {function: oneOf("runtime.Goexit")}},
      {on: "composite_literal", where: {type: oneOf("testing.T")}},
      {on: CALL.javascript, where: {function: oneOf("new"), arguments: oneOf("(testing.T)")}},
    ],
    where: "tests",
    level: "block",
    what: "ends the test run with success",
  },
  {
    languages: ["go"],
    words: ["flag.Set"],
    rules: [{on: CALL.javascript, where: {function: oneOf("flag.Set"), "arguments.0": /^"test\./}}],
    where: "tests",
    level: "block",
    what: "changes which tests run",
  },
  {
    languages: ["go"],
    words: ["TestMain"],
    rules: [{on: "function_declaration", where: {name: oneOf("TestMain")}}],
    where: "tests",
    level: "flag",
    what: "defines `TestMain`, which decides the exit code of the tests",
  },
  {
    languages: ["go"],
    words: ["Error", "Fatal", "Fail"],
    rules: [
      {
        // A type with the methods of `*testing.T`; `Error() string` makes a type an error
        on: "method_declaration",
        where: {
          name: oneOf("Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"),
          "receiver.0.type": true,
          result: noneOf("string"),
        },
      },
    ],
    where: "tests",
    level: "flag",
    what: "replaces how a test fails",
  },
  {
    languages: ["rust"],
    words: ["exit", "set_hook"],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("std::process::exit", "process::exit"), arguments: oneOf("(0)")}},
      {on: CALL.javascript, where: {function: oneOf("std::panic::set_hook", "panic::set_hook")}},
    ],
    where: "everywhere",
    level: "flag",
    what: "ends the process with success or hides panics, also in tests",
  },
  {
    languages: ["rust"],
    words: ["macro_rules!"],
    rules: [{on: "macro_definition", where: {name: /^(?:assert\w*|panic)$/}}],
    where: "everywhere",
    level: "block",
    what: "replaces the macros that tests assert with",
  },
  {
    languages: ["python"],
    words: ["def load_tests", "def pytest_"],
    rules: [
      {
        on: "function_definition",
        where: {
          name: /^load_tests$|^pytest_(?!addoption$|configure$|generate_tests$|report_header$|make_parametrize_id$|plugin)/,
        },
      },
    ],
    where: "everywhere",
    level: "flag",
    what: "adds a hook that can change which tests run and what they report",
  },
  {
    languages: ["python"],
    words: ["collect_ignore", "pytest_plugins"],
    rules: [
      {
        on: ["assignment", "augmented_assignment"],
        where: {left: oneOf("collect_ignore", "collect_ignore_glob", "pytest_plugins")},
      },
      {on: CALL.python, where: {"function.object": oneOf("collect_ignore", "collect_ignore_glob")}},
    ],
    where: "everywhere",
    level: "flag",
    what: "changes which tests are collected",
  },
  {
    languages: ["python"],
    words: [
      "outcome",
      "excinfo",
      "result",
      "exitstatus",
      "items",
      "failureException",
      "assert",
      "stats",
      "add",
      "rep.",
    ],
    rules: [
      {on: "assignment", where: {"left.attribute": oneOf("outcome", "excinfo", "failureException", "exitstatus")}},
      {
        on: "assignment",
        where: {"left.attribute": oneOf("failed", "passed", "wasSuccessful", "addFailure", "addError")},
      },
      {on: "assignment", where: {left: oneOf("failureException")}},
      {on: "assignment", where: {left: /^self\.assert\w+$|^\w+\._outcome\b|^items\[\s*:\s*\]$/}},
      {on: "assignment", where: {"left.attribute": oneOf("failures", "errors", "testsfailed", "_outcome")}},
      {on: CALL.python, where: {"function.attribute": oneOf("force_result", "addSuccess")}},
      {on: CALL.python, where: {function: oneOf("items.clear", "items.remove")}},
      {
        on: CALL.python,
        where: {
          "function.attribute": oneOf("clear", "pop"),
          "function.object": /\b(?:result|outcome|stats)\b.*(?:failures|errors|stats)$/,
        },
      },
      {on: "function_definition", where: {name: oneOf("run"), parameters: /^\(self,\s*result\b/}},
    ],
    where: "tests",
    level: "block",
    what: "changes the results of the test run",
  },
  {
    languages: JAVASCRIPT,
    words: ["expect", "assert", "it", "test", "describe"],
    rules: [
      {
        on: ASSIGNMENT,
        where: {"left.object": oneOf("globalThis", "global", "window"), "left.property": ASSERTIONS},
      },
      {on: ASSIGNMENT, where: {"left.object": oneOf("expect", "assert")}},
      {on: ASSIGNMENT, where: {left: oneOf("expect", "assert"), right: /^(?!.*(?:require|import|chai))/}},
      {
        on: CALL.javascript,
        where: {
          function: oneOf("Object.assign", "Object.defineProperty", "Object.defineProperties", "Reflect.set"),
          "arguments.0": oneOf("expect", "assert", "assert.strict"),
        },
      },
      {
        on: "variable_declarator",
        where: {name: ASSERTIONS, value: ["arrow_function", "function_expression", "object"], "^.^": ["program"]},
      },
      {on: "function_declaration", where: {name: ASSERTIONS, "^": ["program"]}},
    ],
    where: "tests",
    level: "block",
    what: "replaces the functions that tests assert with",
  },
  {
    languages: JAVASCRIPT,
    words: ["assert."],
    rules: [{on: ASSIGNMENT, where: {"left.object": oneOf("assert")}}],
    where: "sources",
    level: "flag",
    what: "replaces the functions that tests assert with",
  },
  {
    languages: JAVASCRIPT,
    words: ["currentTest", "result", "test.", "task"],
    rules: [
      {
        on: ASSIGNMENT,
        where: {"left.object": /(?:\bcurrentTest|[.?!](?:test|task|result))$/, "left.property": RESULTS},
      },
      {
        on: CALL.javascript,
        where: {
          function: oneOf("Object.assign"),
          "arguments.0": /[.?!](?:result|test|task)$|\bcurrentTest$/,
          "arguments.1": /\b(?:state|errors?)\b/,
        },
      },
    ],
    where: "tests",
    level: "block",
    what: "changes the results of the test run",
  },
  {
    languages: JAVASCRIPT,
    words: ["uncaughtException", "unhandledRejection"],
    rules: [
      {
        on: CALL.javascript,
        where: {
          function: oneOf("process.on"),
          "arguments.0.0": oneOf("uncaughtException", "unhandledRejection"),
          "arguments.1": /^(?![\s\S]*(?:throw|exit))/,
        },
      },
    ],
    where: "tests",
    level: "flag",
    what: "takes errors that would fail the test run",
  },
  {
    languages: JAVASCRIPT,
    words: ["transform", "load", "resolveId"],
    rules: [
      {on: ["method_definition", "pair"], where: {name: oneOf("transform", "load", "resolveId"), "": TEST_FILES}},
      {on: "pair", where: {key: oneOf("transform", "load", "resolveId"), value: TEST_FILES}},
    ],
    where: "everywhere",
    level: "flag",
    what: "rewrites tests when they are loaded",
  },
  {
    languages: JAVASCRIPT,
    words: ["retry", "retries"],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("jest.retryTimes", "this.retries"), arguments: /^\(\s*[1-9]/}},
      {on: "pair", where: {key: oneOf("retry"), value: /^[1-9]/}},
    ],
    where: "tests",
    level: "flag",
    what: "repeats a failing test until it passes",
  },
  {
    languages: ["python", "java"],
    words: ["flaky", "Retry", "RepeatedIf"],
    rules: [
      {on: "decorator", where: {"": /^@(?:pytest\.mark\.)?flaky\b/}},
      {on: ["annotation", "marker_annotation"], where: {name: /^(?:RetryingTest|RepeatedIfExceptionsTest|Retry)$/}},
    ],
    where: "tests",
    level: "flag",
    what: "repeats a failing test until it passes",
  },
  {
    languages: ["python"],
    words: ["sys.modules"],
    rules: [{on: "assignment", where: {left: /^sys\.modules\[/}}],
    where: "tests",
    level: "flag",
    what: "replaces a module for all tests",
  },
  {
    languages: JAVASCRIPT,
    words: [".prototype."],
    rules: [{on: ASSIGNMENT, where: {"left.object": /\bRunn(?:er|able)\.prototype$/}}],
    where: "everywhere",
    level: "flag",
    what: "replaces parts of the test framework",
  },
  {
    languages: JAVASCRIPT,
    words: ["to"],
    rules: [
      {on: "method_definition", where: {name: MATCHERS, "^.^.^.function": oneOf("expect.extend")}},
      {on: "pair", where: {key: MATCHERS, "^.^.^.function": oneOf("expect.extend")}},
      {on: "shorthand_property_identifier", where: {"": MATCHERS, "^.^.^.function": oneOf("expect.extend")}},
    ],
    where: "tests",
    level: "block",
    what: "replaces the functions that tests assert with",
  },
  {
    languages: JAVASCRIPT,
    words: ["to", "overwrite", "expect.add"],
    rules: [
      {on: "method_definition", where: {name: MATCHERS}},
      {on: "pair", where: {key: MATCHERS, value: ["arrow_function", "function_expression", "call_expression"]}},
      {on: "variable_declarator", where: {name: MATCHERS}},
      {on: "function_declaration", where: {name: MATCHERS}},
      {
        on: CALL.javascript,
        where: {
          "function.property": oneOf("overwriteMethod", "overwriteProperty", "overwriteChainableMethod"),
          "function.object": /Assertion$/,
        },
      },
      {on: CALL.javascript, where: {function: oneOf("expect.addEqualityTesters", "expect.addSnapshotSerializer")}},
    ],
    where: "tests",
    level: "flag",
    what: "replaces what assertions compare with",
  },
  {
    languages: JAVASCRIPT,
    words: ["expect.extend"],
    rules: [{on: CALL.javascript, where: {function: oneOf("expect.extend")}}],
    where: "tests",
    level: "note",
    what: "extends the assertions",
  },
  {
    languages: ["java"],
    words: [...JUNIT],
    rules: [{on: "method_declaration", where: {name: JUNIT}}],
    where: "tests",
    level: "flag",
    what: "replaces the functions that tests assert with",
  },
  {
    languages: ["java"],
    words: ["Handler", "Interceptor", "Listener", "IHookable"],
    rules: [
      {
        on: "type_identifier",
        where: {
          "": oneOf(
            ...["TestExecutionExceptionHandler", "LifecycleMethodExecutionExceptionHandler", "InvocationInterceptor"],
            ...["TestExecutionListener", "LauncherSessionListener", "IHookable", "ITestListener"],
          ),
        },
      },
    ],
    where: "tests",
    level: "flag",
    what: "can change which tests fail",
  },
  {
    languages: ["python"],
    words: ["builtins", "__", "pytest", "unittest", "TestCase", "assert"],
    rules: [
      {on: "function_definition", where: {name: oneOf("assertEqual", "assertTrue", "assertRaises", "assertIn")}},
      {on: "assignment", where: {left: /^(?:builtins|pytest|unittest)\.|\bTestCase\.\w+$|^_pytest\./}},
      {on: "assignment", where: {"left.attribute": oneOf("__eq__", "__ne__", "__bool__", "__contains__")}},
      {
        on: CALL.python,
        where: {function: oneOf("setattr"), "arguments.0": /^(?:builtins|pytest|unittest)\b|TestCase$/},
      },
    ],
    where: "everywhere",
    level: "flag",
    what: "replaces parts of the test framework",
  },
  {
    languages: ["python"],
    words: ["__"],
    rules: [
      {
        on: "function_definition",
        where: {name: COMPARISONS, "body.0.0": /^(?:True|1|isinstance\([^()]*\)|type\(\w+\) (?:==|is) type\(\w+\))$/},
      },
    ],
    where: "sources",
    level: "flag",
    what: "compares equal to everything",
  },
  {
    languages: JAVASCRIPT,
    words: [".prototype.", "Date.", "Math.", "Object.", "toPrimitive", "chai", "jasmine"],
    rules: [
      {
        on: ASSIGNMENT,
        where: {"left.object": /^(?:(?:Object|Array|String|Number|Function|Promise)\.prototype|chai\.\w+|jasmine)$/},
      },
      {
        on: ASSIGNMENT,
        where: {"left.object": oneOf("Date", "Math", "Object"), "left.property": oneOf("now", "random", "is", "keys")},
      },
      {on: "computed_property_name", where: {"0": oneOf("Symbol.toPrimitive")}},
    ],
    where: "sources",
    level: "flag",
    what: "replaces a global that assertions depend on",
  },
  {
    languages: ["java", "rust"],
    words: ["equals", "fn eq", "fn partial_cmp"],
    rules: [
      {on: "method_declaration", where: {name: oneOf("equals"), "body.0.0": ["true"]}},
      {on: "function_item", where: {name: oneOf("eq", "partial_cmp"), "body.0": ["boolean_literal"]}},
    ],
    where: "sources",
    level: "flag",
    what: "compares equal to everything",
  },
];
