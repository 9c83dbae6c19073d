/** Tests of Python: pytest and unittest. */
import {beginsWith, oneOf, type TestLanguage} from "./language.ts";

export const python: TestLanguage = {
  name: "python",
  endings: [".py", ".pyi"],
  grammar: "tree-sitter-python/tree-sitter-python.wasm",
  hint: /\bdef\s+test/,
  rules: [
    {
      is: "test",
      on: "decorated_definition",
      name: "definition.name",
      where: {"definition.name": beginsWith("test"), definition: ["function_definition"]},
    },
    {is: "test", on: "function_definition", name: "name", where: {name: beginsWith("test")}},
    {is: "group", on: "decorated_definition", name: "definition.name", where: {definition: ["class_definition"]}},
    {is: "group", on: "class_definition", name: "name"},
    // pytest collects classes with this name, and without a constructor; unittest those with a base class.
    {is: "never", on: "class_definition", name: "name", where: {name: /^(?!Test)/, "!superclasses": true}},
    {
      ...{is: "never", on: "function_definition", at: "^.^", name: "^.^.name"},
      where: {name: oneOf("__init__", "__new__"), "^.^": ["class_definition"], "!^.^.superclasses": true},
    },
    {is: "never", on: "if_statement", where: {condition: oneOf("False", "0", "None")}},
    {
      is: "unit",
      on: "decorated_definition",
      name: "definition.name",
      where: {definition: ["function_definition"], "definition.name": /^(?!test)/},
    },
    {is: "unit", on: "function_definition", name: "name", where: {name: /^(?!test)/}},
    {is: "hook", on: "decorated_definition", name: "definition.name", where: {"0": /fixture[\s\S]*autouse\s*=\s*True/}},
    {
      ...{is: "hook", on: "function_definition", name: "name"},
      where: {
        name: /^(?:set_?[uU]p|setUpClass|setUpModule|setup_(?:method|class|module|function)|pytest_(?:runtest_setup|configure|collection_modifyitems))$/,
      },
    },

    {
      is: "skip",
      on: "decorator",
      where: {
        "": /^@(?:\w+\.)*(?:[sS]kip\b(?!If|if|Unless)|skip(?:if|If)\s*\(\s*(?:True|1|not False)\b|skipUnless\s*\(\s*(?:False|0)\b)/,
      },
    },
    {is: "skip", on: "decorator", where: {"": /^@(?:\w+\.)*parametrize\s*\([^[\]]*,\s*\[\s*\]\s*[,)]/}},
    {
      is: "conditional",
      on: "decorator",
      where: {"": /^@(?:\w+\.)*(?:skip(?:if|If)\s*\(\s*(?!True\b|1\b|not False)|skipUnless\s*\(\s*(?!False\b|0\b))/},
    },
    {is: "fails", on: "decorator", where: {"": /^@(?:\w+\.)*(?:xfail|expectedFailure)\b/}},
    {is: "fails", on: "keyword_argument", where: {name: oneOf("marks"), value: /\b(?:skip|xfail)\b/}},
    {is: "skip", on: "assignment", where: {left: oneOf("pytestmark"), right: /\bskip\b/}},
    {is: "conditional", on: "assignment", where: {left: oneOf("pytestmark"), right: /\bskipif\b/}},
    {is: "fails", on: "assignment", where: {left: oneOf("pytestmark"), right: /\bxfail\b/}},
    {is: "skip", on: "assignment", where: {left: oneOf("__test__"), right: oneOf("False")}},
    {
      is: "skip",
      on: "call",
      where: {function: oneOf("pytest.skip", "pytest.xfail", "pytest.importorskip", "pytest.exit", "self.skipTest")},
    },
    {is: "skip", on: "raise_statement", where: {"0": /^(?:unittest\.)?(?:case\.)?SkipTest\b/}},

    {is: "assertion", on: "assert_statement"},
    {
      ...{is: "asserts", on: "call"},
      where: {
        function:
          /^(?:\w+\.)*(?:assert|fail(?:If|Unless)|expect|check|verify)_?\w*$|^(?:pytest\.(?:raises|warns|fail|approx)|self\.fail)$/,
      },
    },
    {
      is: "branch",
      on: ["if_statement", "try_statement", "while_statement", "match_statement", "conditional_expression"],
    },
    {is: "handler", on: "except_clause"},
    {is: "handler", on: "with_item", where: {value: /\bsuppress\(/}},
    {
      is: "handler",
      on: "call",
      where: {function: /(?:^pytest\.raises|\.assertRaises)$/, "arguments.0": /^\(?AssertionError\b/},
    },
    {is: "exit", on: ["return_statement", "continue_statement", "break_statement"]},
    {is: "closure", on: "lambda"},
    {is: "iterated", on: "for_statement", at: "right"},
    {is: "iterated", on: "for_in_clause", at: "right"},
    {is: "iterated", on: "call", at: "arguments.1", where: {function: /parametrize$/, "arguments.1": true}},
    {is: "iterated", on: "keyword_argument", at: "value", where: {name: oneOf("params", "argvalues")}},
    {
      is: "list",
      on: "assignment",
      at: "right",
      name: "left",
      where: {
        left: ["identifier", "attribute"],
        right: ["list", "tuple", "dictionary", "set", "list_comprehension", "call", "subscript"],
      },
    },
  ],
};
