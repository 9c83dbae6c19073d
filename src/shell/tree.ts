/** Parses shell text into its syntax tree, without ever running or expanding anything. */
import {forEachChild, parse, type Script, type SyntaxNode} from "unbash";
import {memoize} from "./memoize.ts";

const MAX_TEXT = 100_000;

export interface ShellTree {
  readonly root: Script;
  /** the text that the positions of the tree count in */
  readonly source: string;
}

/** The tree of a shell text; null if it is no complete shell text, or too long: such a text is unknown. */
export const parseShell: (text: string) => ShellTree | null = memoize((text) => {
  if (text.length > MAX_TEXT) return null;
  // Line ends of Windows, with every position unchanged.
  const source = text.includes("\r") ? text.replaceAll("\\\r\n", " \\\n").replaceAll("\r\n", " \n") : text;
  const root = parse(source);
  return (root.errors ?? []).length > 0 ? null : {root, source};
});

/** A command whose output a text uses, and how it begins: `$(`, `<(`, `>(` or a backtick. */
export interface Substitution {
  readonly text: string;
  readonly opens: string;
}

const SUBSTITUTION = new Set<string>(["CommandExpansion", "ArithmeticCommandExpansion", "ProcessSubstitution"]);

/** The substitutions of a text that are in no other one. */
export function outerSubstitutionsIn(text: string): Substitution[] {
  const tree = /\$\(|`|[<>]\(/.test(text) ? parseShell(text) : null;
  const found: Substitution[] = [];
  const visit = (node: SyntaxNode): void => {
    if (SUBSTITUTION.has(node.type) && "text" in node) {
      const opens = node.text.startsWith("`") ? "`" : node.text.slice(0, 2);
      found.push({text: node.text.slice(opens.length, -1).trim(), opens});
    } else forEachChild(node, visit);
  };
  if (tree !== null) visit(tree.root);
  return found;
}
