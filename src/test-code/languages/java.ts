/** Tests of Java: JUnit 4 and 5, TestNG, AssertJ, Hamcrest and jqwik. */
import {oneOf, type TestLanguage} from "./language.ts";

const ANNOTATIONS = ["annotation", "marker_annotation"];

export const java: TestLanguage = {
  name: "java",
  endings: [".java"],
  grammar: "tree-sitter-java/tree-sitter-java.wasm",
  hint: /@[\w.]*(?:Test|TestFactory|TestTemplate|Property|Theory)\b|\bvoid\s+test/,
  rules: [
    {
      is: "test",
      on: "method_declaration",
      name: "name",
      where: {"0": /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b/},
    },
    {
      is: "test",
      on: "method_declaration",
      name: "name",
      where: {name: /^test[A-Z_0-9]/, "0": /\bpublic\b/, type: oneOf("void")},
    },
    {is: "group", on: "class_declaration", name: "name"},
    {is: "unit", on: "method_declaration", name: "name"},
    {is: "hook", on: "method_declaration", name: "name", where: {"0": /@(?:Before|After)(?:Each|All|Class)?\b/}},

    {is: "skip", on: ANNOTATIONS, where: {name: /(?:^|\.)(?:Disabled|Ignore|Ignored)$/}},
    {is: "skip", on: "annotation", where: {"": /^@\w+\(.*\benabled\s*=\s*false|^@RepeatedTest\(\s*0\b/}},
    {is: "conditional", on: ANNOTATIONS, where: {name: /(?:^|\.)(?:Disabled|Enabled)(?:On|If|For|Until)\w*$/}},
    // JUnit 5 does not run private methods, and those of an abstract class run in its subclasses only.
    {
      is: "skip",
      on: "method_declaration",
      at: "0",
      where: {"0": /^(?=[\s\S]*@(?:Test|ParameterizedTest)\b)[\s\S]*\bprivate\b/},
    },
    {is: "conditional", on: "class_declaration", at: "0", where: {"0": /\babstract\b/}},
    {is: "fails", on: ANNOTATIONS, where: {name: /(?:^|\.)ExpectedToFail$/}},
    {is: "fails", on: "annotation", where: {"": /^@Test\(.*\bexpected\s*=/}},
    {
      is: "skip",
      on: "method_invocation",
      where: {name: oneOf("assumeTrue", "assumeFalse", "abort"), arguments: /^\(\s*(?:(?:true|false)\s*[,)]|\))/},
    },
    {
      is: "conditional",
      on: "method_invocation",
      where: {
        name: oneOf("assumeTrue", "assumeFalse", "assumeThat", "assumingThat"),
        arguments: /^\(\s*(?!true\b|false\b)/,
      },
    },

    {
      is: "asserts",
      on: "method_invocation",
      where: {name: /^(?:assert\w*|fail|verify\w*|expect\w*|check[A-Z]\w*|shouldThrow\w*)$/},
    },

    {is: "branch", on: ["if_statement", "try_statement", "switch_expression", "while_statement", "ternary_expression"]},
    {is: "handler", on: "catch_clause"},
    {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
    {is: "closure", on: "lambda_expression"},
    {is: "iterated", on: "enhanced_for_statement", at: "value"},
    {is: "iterated", on: "for_statement", at: "condition"},
    {is: "iterated", on: "annotation", at: "arguments", where: {name: /Source$/}},
    {is: "list", on: "variable_declarator", at: "value", name: "name", where: {value: /[\])}]$/}},
  ],
};
