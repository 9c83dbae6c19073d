/** Tests of Ruby: RSpec, Minitest, test-unit, and the tests of Rails. */
import {beginsWith, oneOf, type TestLanguage} from "./language.ts";

const BLOCKS = ["do_block", "block"];
const EXAMPLES = /^[xf]?(?:it|specify|example|scenario|its|test|should)$/;
const GROUPS = /^[xf]?(?:describe|context|feature|shared_examples(?:_for)?|shared_context)$/;
const BODIES = ["body_statement", "block_body", "then"];
const BRANCHES = [
  "if",
  "unless",
  "if_modifier",
  "unless_modifier",
  "case",
  "case_match",
  "while",
  "until",
  "conditional",
  "rescue",
];

export const ruby: TestLanguage = {
  name: "ruby",
  endings: [".rb"],
  grammar: "tree-sitter-ruby/tree-sitter-ruby.wasm",
  hint: /^\s*(?:def\s+test_|(?:[\w:]+\.)?[xf]?(?:it|specify|describe|context|example|scenario|feature|test|should|shared_examples\w*)\b)/m,
  isTestFile: (path) => /(?:^|\/)(?:spec|tests?)\/|(?:_(?:spec|test)|\/test_\w+|^test_\w+)\.rb$/.test(path),
  rules: [
    {is: "test", on: "method", name: "name", where: {name: beginsWith("test_")}},
    {
      ...{is: "test", on: "call", name: "arguments.0", callee: "method"},
      where: {method: EXAMPLES, block: BLOCKS, "!receiver": true},
    },
    // Without a block, an example is pending.
    {
      ...{is: "test", on: "call", name: "arguments.0"},
      where: {
        method: oneOf("it", "specify", "example", "scenario"),
        "arguments.0": ["string"],
        "!block": true,
        "!receiver": true,
      },
    },
    {
      ...{is: "skip", on: "call", at: "method"},
      where: {
        method: oneOf("it", "specify", "example", "scenario"),
        "arguments.0": ["string"],
        "!block": true,
        "!receiver": true,
      },
    },
    {is: "group", on: "call", name: "arguments.0", callee: "method", where: {method: GROUPS, block: BLOCKS}},
    {is: "group", on: ["class", "module"], name: "name"},
    {is: "unit", on: ["method", "singleton_method"], name: "name", where: {name: /^(?!test_)/}},
    {
      is: "unit",
      on: "call",
      name: "arguments.0",
      where: {method: oneOf("define"), receiver: /\bMatchers$/, block: BLOCKS},
    },
    {is: "hook", on: "method", name: "name", where: {name: oneOf("setup", "before_setup", "prepend_before")}},

    {
      is: "skip",
      on: "call",
      at: "method",
      where: {method: oneOf("xit", "xdescribe", "xcontext", "xspecify", "xexample", "xscenario")},
    },
    {
      is: "only",
      on: "call",
      at: "method",
      where: {method: oneOf("fit", "fdescribe", "fcontext", "fspecify", "fexample", "fscenario")},
    },
    {is: "skip", on: "call", where: {method: oneOf("skip", "pending", "omit"), "!receiver": true, "!block": true}},
    {is: "skip", on: BODIES, at: "0", where: {"0": oneOf("skip", "pending", "omit")}},
    {is: "skip", on: ["if_modifier", "unless_modifier"], at: "body", where: {body: oneOf("skip", "pending", "omit")}},
    // Minitest does not run private methods.
    {is: "skip", on: "method", at: "name", where: {name: beginsWith("test_"), "-": oneOf("private")}},
    {is: "skip", on: "pair", where: {key: oneOf("skip", "pending", ":skip", ":pending"), value: /^(?!false|nil)/}},
    {is: "skip", on: "simple_symbol", where: {"": oneOf(":skip", ":pending"), "^.^.method": EXAMPLES}},
    {is: "only", on: "pair", where: {key: oneOf("focus", ":focus"), value: oneOf("true")}},
    {is: "only", on: "simple_symbol", where: {"": oneOf(":focus"), "^.^.method": EXAMPLES}},

    {
      ...{is: "asserts", on: "call"},
      where: {
        method: /^(?:is_expected|flunk|(?:expect|assert|refute)(?:_\w+)?|(?:check|verify)_\w+)$/,
        "!receiver": true,
      },
    },
    {is: "asserts", on: "call", where: {receiver: oneOf("is_expected"), method: oneOf("to", "not_to", "to_not")}},
    {is: "asserts", on: "call", where: {method: /^(?:must|wont)_\w+$|^should(?:_not)?$/, receiver: true}},

    // The block of a matcher must give true.
    {is: "assertion", on: "call", at: "block.body", where: {method: oneOf("match"), block: BLOCKS, "!receiver": true}},

    {is: "branch", on: BRANCHES},
    {is: "handler", on: ["rescue", "rescue_modifier"]},
    {is: "exit", on: ["return", "next", "break"]},
    {is: "closure", on: BLOCKS},
    {
      ...{is: "iterated", on: "call", at: "receiver"},
      where: {method: /^each\w*$|^map$/, block: BLOCKS, receiver: true},
    },
    {is: "iterated", on: "for", at: "value"},
    {
      is: "list",
      on: "assignment",
      at: "right",
      name: "left",
      where: {right: ["array", "hash", "call", "string_array"]},
    },
  ],
};
