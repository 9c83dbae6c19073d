/** Finds the parts of a syntax tree that the rules of a language name, and its strings and comments. */
import type {Node, Tree} from "web-tree-sitter";
import type {NodeCondition, PartRole, TestLanguage, TreeRule} from "./languages/language.ts";
import {isCommentKind, isStringKind, type OpaquePart, type TextRange} from "./tokens.ts";

/** A part of the text that a rule names. */
export interface SourcePart extends TextRange {
  readonly node: Node;
  /** the node with which it ends */
  readonly last: Node;
  readonly kind: string;
  /** its name without quotes, and the place of the name; of the part itself without one */
  readonly name: string;
  readonly nameAt: number;
  readonly line: number;
  readonly callee: string;
  readonly group: string | null;
}

/** All parts of a role, or those of nodes that begin within a range; in the order of the text, larger ones first. */
export type FindParts = (role: PartRole, range?: TextRange) => readonly SourcePart[];

/** A longer text in a tree is not compared with a pattern. */
const MAX_TEXT = 2000;

interface KnownNode {
  readonly node: Node;
  readonly kind: string;
  readonly at: NodePlaceAt;
}

/**
 * The parser lists the nodes of certain kinds in one call, which takes a fraction of the time of a walk from node to node. A rule is
 * applied when its parts are asked for: of most tests, no more than the name is.
 */
export function readTree({tree, text, language}: {tree: Tree; text: string; language: TestLanguage}): {
  readonly opaque: readonly OpaquePart[];
  readonly parts: FindParts;
} {
  const {kinds, keywords, rules} = kindsOf(language, tree);
  const nodes: KnownNode[] = [];
  const opaque: OpaquePart[] = [];
  let end = 0;
  for (const node of tree.rootNode.descendantsOfType(kinds)) {
    const from = node.startIndex;
    // A string may contain code, which is not read.
    if (from < end) continue;
    const kind = node.type;
    if (keywords.has(kind) && !node.isNamed) continue;
    const isComment = isCommentKind(kind);
    if (isComment || isStringKind(kind)) {
      end = node.endIndex;
      opaque.push({from, to: end, isComment});
    } else nodes.push({node, kind, at: placesFrom(node, text)});
  }
  const all = new Map<PartRole, readonly SourcePart[]>();
  const find: FindParts = (role, range) => {
    const known = all.get(role);
    if (known !== undefined) return range === undefined ? known : known.filter((part) => isWithin(part, range));
    const own = rules.get(role);
    const found: SourcePart[] = [];
    if (own === undefined) return found;
    for (let at = range === undefined ? 0 : firstFrom(nodes, range.from); at < nodes.length; at += 1) {
      const {node, kind, at: places} = nodes[at] as KnownNode;
      if (range !== undefined && node.startIndex >= range.to) break;
      for (const rule of own.get(kind) ?? []) {
        const part = partAt(places, rule, text);
        if (part !== null) found.push(part);
      }
    }
    const ordered = inOrder(found);
    if (range === undefined) all.set(role, ordered);
    return ordered;
  };
  return {opaque, parts: find};
}

/** What a check asks about the nodes of a source. */
export type NodeRule = Pick<TreeRule, "on" | "where" | "at" | "name">;

/** The parts of a source that one of the rules names. */
export function matchNodes(tree: Tree, text: string, rules: readonly NodeRule[]): SourcePart[] {
  const compiled = rules.map((rule) => ({
    kinds: [rule.on].flat(),
    entry: {rule: {...rule, is: "unit" as const}, conditions: Object.entries(rule.where ?? {})},
  }));
  const found: SourcePart[] = [];
  for (const node of tree.rootNode.descendantsOfType([...new Set(compiled.flatMap(({kinds}) => kinds))])) {
    const {type} = node;
    const at = placesFrom(node, text);
    for (const {kinds, entry} of compiled) {
      const part = kinds.includes(type) ? partAt(at, entry, text) : null;
      if (part !== null) found.push(part);
    }
  }
  return inOrder(found);
}

const isWithin = ({from, to}: TextRange, range: TextRange): boolean => range.from <= from && to <= range.to;

function firstFrom(nodes: readonly KnownNode[], at: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.node.startIndex ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inOrder(parts: readonly SourcePart[]): SourcePart[] {
  const seen = new Set<number>();
  return parts
    .filter(({node}) => !seen.has(node.id) && seen.add(node.id))
    .sort((a, b) => a.from - b.from || b.to - a.to);
}

interface TreeRuleEntry {
  readonly rule: TreeRule;
  readonly conditions: readonly (readonly [path: string, condition: NodeCondition])[];
}

interface LanguageKinds {
  readonly kinds: string[];
  /** those that also are the kind of a keyword: Ruby's `if` begins an `if` */
  readonly keywords: ReadonlySet<string>;
  readonly rules: ReadonlyMap<PartRole, ReadonlyMap<string, readonly TreeRuleEntry[]>>;
}

const knownKinds = new WeakMap<TestLanguage, LanguageKinds>();

function kindsOf(language: TestLanguage, tree: Tree): LanguageKinds {
  const known = knownKinds.get(language);
  if (known !== undefined) return known;
  const kinds = new Set(tree.language.types.filter((kind) => kind && (isCommentKind(kind) || isStringKind(kind))));
  const rules = new Map<PartRole, Map<string, TreeRuleEntry[]>>();
  for (const rule of language.rules) {
    const compiled = {rule, conditions: Object.entries(rule.where ?? {})};
    const byKind = rules.get(rule.is) ?? new Map<string, TreeRuleEntry[]>();
    for (const kind of [rule.on].flat()) {
      byKind.set(kind, [...(byKind.get(kind) ?? []), compiled]);
      kinds.add(kind);
    }
    rules.set(rule.is, byKind);
  }
  const {types} = tree.language;
  const keywords = new Set(types.filter((kind, at) => kinds.has(kind) && types.indexOf(kind) !== at));
  const found = {kinds: [...kinds], keywords, rules};
  knownKinds.set(language, found);
  return found;
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
  const last = rule.until === undefined ? found : at(rule.until)?.node;
  if (last === undefined) return null;
  const textAt = (path: string | undefined) => (path === undefined ? "" : (at(path)?.text ?? ""));
  const name = rule.name === undefined ? undefined : at(rule.name)?.node;
  return {
    node: found,
    last,
    kind: found.type,
    from: found.startIndex,
    to: last.endIndex,
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
  if (condition !== true && "except" in condition) return place === null || !condition.except.has(place.text);
  if (place === null || condition === true) return place !== null;
  if (condition instanceof Set) return condition.has(place.text);
  if ("begins" in condition) return condition.begins.some((word) => place.text.startsWith(word));
  if (!(condition instanceof RegExp)) return (condition as readonly string[]).includes(place.node.type);
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
  let known: Map<string, NodePlace | null> | null = null;
  const follow = (path: string): NodePlace | null => {
    known ??= new Map([["", placeOf(start)]]);
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
  if (step === "+") return node.nextNamedSibling;
  if (step === "-") return node.previousNamedSibling;
  return /^\d/.test(step) ? node.namedChild(Number(step)) : node.childForFieldName(step);
}

export const contains = (outer: TextRange, inner: TextRange): boolean =>
  outer.from <= inner.from && inner.to <= outer.to && outer.to - outer.from > inner.to - inner.from;

/** The innermost of these parts around a place. */
export const innermost = <T extends TextRange>(parts: readonly T[], inner: TextRange): T | undefined =>
  parts.findLast((part) => contains(part, inner));
