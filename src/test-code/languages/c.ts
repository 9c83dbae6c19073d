/** Tests of C and C++: GoogleTest, Catch2, doctest, Boost.Test, Unity, Check, and programs that count their failures. */
import {beginsWith, NO_PLATFORM, oneOf, type TestLanguage, type TreeRule} from "./language.ts";

const HINT =
  /^\s*(?:[A-Z]+_)*(?:TEST|SCENARIO|START_TEST)\w*\s*\(|^[\w\s*]*\b(?:\w*test\w*|\w*_should_\w*|main)\s*\(|\b\w*(?:ASSERT|CHECK|EXPECT|assert)\w*\s*\(/m;

/** Catch2 and doctest: `TEST_CASE("…") { … }`, a call and a block to the parser. */
const CASES = /^(?:TEST_CASE(?:_METHOD)?|SCENARIO(?:_METHOD)?|TEST_CASE_FIXTURE)$/;

const rules: readonly TreeRule[] = [
  {
    ...{is: "test", on: "function_definition", name: "declarator.parameters.1", group: "declarator.parameters.0"},
    where: {"declarator.declarator": /^(?:[A-Z]+_)*TEST(?:_[A-Z]+)*$/, "declarator.parameters.1": true},
  },
  {
    ...{is: "test", on: "function_definition", name: "declarator.parameters.0"},
    where: {
      "declarator.declarator": /^(?:START_TEST|(?:[A-Z]+_)*TEST(?:_[A-Z]+)*)$/,
      "declarator.parameters.0": true,
      "!declarator.parameters.1": true,
    },
  },
  // Check: the first test of a file
  {is: "test", on: "function_definition", name: "declarator.0", where: {type: oneOf("START_TEST")}},
  {
    ...{is: "test", on: "expression_statement", name: "0.arguments.0", until: "+"},
    where: {"0.function": CASES, "+": ["compound_statement"]},
  },
  {
    ...{is: "test", on: "function_definition", name: "declarator.declarator"},
    where: {"declarator.declarator": /^(?:main|(?:\w+_)?[tT]ests?(?:_\w+)?|test[A-Z]\w*|\w+_should(?:_\w+)?)$/},
  },
  {is: "group", on: ["preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"]},
  {
    ...{is: "unit", on: "function_definition", name: "declarator.declarator"},
    where: {"declarator.declarator": /[a-z]/},
  },
  {is: "unit", on: "preproc_function_def", name: "name"},
  {is: "assertion", on: "preproc_function_def", at: "value", where: {value: /\b(?:if|return|assert)\b/}},
  {
    is: "hook",
    on: "function_definition",
    name: "declarator.declarator",
    where: {"declarator.declarator": beginsWith("SetUp")},
  },

  {is: "skip", on: "call_expression", where: {function: /^(?:GTEST_SKIP|TEST_IGNORE\w*|SKIP|doctest::skip)$/}},
  {
    ...{is: "skip", on: "function_definition", at: "declarator.parameters"},
    where: {"declarator.parameters": /\bDISABLED_/},
  },
  {
    ...{is: "skip", on: "call_expression", at: "arguments"},
    where: {function: CASES, "arguments.1": /\[(?:\.\w*|!hide)\]/},
  },
  {
    ...{is: "fails", on: "call_expression", at: "arguments"},
    where: {function: CASES, "arguments.1": /\[!(?:mayfail|shouldfail)\]/},
  },
  {is: "conditional", on: "preproc_if", at: "condition", where: {condition: NO_PLATFORM}},

  {
    ...{is: "asserts", on: "call_expression"},
    where: {
      function:
        /^(?:\w+_)?(?:ASSERT|EXPECT|CHECK|REQUIRE|VERIFY)(?:_\w+)?$|^(?:ck_|zassert|g_)?assert\w*$|^(?:check|expect|verify)_\w+$/,
    },
  },
  {
    ...{is: "asserts", on: "call_expression"},
    where: {function: /^[A-Z]+_EQ$|^fail_(?:unless|if)$|^(?:ADD_FAILURE|FAIL\w*|SUCCEED|OK)$/},
  },
  {is: "failure", on: "call_expression", where: {function: /^(?:fail\w*|abort)$/}},
  {
    is: "failure",
    on: "call_expression",
    where: {function: oneOf("exit", "_exit"), arguments: /^\((?!0\)|EXIT_SUCCESS)/},
  },
  {is: "failure", on: "update_expression", where: {argument: /fail|err/i}},
  {is: "failure", on: "return_statement", where: {"0": /^(?:-?[1-9]|EXIT_FAILURE)/, "^.^": ["if_statement"]}},
  {
    ...{is: "assertion", on: "return_statement", at: "0"},
    where: {"0": /fail|err|status|bad|result/i, "^.^.declarator.declarator": oneOf("main")},
  },

  {
    is: "branch",
    on: [
      "if_statement",
      "switch_statement",
      "try_statement",
      "while_statement",
      "conditional_expression",
      "preproc_if",
    ],
  },
  {is: "handler", on: "catch_clause"},
  {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
  {
    is: "exit",
    on: "call_expression",
    where: {function: oneOf("exit", "_exit"), arguments: oneOf("(0)", "(EXIT_SUCCESS)")},
  },
  {is: "closure", on: "lambda_expression"},
  {is: "iterated", on: "for_range_loop", at: "right"},
  {is: "iterated", on: "for_statement", at: "condition"},
  {is: "list", on: "init_declarator", at: "value", name: "declarator", where: {value: ["initializer_list"]}},
];

export const c: TestLanguage = {
  name: "c",
  endings: [".c"],
  grammar: "tree-sitter-c/tree-sitter-c.wasm",
  hint: HINT,
  hasMacros: true,
  isTestFile: (path) => /test|check|spec/i.test(path),
  rules,
};

export const cpp: TestLanguage = {
  name: "cpp",
  endings: [".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"],
  grammar: "tree-sitter-cpp/tree-sitter-cpp.wasm",
  hint: HINT,
  hasMacros: true,
  isTestFile: (path) => /test|check|spec/i.test(path),
  rules,
};
