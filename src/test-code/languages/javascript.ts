/** Tests of JavaScript and TypeScript: Jest, Vitest, Mocha, node:test, AVA, Playwright, Deno, Bun and similar runners. */
import {noneOf, oneOf, type TestLanguage, type TreeRule} from "./language.ts";

const HINT =
  /(?<![\w$.])(?:[xf]?(?:it|test|describe|suite|context|specify)|(?:t|Deno|QUnit)\.(?:test|module))\b\s*[.(`)]/;
const FUNCTIONS = ["arrow_function", "function_expression"];
const RUNNER = /^(?:(?:t|Deno|QUnit)\.)?(?:it|test|describe|suite|context|specify)(?:\.\w+)*$/;
const VALUES = [
  "call_expression",
  "binary_expression",
  "identifier",
  "unary_expression",
  "member_expression",
  "ternary_expression",
  "parenthesized_expression",
];

/** Members of a runner's function that are no tests, or whose result is called. */
const NO_TEST = noneOf(
  ...["each", "for", "skipIf", "runIf", "if", "todoIf", "extend", "use", "describe", "step", "before", "after"],
  ...["beforeEach", "afterEach", "beforeAll", "afterAll", "setTimeout", "slow", "info"],
);
/** Those of the argument of a test: AVA, tap, tape, QUnit, node:test. */
const ASSERTS = oneOf(
  ...["is", "not", "equal", "equals", "notEqual", "deepEqual", "same", "strictSame", "strictEqual", "deepStrictEqual"],
  ...["true", "false", "ok", "notOk", "throws", "throwsAsync", "rejects", "match", "fail", "truthy", "falsy", "like"],
  ...["regex", "snapshot", "error", "plan"],
);

const rules: readonly TreeRule[] = [
  // it("…", …), test.skip("…", …)
  {
    ...{is: "test", on: "call_expression", name: "arguments.0", callee: "function"},
    where: {
      function: /^(?:(?:t|Deno|QUnit|ctx)\.)?[xf]?(?:it|test|specify|bench)(?:\.\w+)*$/,
      "function.property": NO_TEST,
      "arguments.1": true,
    },
  },
  // Without a function, a test is pending.
  {
    ...{is: "test", on: "call_expression", name: "arguments.0", callee: "function"},
    where: {
      function: oneOf(...["it", "test", "specify"].flatMap((name) => [name, `${name}.todo`, `${name}.skip`])),
      "arguments.0": ["string", "template_string"],
      "!arguments.1": true,
    },
  },
  {
    ...{is: "skip", on: "call_expression", at: "function"},
    where: {
      function: oneOf("it", "test", "specify"),
      "arguments.0": ["string", "template_string"],
      "!arguments.1": true,
    },
  },
  {
    is: "test",
    on: "call_expression",
    name: "arguments.0",
    callee: "function",
    where: {function: oneOf("Deno.test"), "arguments.0": ["object"]},
  },
  // it.each(rows)("…", …), test.skipIf(…)("…", …), (isWindows ? it.skip : it)("…", …)
  {
    ...{is: "test", on: "call_expression", name: "arguments.0", callee: "function.function"},
    where: {
      "function.function": /^[xf]?(?:it|test|specify)(?:\.\w+)*\.(?:each|for|skipIf|runIf|if|todoIf|failingIf)$/,
      "arguments.0": true,
    },
  },
  {
    ...{is: "test", on: "call_expression", name: "arguments.0", callee: "function"},
    where: {function: /^\([^{}]*\b(?:it|test)\b[^{}]*:[^{}]*\)$/, "arguments.1": true},
  },
  {
    ...{is: "called", on: "call_expression", name: "arguments.0", callee: "function"},
    where: {
      function: ["identifier", "member_expression"],
      "arguments.0": ["string", "template_string"],
      "arguments.1": true,
    },
  },
  {is: "alias", on: "variable_declarator", at: "name", where: {value: /\b(?:it|test)(?:\.\w+)*\s*(?::|$)/}},
  {
    ...{is: "group", on: "call_expression", name: "arguments.0", callee: "function"},
    where: {
      function:
        /^(?:(?:t|test|QUnit)\.)?[xf]?(?:describe|suite|context|module)(?:\.(?!(?:each|for|skipIf|runIf)$)\w+)*$/,
      "arguments.1": true,
    },
  },
  {
    ...{is: "group", on: "call_expression", name: "arguments.0", callee: "function.function"},
    where: {"function.function": /^[xf]?(?:describe|suite|context)\b/, "arguments.1": true},
  },
  {
    is: "group",
    on: "call_expression",
    name: "arguments.0",
    callee: "function",
    where: {function: /^\([^{}]*\b(?:describe|suite)\b[^{}]*\)$/},
  },

  {is: "skip", on: "call_expression", at: "function", where: {function: /^x(?:it|test|describe|context|specify)\b/}},
  {is: "only", on: "call_expression", at: "function", where: {function: /^f(?:it|test|describe|context)\b/}},
  {is: "skip", on: "member_expression", where: {property: oneOf("skip", "todo", "fixme", "ignore"), object: RUNNER}},
  {is: "only", on: "member_expression", where: {property: oneOf("only"), object: RUNNER}},
  {is: "fails", on: "member_expression", where: {property: oneOf("fails", "failing"), object: RUNNER}},
  {
    is: "conditional",
    on: "call_expression",
    where: {"function.property": oneOf("skipIf", "runIf", "if", "todoIf"), "function.object": RUNNER},
  },
  {
    ...{is: "skip", on: "call_expression"},
    where: {
      "function.property": oneOf("skip", "todo", "fixme"),
      "function.object": oneOf("this", "t", "ctx", "context", "test", "it"),
      arguments: /^\(\s*(?!["'\x60])/,
    },
  },
  {is: "skip", on: "call_expression", where: {function: oneOf("pending")}},
  {
    is: "skip",
    on: "pair",
    where: {key: oneOf("skip", "todo", "ignore"), value: ["true", "string", "number", "template_string"]},
  },
  {is: "conditional", on: "pair", where: {key: oneOf("skip", "todo", "ignore"), value: VALUES}},
  {is: "only", on: "pair", where: {key: oneOf("only"), value: ["true"]}},
  {is: "fails", on: "pair", where: {key: oneOf("fails"), value: ["true"]}},

  {
    ...{is: "asserts", on: "call_expression"},
    where: {
      function:
        /^(?:expect(?:TypeOf)?(?:\.(?:soft|poll|assertions))?|assert(?:\.\w+)*|should(?:\.\w+)*|(?:expect|assert|check|verify|ensure|must)[A-Z_]\w*|sinon\.assert\.\w+)$/,
    },
  },
  {
    ...{is: "asserts", on: "call_expression"},
    where: {
      "function.object": oneOf("t", "t.assert", "ctx", "ctx.assert", "QUnit", "QUnit.assert"),
      "function.property": ASSERTS,
    },
  },
  {is: "asserts", on: "member_expression", where: {property: oneOf("should")}},
  {
    is: "asserts",
    on: "call_expression",
    where: {"function.property": oneOf("expect"), "function.object": ["call_expression"]},
  },

  {is: "branch", on: ["if_statement", "ternary_expression", "switch_statement", "try_statement", "while_statement"]},
  {is: "branch", on: "binary_expression", where: {operator: oneOf("&&", "||", "??")}},
  {is: "handler", on: "catch_clause"},
  {
    is: "handler",
    on: "call_expression",
    at: "arguments.0",
    where: {"function.property": oneOf("catch"), "arguments.0": true},
  },
  {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
  {is: "closure", on: FUNCTIONS},
  {is: "unit", on: "function_declaration", name: "name"},
  {is: "unit", on: "method_definition", name: "name"},
  {is: "unit", on: "variable_declarator", name: "name", where: {value: FUNCTIONS}},
  {is: "unit", on: "assignment_expression", name: "left.property", where: {right: FUNCTIONS, "left.property": true}},
  {is: "iterated", on: "for_in_statement", at: "right"},
  {is: "iterated", on: "for_statement", at: "condition"},
  {
    is: "iterated",
    on: "call_expression",
    at: "function.object",
    where: {"function.property": oneOf("forEach", "map"), "arguments.0": FUNCTIONS},
  },
  {
    is: "iterated",
    on: "call_expression",
    at: "arguments.0",
    where: {"function.property": oneOf("each", "for"), "function.object": RUNNER},
  },
  {
    is: "iterated",
    on: "call_expression",
    at: "arguments",
    where: {"function.property": oneOf("each"), arguments: ["template_string"]},
  },
  {
    is: "list",
    on: "variable_declarator",
    at: "value",
    name: "name",
    where: {value: ["array", "object", "as_expression", "call_expression", "satisfies_expression"]},
  },
];

const PACKAGE = "tree-sitter-typescript/tree-sitter-";

export const javascript: TestLanguage = {
  name: "javascript",
  endings: [".js", ".mjs", ".cjs", ".jsx"],
  grammar: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  hint: HINT,
  rules,
};

export const typescript: TestLanguage = {
  name: "typescript",
  endings: [".ts", ".mts", ".cts"],
  grammar: `${PACKAGE}typescript.wasm`,
  hint: HINT,
  rules,
};

export const tsx: TestLanguage = {name: "tsx", endings: [".tsx"], grammar: `${PACKAGE}tsx.wasm`, hint: HINT, rules};
