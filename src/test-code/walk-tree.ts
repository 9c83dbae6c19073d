/** Walks a syntax tree once, for the tokens of the text and for the parts that the rules of a language find. */
import type {Node, Tree} from "web-tree-sitter";
import {type NodeCondition, PART_ROLES, type PartRole, type TestLanguage, type TreeRule} from "./languages/language.ts";
import {isStringKind, type Token, tokenAt} from "./tokens.ts";

/** A part of the text that a rule names. */
export interface SourcePart {
  readonly node: Node;
  readonly from: number;
  readonly to: number;
  /** its name without quotes, and the place of the name; of the part itself without one */
  readonly name: string;
  readonly nameAt: number;
  readonly line: number;
  readonly callee: string;
  readonly group: string | null;
}

export type Parts = Readonly<Record<PartRole, readonly SourcePart[]>>;

/** A longer text in a tree is not compared with a pattern. */
const MAX_TEXT = 2000;

export interface Walked {
  readonly tokens: readonly Token[];
  /** in the order of the text, larger ones first */
  readonly parts: Parts;
}

/** Null if there is no more time. */
export function walkTree({
  tree,
  text,
  language,
  isOver,
}: {
  tree: Tree;
  text: string;
  language: TestLanguage;
  isOver: () => boolean;
}): Walked | null {
  const tokens: Token[] = [];
  const parts = Object.fromEntries(PART_ROLES.map((role) => [role, []])) as unknown as Record<PartRole, SourcePart[]>;
  const rules = rulesByKind(language);
  const cursor = tree.walk();
  try {
    for (let count = 0; ; count += 1) {
      if (count % 1000 === 0 && isOver()) return null;
      const kind = cursor.nodeType;
      const own = rules.get(kind);
      if (own !== undefined) {
        const at = placesFrom(cursor.currentNode, text);
        for (const rule of own) {
          const part = partAt(at, rule, text);
          if (part !== null) parts[rule.rule.is].push(part);
        }
      }
      const isComment = kind.includes("comment");
      const isString = isStringKind(kind);
      if (!isComment && !isString && cursor.gotoFirstChild()) continue;
      if (!isComment) tokens.push(...tokenAt(text, {from: cursor.startIndex, to: cursor.endIndex, isString}));
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return {tokens, parts: inOrder(parts)};
    }
  } finally {
    cursor.delete();
  }
}

function inOrder(parts: Record<PartRole, SourcePart[]>): Parts {
  for (const role of PART_ROLES) {
    const seen = new Set<number>();
    parts[role] = parts[role]
      .filter(({node}) => !seen.has(node.id) && seen.add(node.id))
      .sort((a, b) => a.from - b.from || b.to - a.to);
  }
  return parts;
}

interface TreeRuleEntry {
  readonly rule: TreeRule;
  readonly conditions: readonly (readonly [path: string, condition: NodeCondition])[];
}

const compiledRules = new WeakMap<TestLanguage, Map<string, TreeRuleEntry[]>>();

function rulesByKind(language: TestLanguage): ReadonlyMap<string, readonly TreeRuleEntry[]> {
  const known = compiledRules.get(language) ?? new Map<string, TreeRuleEntry[]>();
  if (known.size === 0)
    for (const rule of language.rules) {
      const compiled = {rule, conditions: Object.entries(rule.where ?? {})};
      for (const kind of [rule.on].flat()) known.set(kind, [...(known.get(kind) ?? []), compiled]);
    }
  compiledRules.set(language, known);
  return known;
}

/** A node with its text, which the parser would look up each time. */
interface NodePlace {
  readonly node: Node;
  readonly text: string;
}

type NodePlaceAt = (path: string) => NodePlace | null;

function partAt(at: NodePlaceAt, {rule, conditions}: TreeRuleEntry, text: string): SourcePart | null {
  for (const [path, condition] of conditions) if (!fulfills({at, path, condition, text})) return null;
  const found = at(rule.at ?? "")?.node;
  if (found === undefined) return null;
  const textAt = (path: string | undefined) => (path === undefined ? "" : (at(path)?.text ?? ""));
  const name = rule.name === undefined ? undefined : at(rule.name)?.node;
  return {
    node: found,
    from: found.startIndex,
    to: found.endIndex,
    name: unquoted(textAt(rule.name)),
    nameAt: name?.startIndex ?? found.startIndex,
    line: (name ?? found).startPosition.row + 1,
    callee: textAt(rule.callee),
    group: rule.group === undefined ? null : textAt(rule.group).replace("*", ""),
  };
}

const unquoted = (text: string): string => (/^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : text);

interface Question {
  readonly at: NodePlaceAt;
  readonly path: string;
  readonly condition: NodeCondition;
  readonly text: string;
}

function fulfills({at, path, condition, text}: Question): boolean {
  if (path.startsWith("!")) return at(path.slice(1)) === null;
  const place = at(path === "attributes" ? "" : path);
  if (place === null || condition === true) return place !== null;
  if (!(condition instanceof RegExp)) return condition.includes(place.node.type);
  if (path !== "attributes") return place.text.length <= MAX_TEXT && condition.test(place.text);
  return condition.test(text.slice(attributesBefore(place.node), place.node.startIndex));
}

/** Where the attributes of a definition begin, if they are nodes before it. */
export function attributesBefore(node: Node): number {
  let first = node;
  let before = node.previousNamedSibling;
  while (before !== null && (before.type === "attribute_item" || before.type.includes("comment"))) {
    if (before.type === "attribute_item") first = before;
    before = before.previousNamedSibling;
  }
  return first.startIndex;
}

/** Follows paths from a node. Many rules ask for the same one, and each step is a call of the parser. */
function placesFrom(start: Node, text: string): NodePlaceAt {
  const placeOf = (node: Node): NodePlace => ({node, text: text.slice(node.startIndex, node.endIndex)});
  const known = new Map<string, NodePlace | null>([["", placeOf(start)]]);
  const follow = (path: string): NodePlace | null => {
    const earlier = known.get(path);
    if (earlier !== undefined) return earlier;
    const dot = path.lastIndexOf(".");
    const from = dot < 0 ? start : follow(path.slice(0, dot))?.node;
    const node = from === undefined ? null : stepFrom(from, path.slice(dot + 1));
    const place = node === null ? null : placeOf(node);
    known.set(path, place);
    return place;
  };
  return follow;
}

function stepFrom(node: Node, step: string): Node | null {
  if (step === "^") return node.parent;
  return /^\d/.test(step) ? node.namedChild(Number(step)) : node.childForFieldName(step);
}

export const contains = (outer: Pick<SourcePart, "from" | "to">, inner: Pick<SourcePart, "from" | "to">): boolean =>
  outer.from <= inner.from && inner.to <= outer.to && outer.to - outer.from > inner.to - inner.from;

/** The innermost of these parts around a place. */
export const innermost = <T extends Pick<SourcePart, "from" | "to">>(
  parts: readonly T[],
  inner: Pick<SourcePart, "from" | "to">,
): T | undefined => parts.findLast((part) => contains(part, inner));
