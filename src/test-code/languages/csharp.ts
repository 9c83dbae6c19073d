/** Tests of C#: xUnit, NUnit and MSTest, with Shouldly and FluentAssertions. */
import {NO_PLATFORM, oneOf, type TestLanguage} from "./language.ts";

const METHODS = ["method_declaration", "local_function_statement"];

export const csharp: TestLanguage = {
  name: "csharp",
  endings: [".cs"],
  grammar: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  hint: /\[[^\]\n]*(?:Fact|Theory|Test)\w*\b/,
  hasMacros: true,
  rules: [
    {
      ...{is: "test", on: "attribute", at: "^.^", name: "^.^.name"},
      where: {
        name: /(?:^|\.)(?:\w*(?:Fact|Theory)|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)$/,
        "^.^": ["method_declaration"],
      },
    },
    {is: "group", on: ["class_declaration", "record_declaration", "struct_declaration"], name: "name"},
    {is: "group", on: ["preproc_if", "preproc_elif", "preproc_else"]},
    {is: "unit", on: METHODS, name: "name"},
    {
      is: "hook",
      on: "attribute",
      at: "^.^",
      where: {name: oneOf("SetUp", "OneTimeSetUp", "TestInitialize", "ClassInitialize")},
    },

    {is: "skip", on: "attribute_argument", where: {name: oneOf("Skip")}},
    {is: "skip", on: "attribute", where: {name: /(?:^|\.)(?:Ignore|Explicit)$/}},
    {is: "conditional", on: "attribute_argument", where: {name: oneOf("SkipWhen", "SkipUnless")}},
    {is: "conditional", on: "attribute", where: {name: /(?:^|\.)(?:Platform|OSCondition)$/}},
    {is: "conditional", on: "preproc_if", at: "condition", where: {condition: NO_PLATFORM}},
    {
      is: "skip",
      on: "invocation_expression",
      where: {function: oneOf("Assert.Ignore", "Assert.Inconclusive", "Assert.Skip")},
    },
    {is: "conditional", on: "invocation_expression", where: {function: /^(?:Skip\.(?:If|IfNot)|Assert\.Skip\w+)$/}},

    {
      ...{is: "asserts", on: "invocation_expression"},
      where: {function: /^(?:[\w.]+\.)?(?:Assert|CollectionAssert|StringAssert|Should|Verifier)(?:\.\w+)*[^.(]*$/},
    },
    {is: "asserts", on: "invocation_expression", where: {"function.name": /^(?:Should|Must|Verify|Has[A-Z]|Received)/}},
    {is: "asserts", on: "invocation_expression", where: {function: /^(?:Assert|Verify|Expect|Should|Check)[A-Z]\w*$/}},

    {
      ...{is: "branch"},
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
    {is: "closure", on: ["lambda_expression", "anonymous_method_expression"]},
    {is: "iterated", on: "foreach_statement", at: "right"},
    {is: "iterated", on: "for_statement", at: "condition"},
    {
      is: "iterated",
      on: "attribute",
      at: "1",
      where: {name: oneOf("MemberData", "ClassData", "TestCaseSource", "DynamicData")},
    },
    {is: "row", on: "attribute", where: {name: /(?:^|\.)(?:InlineData|DataRow|TestCase)$/}},
    {is: "list", on: "variable_declarator", at: "1", name: "name", where: {"1": /[\])}]$/}},
  ],
};
