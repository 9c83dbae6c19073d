/** Finds new code of the product that knows the inputs of earlier tests, or returns their answers. A part of the check `test-detection`. */
import type {Node} from "web-tree-sitter";
import {oneOf} from "../../test-code/languages/language.ts";
import {findNodes} from "../../test-code/read-source.ts";
import {isStringKind} from "../../test-code/tokens.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";

export interface EarlierCode {
  /** the tests before the change */
  readonly tests: readonly string[];
  /** the product's code before the change */
  readonly code: readonly string[];
}

interface KnownCase {
  readonly kind: "answer" | "input" | "exception";
  readonly line: number;
}

/** A value that decides, and what follows from it. */
interface LiteralCase {
  readonly line: number;
  readonly inputs: readonly string[];
  /** those that are compared for equality */
  readonly compared: readonly string[];
  readonly output: string | null;
  readonly node: Node;
}

/** The nodes with a condition or a key, and the fields or positions of that and of the answer. */
const CASES: Readonly<Record<string, readonly [condition: string | number, answer: string | number]>> = {
  if_statement: ["condition", "consequence"],
  elif_clause: ["condition", "consequence"],
  if_expression: ["condition", "consequence"],
  ternary_expression: ["condition", "consequence"],
  // Python: `a if b else c`
  conditional_expression: [1, 0],
  switch_case: ["value", "body"],
  expression_case: ["value", 1],
  case_clause: [0, "consequence"],
  match_arm: ["pattern", "value"],
  switch_rule: [0, 1],
  switch_block_statement_group: [0, 1],
  pair: ["key", "value"],
  keyed_element: [0, 1],
  array: [0, 1],
  list: [0, 1],
  tuple: [0, 1],
  tuple_expression: [0, 1],
};
const ROWS = oneOf("array", "list", "tuple", "tuple_expression");
const NUMBERS = oneOf(
  ...["number", "integer", "float", "int_literal", "float_literal", "integer_literal"],
  ...["decimal_integer_literal", "decimal_floating_point_literal"],
);
/** Values of types and encodings, which code asks for on purpose. */
const ORDINARY = oneOf(
  ...["function", "string", "number", "object", "boolean", "undefined", "symbol", "bigint", "constructor"],
  ...["prototype", "utf-8", "utf8", "0", "1", "-1", ""],
);
/** A word, a constant or a path is the name of a kind, which code and tests share. */
const NAME = /^["'`](?:[a-z_$][\w$./:@#*-]*|[A-Z_]+|\W*|[A-Z]\w*(?:Error|Exception|Type|Expression|Statement))["'`]$/;
/** Small numbers, statuses of HTTP, limits of types. */
const ORDINARY_NUMBER = /^(?:10+|\d\d?|[1-5]\d\d|1024|2048|4096|8192|6553[56]|3600)$/;
const MAX_NODE = 600;
const MAX_CASES = 200;

/** The first new place that shows it; null if there is none. */
export function knownCase(file: InspectedFile, lines: readonly ChangedLine[], earlier: EarlierCode): KnownCase | null {
  if (!lines.some(({text}) => mayBeTested(text, earlier.tests))) return null;
  const numbers = new Set(lines.map(({number}) => number));
  const cases = casesIn(file, numbers)
    .slice(0, MAX_CASES)
    .filter(({inputs}) => inputs.length > 0 && inputs.every((one) => !ORDINARY.has(bare(one))));
  const isNew = (values: readonly string[]) => isOnOneLine(values, earlier.tests) && !isOnOneLine(values, earlier.code);
  const answers = cases.filter(
    ({inputs, output}) =>
      output !== null && inputs.join() !== output && isNew([...inputs, output]) && !isMoved(output, earlier),
  );
  const isTable =
    new Set(answers.map(({inputs}) => inputs[0])).size > 2 && new Set(answers.map(({output}) => output)).size > 2;
  const answer = answers.find((one) => isTable || isTelling(one));
  if (answer !== undefined) return {kind: "answer", line: answer.line};
  const isSingle = (value: string) => !NAME.test(value) && isNew([value]);
  const input = cases.find(({compared}) => {
    const known = compared.filter(isSingle);
    return known.length > 1 || known.some((value) => !ORDINARY_NUMBER.test(value));
  });
  if (input !== undefined) return {kind: "input", line: input.line};
  const removed = compareLines(file.before, file.after).removed.map(({text}) => text);
  const exception = cases.find(
    ({node, compared}) => isOnOneLine(compared.slice(0, 1), earlier.tests) && isException(node, numbers, removed),
  );
  return exception === undefined ? null : {kind: "exception", line: exception.line};
}

/** A long text of the earlier code, such as a message that moves into a table. */
const isMoved = (output: string, {code}: EarlierCode): boolean =>
  bare(output).length > 9 && code.some((text) => text.includes(bare(output)));

/** A text for a word is the label of a state, and a digit for a digit is chance. */
function isTelling({inputs, output}: LiteralCase): boolean {
  const [input = ""] = inputs;
  if (output === null || ORDINARY.has(bare(output)) || /^["'`]\W*["'`]$/.test(output)) return false;
  return !(NAME.test(input) && NAME.test(output)) && !(/^-?\d$/.test(input) && /^-?\d$/.test(output));
}

function casesIn({path, after}: InspectedFile, numbers: ReadonlySet<number>): LiteralCase[] {
  return findNodes(path, after, [{on: Object.keys(CASES)}]).flatMap(({node, line, kind}) => {
    const [condition, answer] = CASES[kind] ?? [];
    if (!numbers.has(line) || condition === undefined || answer === undefined || node.text.length > MAX_NODE) return [];
    // Two values are a row only among other rows.
    if (ROWS.has(kind) && (node.namedChildCount !== 2 || !/arg|array|list|tuple|arm/.test(node.parent?.type ?? "")))
      return [];
    if (kind === "pair" && node.parent !== null && isOfRecord(node.parent)) return [];
    const [asked, given] = [partOf(node, condition), partOf(node, answer)];
    if (asked === null) return [];
    const literals = literalsIn(asked);
    const inputs = literals.map(({text}) => text);
    const compared = literals.filter((one) => /case|arm|label/.test(kind) || isCompared(one)).map(({text}) => text);
    const output = given === null ? undefined : answerOf(given);
    return [{line, node, inputs, compared, output: output?.text ?? null}];
  });
}

/** A table of answers has literals; where more than a third of the values is computed, they are fields of a result. */
function isOfRecord({namedChildren}: Node): boolean {
  const fields = namedChildren.filter((one) => one !== null);
  const computed = fields.filter((one) => {
    const value = one.childForFieldName("value");
    return value === null || literalsIn(value).length === 0;
  });
  return computed.length * 3 > fields.length;
}

const partOf = (node: Node, part: string | number): Node | null =>
  typeof part === "number" ? node.namedChild(part) : node.childForFieldName(part);

/** The value itself, or the first one that a block returns. */
function answerOf(given: Node): Node | undefined {
  const returned = given.descendantsOfType(["return_statement", "return_expression", "yield_statement"])[0];
  const block = /block|body|statement/.test(given.type);
  if (block && returned === undefined && !/expression_statement|^block$/.test(given.type)) return undefined;
  return literalsIn(returned ?? given)[0];
}

/** Strings and numbers, the larger one of two that are one inside the other. */
function literalsIn(node: Node): Node[] {
  const kinds = node.tree.language.types.filter((kind) => kind && (isStringKind(kind) || NUMBERS.has(kind)));
  let end = -1;
  return node.descendantsOfType(kinds).filter(({startIndex, endIndex, isNamed}) => {
    if (!isNamed || startIndex < end) return false;
    end = endIndex;
    return true;
  });
}

const isCompared = ({parent}: Node): boolean =>
  parent !== null && parent.text.length < MAX_NODE && /(?<![=!<>])===?(?!=)|\bequals\(|\bis\b/.test(parent.text);

/** The other values give the earlier result: the branch is in front of an earlier `return`, or in a choice with an earlier value. */
function isException(node: Node, numbers: ReadonlySet<number>, removed: readonly string[]): boolean {
  const other =
    node.childForFieldName("alternative") ?? (node.type === "conditional_expression" ? node.namedChild(2) : null);
  if (/ternary|conditional/.test(node.type))
    return other !== null && other.text.length > 5 && removed.some((line) => line.includes(other.text));
  const next = node.nextNamedSibling;
  return (
    node.type === "if_statement" &&
    /\breturn\b/.test(node.text) &&
    next?.type === "return_statement" &&
    !numbers.has(next.startPosition.row + 1)
  );
}

const bare = (value: string): string => value.replace(/^[rbfu]*["'`]+|["'`]+$/g, "");

const VALUES = /"[^"\n]+"|'[^'\n]+'|`[^`\n]+`|(?<![\w.])\d[\w.]*/g;

/** The line has a value that the tests have, too: only then the file is parsed. */
export const mayBeTested = (line: string, tests: readonly string[]): boolean =>
  (line.match(VALUES) ?? []).some(
    (value) => !ORDINARY.has(bare(value)) && tests.some((text) => text.includes(bare(value))),
  );

/** All values are on one line of a text, or on two. */
function isOnOneLine(values: readonly string[], texts: readonly string[]): boolean {
  if (values.length === 0) return false;
  return texts.some((text) => {
    if (!values.every((value) => text.includes(bare(value)))) return false;
    const lines = text.split("\n");
    return lines.some((line, at) => {
      const place = `${line}\n${lines[at + 1] ?? ""}`;
      return values.every((value) => hasValue(place, value));
    });
  });
}

function hasValue(place: string, value: string): boolean {
  const text = bare(value);
  if (text !== value) return text !== "" && place.includes(text);
  return new RegExp(String.raw`(?<![\w.])${value.replace(/\W/g, "\\$&")}(?![\w.]*\d)`).test(place);
}
