/** Finds declarations that lose their types. A part of the check `suppressions`. */
import type {Node} from "web-tree-sitter";
import {groupBy} from "../../diagnostics/group-by.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {findNodes} from "../../test-code/read-source.ts";
import type {NodeRule} from "../../test-code/walk-tree.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";

const DECLARATIONS: readonly NodeRule[] = [
  {
    on: [
      ...["function_definition", "function_declaration", "function_signature", "method_definition", "method_signature"],
      ...["abstract_method_signature", "property_signature", "public_field_definition", "variable_declarator"],
      ...[
        "type_alias_declaration",
        "class_declaration",
        "class_definition",
        "interface_declaration",
        "required_parameter",
        "optional_parameter",
      ],
    ],
    name: "name",
  },
  {on: "required_parameter", name: "pattern"},
  {on: "assignment", name: "left"},
  {on: "typed_parameter", name: "0"},
];
const TYPED = /\.(?:[cm]?tsx?|pyi?)$/;
/** Without one of these words in its new or old lines, no type can be lost. */
const WORDS = /\b(?:[aA]ny|Function)\b|->|\[/;
const PARTS = ["parameters", "return_type", "type"];
const ANY = new Set(["any", "Any", "Function"]);

interface DeclaredTypes {
  readonly name: string;
  readonly line: number;
  readonly lastLine: number;
  /** without those that say the same as no items: `Items[Any, Any]` */
  readonly text: string;
  readonly anyCount: number;
  /** types with the types of their items */
  readonly itemCount: number;
  readonly typeCount: number;
  readonly parameters: readonly string[];
  readonly isTyped: boolean;
  readonly returnsType: boolean;
}

/** True if a file has to be parsed to know. */
export function mayLoseTypes({path, before, after}: InspectedFile): boolean {
  if (!TYPED.test(path) || isTestPath(path) || before === null || after === null) return false;
  const {added, removed} = compareLines(before, after);
  return removed.length > 0 && [...added, ...removed].some(({text}) => WORDS.test(text));
}

/** A declaration that had a type, and now is `any`. */
export function lostTypes(file: InspectedFile): IntegrityFinding[] {
  if (!mayLoseTypes(file)) return [];
  const {added, removed} = compareLines(file.before, file.after);
  const isIn = (lines: readonly ChangedLine[]) => (one: DeclaredTypes) =>
    lines.some(({number}) => one.line <= number && number <= one.lastLine);
  const before = groupBy(declaredTypes(file.basePath, file.before).filter(isIn(removed)), ({name}) => name);
  const counts = new Map<string, number>();
  const changed = declaredTypes(file.path, file.after).filter(isIn(added));
  const place = changed.find((one) => {
    // The overloads of a function have one name, and their order.
    const index = counts.get(one.name) ?? 0;
    counts.set(one.name, index + 1);
    const earlier = before.get(one.name) ?? [];
    const other = earlier[Math.min(index, earlier.length - 1)];
    return other !== undefined && other.text !== one.text && isLess(other, one);
  });
  if (place === undefined) return [];
  const message = `\`${place.name}\` has no type any more, so the type check skips it`;
  const fix = "Restore the type, or state the one that it has now.";
  return [{check: "suppressions", level: "flag", path: file.path, line: place.line, message, fix}];
}

function isLess(before: DeclaredTypes, after: DeclaredTypes): boolean {
  // Without any type, the body of a function is not checked.
  if (before.returnsType && !after.returnsType && after.typeCount === 0) return true;
  // `list` stands for `list[Any]`.
  if (after.itemCount < before.itemCount && after.typeCount >= before.typeCount - before.itemCount && isBare(after))
    return true;
  const isLonger =
    after.parameters.length > before.parameters.length &&
    before.parameters.every((one) => after.parameters.includes(one));
  return before.isTyped && after.anyCount > before.anyCount && !isLonger;
}

const CLASSES = new Set(["class_declaration", "class_definition", "interface_declaration"]);
/** What a class is, apart from its members. */
const HEADS = new Set(["type_parameters", "class_heritage", "extends_type_clause"]);
const CONTAINERS = new Set(
  "list dict tuple set frozenset List Dict Tuple Set Callable Iterable Sequence Mapping".split(" "),
);
const isBare = ({text}: DeclaredTypes): boolean =>
  [...text.matchAll(/\w+(?!\w*\[)/g)].some(([word]) => CONTAINERS.has(word));

function declaredTypes(path: string, text: string | null): DeclaredTypes[] {
  return findNodes(path, text, DECLARATIONS).flatMap(({node, name, line}) => {
    const owner = node.childForFieldName("parameters") === null ? (node.childForFieldName("value") ?? node) : node;
    const isFunction = owner.childForFieldName("parameters") !== null;
    const alias = node.type === "type_alias_declaration" ? node.childForFieldName("value") : null;
    const right = node.type === "assignment" ? node.childForFieldName("right") : null;
    const own = isFunction ? owner : node;
    const parts = [
      ...PARTS.flatMap((part) => own.childForFieldName(part) ?? []),
      ...(alias === null ? [] : [alias]),
      ...(right !== null && ["Any", "typing.Any"].includes(right.text) ? [right] : []),
    ];
    const isClass = CLASSES.has(node.type);
    if (isClass) parts.push(...node.namedChildren.filter((one) => one !== null && HEADS.has(one.type)));
    if (name === "" || (parts.length === 0 && node.type !== "assignment" && !isClass)) return [];
    const parameters = own.childForFieldName("parameters");
    const types = parts.flatMap(typesIn);
    return [
      {
        ...{name, line, lastLine: (parts.at(-1) ?? node).endPosition.row + 1},
        text: parts.map((part) => part.text.replace(/(?<=\w)\[(?:Any|\.\.\.)(?:,\s*Any)*\]/g, "")).join(" "),
        anyCount: types.filter((one) => ANY.has(one.text) && !isKeyOfRecord(one)).length,
        itemCount: parts.flatMap((part) => part.descendantsOfType(["generic_type", "subscript"])).length,
        typeCount: types.length,
        parameters: parameters?.namedChildren.map((one) => one?.text ?? "") ?? [],
        isTyped:
          parts.some((part) => part.type !== "parameters" || part.text.includes(":")) || right !== null || isClass,
        returnsType: own.childForFieldName("return_type") !== null,
      },
    ];
  });
}

/** Python has no kinds for single types: an identifier within one is a type, and another one is the name of a parameter. */
function typesIn(part: Node): Node[] {
  const stated = part.type === "parameters" ? part.descendantsOfType("type") : [part];
  const kinds = part.type.endsWith("parameters") ? ["predefined_type", "type_identifier"] : TYPES;
  return [...stated.flatMap((one) => one.descendantsOfType(TYPES)), ...part.descendantsOfType(kinds)].filter(
    ({startIndex}, at, all) => all.findIndex((one) => one.startIndex === startIndex) === at,
  );
}
const TYPES = ["predefined_type", "type_identifier", "identifier"];

/** The keys of a record are texts anyway. */
const isKeyOfRecord = ({parent, startIndex}: Node): boolean =>
  parent?.type === "type_arguments" &&
  parent.namedChild(0)?.startIndex === startIndex &&
  parent.parent?.childForFieldName("name")?.text === "Record";
