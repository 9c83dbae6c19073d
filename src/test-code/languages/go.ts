/** Tests of Go: the package testing, testify and similar libraries. */
import {beginsWith, oneOf, type TestLanguage} from "./language.ts";

/** The values that testing gives to a test, under their usual short names. */
const TESTING = /^(?:\w{1,2}|\w+\.T\(\))$/;

/** The beginnings of testify's names, which suites and helpers share. */
const ASSERTIONS = beginsWith(
  ...["Not", "No", "Assert", "Check", "Verify", "Expect", "Equal", "True", "False", "Nil", "Error", "Contains", "Len"],
  ...["Empty", "Zero", "Panics", "Greater", "Less", "InDelta", "InEpsilon", "ElementsMatch", "Subset", "Is", "Same"],
  ...["Implements", "JSONEq", "YAMLEq", "Regexp", "Fail", "Exactly", "Eventually", "Never", "Condition", "Within"],
  ...["Consistently", "File", "Dir", "HTTP", "Positive", "Negative", "Must", "Require"],
);

export const go: TestLanguage = {
  name: "go",
  endings: [".go"],
  grammar: "tree-sitter-go/tree-sitter-go.wasm",
  hint: /^func\s.*\b(?:Test|Fuzz)/m,
  isTestFile: (path) => path.endsWith("_test.go"),
  rules: [
    {is: "test", on: "function_declaration", name: "name", where: {name: /^(?:Test(?!Main$)|Fuzz)(?![a-z])/}},
    {is: "test", on: "method_declaration", name: "name", group: "receiver.0.type", where: {name: /^Test(?![a-z])/}},
    {
      is: "unit",
      on: ["function_declaration", "method_declaration"],
      name: "name",
      where: {name: /^(?!(?:Test(?!Main$)|Fuzz|Benchmark|Example)(?![a-z]))/},
    },
    {is: "hook", on: "method_declaration", name: "name", where: {name: oneOf("SetupTest", "SetupSuite", "BeforeTest")}},
    {is: "hook", on: "function_declaration", name: "name", where: {name: oneOf("TestMain")}},

    {
      is: "skip",
      on: "call_expression",
      where: {"function.field": oneOf("Skip", "Skipf", "SkipNow"), "function.operand": TESTING},
    },
    {
      is: "failure",
      on: "call_expression",
      where: {
        "function.field": oneOf("Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"),
        "function.operand": TESTING,
      },
    },
    {is: "failure", on: "call_expression", where: {function: oneOf("panic")}},
    {
      is: "asserts",
      on: "call_expression",
      where: {
        function:
          /^(?:assert|require|is|qt|should|gomega|suite)\.(?!(?:T|New|Run|Helper|Name|Cleanup|Parallel|Setenv|TempDir|Skip\w*|Log\w*)$)[A-Z]\w*$/,
      },
    },
    {
      ...{is: "asserts", on: "call_expression"},
      where: {"function.operand": /^(?:[scargf]|ts|test\w*)$/, "function.field": ASSERTIONS},
    },
    {is: "asserts", on: "call_expression", where: {function: /^\w+\.(?:Require|Assert)\(\)\.[A-Z]\w*$/}},
    {
      is: "asserts",
      on: "call_expression",
      where: {function: /^(?:Expect|Ω|Eventually|(?:assert|check|verify|expect|must|require)(?:[A-Z]\w*)?)$/},
    },

    {is: "branch", on: ["if_statement", "expression_switch_statement", "type_switch_statement", "select_statement"]},
    {is: "handler", on: "defer_statement", where: {"": /\brecover\(\)/}},
    {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
    {is: "closure", on: "func_literal"},
    {is: "iterated", on: "range_clause", at: "right"},
    {is: "iterated", on: "for_clause", at: "condition"},
    {is: "row", on: "call_expression", where: {function: oneOf("f.Add")}},
    {is: "list", on: "short_var_declaration", at: "right", name: "left", where: {right: /\}$/}},
    {is: "list", on: "var_spec", at: "value", name: "name", where: {value: /\}$/}},
  ],
};
