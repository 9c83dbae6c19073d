/** Tests of Rust: the built-in attribute, and those of tokio, rstest and similar crates. */
import {oneOf, type TestLanguage} from "./language.ts";

export const rust: TestLanguage = {
  name: "rust",
  endings: [".rs"],
  grammar: "tree-sitter-rust/tree-sitter-rust.wasm",
  hint: /#\[[^\]]*(?:test|case)\b/,
  rules: [
    {
      is: "test",
      on: "function_item",
      name: "name",
      where: {attributes: /#\[\s*(?:[\w:]+::)?(?:\w*test\w*|rstest|case)\b/},
    },
    {is: "group", on: "mod_item", name: "name", where: {body: true}},
    {is: "unit", on: ["function_item", "macro_definition"], name: "name"},

    {is: "skip", on: "attribute_item", where: {"": /^#\[\s*ignore\b|cfg\(\s*any\(\s*\)/}},
    {
      is: "conditional",
      on: "attribute_item",
      where: {"": /^#\[\s*(?:cfg\((?!\s*test\s*\)|\s*any\(\s*\))|cfg_attr\([^\]]*\bignore\b)/},
    },
    {is: "fails", on: "attribute_item", where: {"": /^#\[\s*should_panic\b/}},

    {is: "assertion", on: "macro_invocation", where: {macro: /assert/}},
    {is: "failure", on: "macro_invocation", where: {macro: oneOf("panic", "unreachable")}},
    {is: "asserts", on: "call_expression", where: {function: /^(?:assert|check|verify|expect)_\w+$/}},

    {is: "branch", on: ["if_expression", "match_expression", "while_expression"]},
    {is: "handler", on: "call_expression", where: {function: /\bcatch_unwind$/}},
    {is: "exit", on: ["return_expression", "continue_expression", "break_expression"]},
    {is: "closure", on: "closure_expression"},
    {is: "iterated", on: "for_expression", at: "value"},
    {is: "row", on: "attribute_item", where: {"": /^#\[\s*(?:test_)?case\b/}},
    {is: "list", on: "let_declaration", at: "value", name: "pattern", where: {value: /[\])]$/}},
    {is: "list", on: ["const_item", "static_item"], at: "value", name: "name", where: {value: /[\])]$/}},
  ],
};
