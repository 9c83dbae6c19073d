/** Code of the product that ends a test run, or replaces what tests assert or compare with. Data only. */
import {oneOf} from "../../test-code/languages/language.ts";
import type {NodeRule} from "../../test-code/walk-tree.ts";

export interface Trick {
  /** names of languages with a grammar */
  readonly languages: readonly string[];
  /** one of them is in each place that a rule finds, so that most files need not be searched */
  readonly words: readonly string[];
  readonly rules: readonly NodeRule[];
  /** `flag` without one */
  readonly level?: "block";
  readonly what: string;
}

const JAVASCRIPT = ["javascript", "typescript", "tsx"];
const CALL = {javascript: "call_expression", python: "call"} as const;
/** Python's `x = …` and JavaScript's. */
const ASSIGNMENT = ["assignment_expression", "assignment"] as const;

const COMPARISONS = oneOf("__eq__", "__ne__", "__bool__", "__contains__", "__lt__", "__le__", "__gt__", "__ge__");

export const TRICKS: readonly Trick[] = [
  {
    languages: JAVASCRIPT,
    words: ["process."],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("process.exit"), arguments: oneOf("(0)")}},
      {on: CALL.javascript, where: {function: oneOf("process.reallyExit")}},
      {on: ASSIGNMENT, where: {left: oneOf("process.exitCode"), right: oneOf("0")}},
    ],
    what: "ends the process with success, also in tests",
  },
  {
    languages: ["rust"],
    words: ["exit", "set_hook"],
    rules: [
      {on: CALL.javascript, where: {function: oneOf("std::process::exit", "process::exit"), arguments: oneOf("(0)")}},
      {on: CALL.javascript, where: {function: oneOf("std::panic::set_hook", "panic::set_hook")}},
    ],
    what: "ends the process with success or hides panics, also in tests",
  },
  {
    languages: JAVASCRIPT,
    words: ["assert."],
    rules: [{on: ASSIGNMENT, where: {"left.object": oneOf("assert")}}],
    what: "replaces the functions that tests assert with",
  },
  {
    languages: JAVASCRIPT,
    words: [".prototype."],
    rules: [{on: ASSIGNMENT, where: {"left.object": /\bRunn(?:er|able)\.prototype$/}}],
    what: "replaces parts of the test framework",
  },
  {
    languages: ["rust"],
    words: ["macro_rules!"],
    rules: [{on: "macro_definition", where: {name: /^(?:assert\w*|panic)$/}}],
    level: "block",
    what: "replaces the macros that tests assert with",
  },
  {
    languages: ["python"],
    words: ["builtins", "pytest", "unittest", "TestCase", "assert"],
    rules: [
      {on: "function_definition", where: {name: oneOf("assertEqual", "assertTrue", "assertRaises", "assertIn")}},
      {on: "assignment", where: {left: /^(?:builtins|pytest|unittest)\.|\bTestCase\.\w+$|^_pytest\./}},
    ],
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
    what: "replaces a global that assertions depend on",
  },
  {
    languages: ["java", "rust"],
    words: ["equals", "fn eq", "fn partial_cmp"],
    rules: [
      {on: "method_declaration", where: {name: oneOf("equals"), "body.0.0": ["true"]}},
      {on: "function_item", where: {name: oneOf("eq", "partial_cmp"), "body.0": ["boolean_literal"]}},
    ],
    what: "compares equal to everything",
  },
];
