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
        const at = pathsFrom(cursor.currentNode);
        for (const rule of own) {
          const part = partAt(at, rule, text);
          if (part !== null) parts[rule.is].push(part);
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

const rulesOf = new WeakMap<TestLanguage, Map<string, TreeRule[]>>();

function rulesByKind(language: TestLanguage): ReadonlyMap<string, readonly TreeRule[]> {
  const known = rulesOf.get(language) ?? new Map<string, TreeRule[]>();
  if (known.size === 0)
    for (const rule of language.rules)
      for (const kind of [rule.on].flat()) known.set(kind, [...(known.get(kind) ?? []), rule]);
  rulesOf.set(language, known);
  return known;
}

function partAt(at: (path: string) => Node | null, rule: TreeRule, text: string): SourcePart | null {
  for (const [path, condition] of Object.entries(rule.where ?? {}))
    if (!fulfills({at, path, condition, text})) return null;
  const found = at(rule.at ?? "");
  if (found === null) return null;
  const textAt = (path: string | undefined) => {
    const one = path === undefined ? null : at(path);
    return one === null ? "" : text.slice(one.startIndex, one.endIndex);
  };
  const name = rule.name === undefined ? null : at(rule.name);
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
  readonly at: (path: string) => Node | null;
  readonly path: string;
  readonly condition: NodeCondition;
  readonly text: string;
}

function fulfills({at, path, condition, text}: Question): boolean {
  if (path.startsWith("!")) return at(path.slice(1)) === null;
  const node = at(path === "attributes" ? "" : path);
  if (node === null || condition === true) return node !== null;
  if (!(condition instanceof RegExp)) return condition.includes(node.type);
  if (path === "attributes") return condition.test(text.slice(attributesBefore(node), node.startIndex));
  return node.endIndex - node.startIndex <= MAX_TEXT && condition.test(text.slice(node.startIndex, node.endIndex));
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
function pathsFrom(start: Node): (path: string) => Node | null {
  const known = new Map<string, Node | null>([["", start]]);
  const follow = (path: string): Node | null => {
    const earlier = known.get(path);
    if (earlier !== undefined) return earlier;
    const dot = path.lastIndexOf(".");
    const step = path.slice(dot + 1);
    const from = dot < 0 ? start : follow(path.slice(0, dot));
    const isIndex = /^\d/.test(step);
    const node =
      step === "^"
        ? (from?.parent ?? null)
        : ((isIndex ? from?.namedChild(Number(step)) : from?.childForFieldName(step)) ?? null);
    known.set(path, node);
    return node;
  };
  return follow;
}

export const contains = (outer: Pick<SourcePart, "from" | "to">, inner: Pick<SourcePart, "from" | "to">): boolean =>
  outer.from <= inner.from && inner.to <= outer.to && outer.to - outer.from > inner.to - inner.from;

/** The innermost of these parts around a place. */
export const innermost = <T extends Pick<SourcePart, "from" | "to">>(
  parts: readonly T[],
  inner: Pick<SourcePart, "from" | "to">,
): T | undefined => parts.findLast((part) => contains(part, inner));
