/** Reads the literal values of a configuration that is a program in JavaScript or TypeScript from its syntax tree. Runs nothing. */
import type {Node} from "web-tree-sitter";
import {languageOf} from "../../test-code/languages.ts";
import {grammarOf} from "../../test-code/loaded-grammars.ts";

const MAX_CHARS = 200_000;
const MAX_MS = 5000;
/** Bounds the time for a file whose constants repeat each other. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 40;
const MAX_TEXT = 200;

/**
 * What the file exports, as JSON would say it; empty for a program that cannot be read. Calls such as `defineConfig({…})` stand for
 * their arguments, functions for what they return, and constants for their values. Anything else is its source text.
 */
export function readProgram(path: string, text: string): readonly unknown[] {
  const language = languageOf(path);
  const grammar = language && grammarOf(language);
  if (!grammar || text.length > MAX_CHARS) return [];
  const end = grammar.clock() + MAX_MS;
  const tree = grammar.parser.parse(text, null, {progressCallback: () => grammar.clock() > end});
  if (tree === null) {
    grammar.parser.reset();
    return [];
  }
  const values = tree.rootNode.hasError ? [] : valuesOf(tree.rootNode);
  tree.delete();
  return values;
}

interface Reading {
  readonly constants: ReadonlyMap<string, Node>;
  left: number;
}

function valuesOf(root: Node): unknown[] {
  const constants = new Map(
    root.descendantsOfType(["variable_declarator", "function_declaration"]).flatMap((one) => {
      const [name, value] = [one.childForFieldName("name"), one.childForFieldName("value") ?? one];
      return name === null ? [] : [[name.text, value] as const];
    }),
  );
  const reading: Reading = {constants, left: MAX_VALUES};
  const values = root.namedChildren.flatMap((one) => exportedBy(one, reading));
  const assigned = root.descendantsOfType("assignment_expression").flatMap((one) => assignmentOf(one, reading));
  return [...values, ...assigned];
}

/** The value of a default export or of `module.exports`, and those of other exports by their names. */
function exportedBy(statement: Node, reading: Reading): unknown[] {
  if (statement.type === "export_statement") {
    const value = statement.childForFieldName("value") ?? statement.descendantsOfType("function_declaration")[0];
    if (value) return [readNode(value, reading, 0)];
    const declared = statement.descendantsOfType("variable_declarator");
    return declared.map((one) => ({[one.childForFieldName("name")?.text ?? ""]: readNode(one, reading, 0)}));
  }
  const assignment = statement.type === "expression_statement" ? statement.namedChild(0) : null;
  const isExport = ["exports", "exports.default", "module.exports", "module.exports.default"].includes(
    assignment?.childForFieldName("left")?.text ?? "",
  );
  const right = isExport ? assignment?.childForFieldName("right") : null;
  return right ? [readNode(right, reading, 0)] : [];
}

/** `config.test.retry = 2`, as a value at the path behind the first name. */
function assignmentOf(assignment: Node, reading: Reading): unknown[] {
  const [left, right] = [assignment.childForFieldName("left"), assignment.childForFieldName("right")];
  const [first = "", ...keys] = left?.text.split(/\.|\[["']|["']\]/).filter((key) => key !== "") ?? [];
  if (!right || keys.length === 0 || /^(?:module|exports|process|global\w*|window)$/.test(first)) return [];
  return [keys.reduceRight<unknown>((value, key) => ({[key]: value}), readNode(right, reading, 0))];
}

function readNode(node: Node, reading: Reading, depth: number): unknown {
  reading.left -= 1;
  if (depth > MAX_DEPTH || reading.left < 0) return textOf(node);
  const inside = (one: Node | null) => (one === null ? null : readNode(one, reading, depth + 1));
  switch (node.type) {
    case "string":
    case "template_string":
      return node.text.slice(1, -1);
    case "object":
      return objectOf(node, inside);
    case "array":
      return node.namedChildren.flatMap((one) => (one.type === "comment" ? [] : itemsOf(one, inside)));
    case "identifier": {
      const value = reading.constants.get(node.text);
      return value === undefined || !isLiteral(value) ? node.text : inside(value);
    }
    case "variable_declarator":
      return inside(node.childForFieldName("value"));
    case "parenthesized_expression":
    case "as_expression":
    case "satisfies_expression":
    case "await_expression":
      return inside(node.namedChild(0));
    case "arrow_function":
    case "function_expression":
    case "function_declaration":
      return returnedBy(node, inside);
    case "call_expression":
      return calledWith(node, inside, reading);
    default:
      return textOf(node);
  }
}

const isLiteral = ({type}: Node): boolean =>
  /^(?:object|array|string|template_string|number|true|false|null|regex|unary_expression|call_expression|\w*_function|\w*as_expression|satisfies_expression)$/.test(
    type,
  );

const textOf = (node: Node): string => node.text.replace(/\s+/g, " ").slice(0, MAX_TEXT);

type ReadInside = (node: Node | null) => unknown;

/** `...shared` in a list or an object has the items of a constant of the file, or its name. */
function spreadOf(node: Node, inside: ReadInside): unknown {
  const value = inside(node.namedChild(0));
  return typeof value === "string" ? `...${value}` : value;
}

function itemsOf(node: Node, inside: ReadInside): unknown[] {
  if (node.type !== "spread_element") return [inside(node)];
  const value = spreadOf(node, inside);
  return Array.isArray(value) ? value : [value];
}

function objectOf(node: Node, inside: ReadInside): Record<string, unknown> {
  const entries = node.namedChildren.flatMap((one): (readonly [string, unknown])[] => {
    if (one.type === "pair") {
      const key = one.childForFieldName("key")?.text.replace(/^["']|["']$/g, "") ?? "";
      return [[key, inside(one.childForFieldName("value"))]];
    }
    if (one.type === "shorthand_property_identifier") return [[one.text, inside(one)]];
    if (one.type === "method_definition") return [[one.childForFieldName("name")?.text ?? "", textOf(one)]];
    if (one.type !== "spread_element") return [];
    const value = spreadOf(one, inside);
    return typeof value === "object" && value !== null ? Object.entries(value) : [["...", value]];
  });
  return Object.fromEntries(entries);
}

/** The object or list that a function returns, or hands to a call such as `config.set({…})`; of several, all. */
function returnedBy(node: Node, inside: ReadInside): unknown {
  const body = node.childForFieldName("body");
  if (body?.type !== "statement_block") return inside(body);
  const returned = body.descendantsOfType("return_statement").flatMap((one) => one.namedChild(0) ?? []);
  const statements = body.namedChildren.flatMap((one) =>
    one.type === "expression_statement" ? (one.namedChild(0) ?? []) : [],
  );
  const values = (returned.length > 0 ? returned : statements).map(inside);
  return values.length === 1 ? values[0] : values;
}

/** The arguments of a function such as `defineConfig`. What a method of a list or an object gives is not known. */
function calledWith(node: Node, inside: ReadInside, {constants}: Reading): unknown {
  const called = node.childForFieldName("function");
  const args = node.childForFieldName("arguments")?.namedChildren.filter(({type}) => type !== "comment") ?? [];
  const isComputed =
    called?.type === "member_expression" && ["array", "call_expression"].includes(called.namedChild(0)?.type ?? "");
  const isGroup = args.some(({type}) =>
    [
      "object",
      "array",
      "arrow_function",
      "function_expression",
      "identifier",
      "call_expression",
      "spread_element",
    ].includes(type),
  );
  const name = called?.text ?? "";
  if (isComputed || !isGroup || name === "require" || constants.has(name)) return textOf(node);
  const values = args.flatMap((one) => itemsOf(one, inside));
  const value = values.length === 1 ? values[0] : values;
  // Of ESLint: what all blocks ignore.
  return name === "globalIgnores" ? {ignores: value} : value;
}
