/** Tests of PHP: PHPUnit, and Pest. */
import {beginsWith, oneOf, type TestLanguage, type TreeRule} from "./language.ts";

const CLOSURES = ["anonymous_function", "arrow_function"];
const SKIPS = /^(?:markTest(?:Skipped|Incomplete)|skip|todo)$/;

/** Pest: `it("…", function () { … })->with([…])->skip()` is one statement, with the first call so many steps inside. */
const pest = (steps: string): readonly TreeRule[] => [
  {
    ...{is: "test", on: "expression_statement", name: `${steps}.arguments.0.0`, callee: `${steps}.function`},
    where: {[`${steps}.function`]: oneOf("it", "test"), [`${steps}.arguments.0.0`]: true},
  },
  {
    ...{is: "group", on: "expression_statement", name: `${steps}.arguments.0.0`, callee: `${steps}.function`},
    where: {[`${steps}.function`]: oneOf("describe"), [`${steps}.arguments.1.0`]: CLOSURES},
  },
];

export const php: TestLanguage = {
  name: "php",
  endings: [".php"],
  grammar: "tree-sitter-php/tree-sitter-php.wasm",
  hint: /\bfunction\s+test|#\[(?:\w+\\)*Test\b|@test\b|^\s*(?:it|test|describe)\s*\(/m,
  isTestFile: (path) => /(?:^|\/)tests?\/|Tests?(?:Case)?\.php$/i.test(path),
  rules: [
    {is: "test", on: "method_declaration", name: "name", where: {name: beginsWith("test")}},
    {
      ...{is: "test", on: "attribute", at: "^.^.^", name: "^.^.^.name"},
      where: {"0": /^(?:\w*\\)*Test$/, "^.^.^": ["method_declaration"]},
    },
    // PHPUnit until 11 also reads comments (docs.phpunit.de/en/11.5, "Annotations").
    {
      ...{is: "test", on: "method_declaration", name: "name"},
      where: {"-": /^\/\*\*[\s*]*@test\b|\n\s*\*\s*@test\b/},
    },
    ...["0", "0.object", "0.object.object", "0.object.object.object"].flatMap(pest),
    {is: "group", on: ["class_declaration", "trait_declaration"], name: "name"},
    {is: "unit", on: ["method_declaration", "function_definition"], name: "name"},
    {
      ...{is: "unit", on: "member_call_expression", name: "arguments.0.0"},
      where: {name: oneOf("extend"), object: oneOf("expect()"), "arguments.1.0": CLOSURES},
    },
    {is: "hook", on: "method_declaration", name: "name", where: {name: oneOf("setUp", "setUpBeforeClass")}},

    {is: "skip", on: "member_call_expression", at: "name", where: {name: SKIPS}},
    {is: "skip", on: "scoped_call_expression", where: {name: SKIPS}},
    {is: "only", on: "member_call_expression", at: "name", where: {name: oneOf("only")}},
    {is: "conditional", on: ["class_declaration", "method_declaration"], at: "name", where: {"-": /@requires\s/}},
    {is: "conditional", on: "attribute", where: {"0": /^(?:\w*\\)*Requires\w+$/}},

    {
      ...{is: "asserts", on: ["member_call_expression", "scoped_call_expression", "function_call_expression"]},
      where: {
        name: /^(?:assert|expect(?:Exception|Output|Notice|Warning|Deprecation|Error)|fail$|see[A-Z]|should[A-Z])/,
      },
    },
    {is: "asserts", on: "function_call_expression", where: {function: /^(?:expect|assert\w*)$/}},
    {
      is: "assertion",
      on: "member_call_expression",
      at: "arguments",
      where: {name: oneOf("throws", "throwsIf", "throwsUnless")},
    },

    {is: "branch", on: ["if_statement", "switch_statement", "match_expression", "try_statement", "while_statement"]},
    {is: "branch", on: "conditional_expression"},
    {is: "handler", on: "catch_clause"},
    {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
    {is: "closure", on: CLOSURES},
    {is: "iterated", on: "foreach_statement", at: "0"},
    {is: "iterated", on: "for_statement", at: "condition"},
    {
      is: "iterated",
      on: "member_call_expression",
      at: "arguments",
      where: {name: oneOf("with"), object: /^(?:it|test)\b/},
    },
    {is: "iterated", on: "attribute", at: "parameters.0.0", where: {"0": /DataProvider$/, "parameters.0.0": true}},
    {
      ...{is: "iterated", on: "return_statement", at: "0"},
      where: {"0": ["array_creation_expression"], "^.^.name": /provide|cases|data/i},
    },
    {is: "row", on: "attribute", where: {"0": /^(?:\w*\\)*TestWith(?:Json)?$/}},
    {is: "row", on: "yield_expression"},
    {
      ...{is: "list", on: "assignment_expression", at: "right", name: "left"},
      where: {right: ["array_creation_expression"]},
    },
    {is: "list", on: "const_element", at: "1", name: "0", where: {"1": ["array_creation_expression"]}},
  ],
};
