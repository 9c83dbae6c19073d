/** Reads the facts about the tests of a source file from its syntax tree. */

import type {Edit, Point, Tree} from "web-tree-sitter";
import {factsOf} from "./describe-tests.ts";
import type {SourceFacts, TestFacts} from "./facts.ts";
import type {TestLanguage} from "./languages/language.ts";
import {languageOf} from "./languages.ts";
import {grammarOf, type LoadedGrammar} from "./loaded-grammars.ts";
import {codeOf} from "./tokens.ts";
import {matchNodes, type NodeRule, readTree, type SourcePart} from "./walk-tree.ts";

/** A parser needs about a microsecond for a byte. A file over a limit is not read, and that is reported. */
const MAX_CHARS = 512 * 1024;
const MAX_MS = 20_000;
const MAX_FILES = 300;

const NOTHING: SourceFacts = {
  ...{tests: [], units: [], hasTables: false, code: "", surroundings: ""},
  unread: null,
  isPartial: false,
};

const files = new Map<string, SourceFacts>();

/** Without facts for a language whose tests are not read. */
export function readSource(path: string, text: string | null): SourceFacts {
  const language = text === null ? null : languageOf(path);
  if (language === null || text === null) return NOTHING;
  const grammar = grammarOf(language);
  if (grammar === null) return {...NOTHING, unread: "no-grammar"};
  const key = `${language.name}\0${text}`;
  const known = files.get(key) ?? parse(text, language, grammar);
  files.delete(key);
  files.set(key, known);
  for (const [oldest] of files) if (files.size > MAX_FILES) files.delete(oldest);
  return known;
}

/** True for a file that may have tests, from its name and its words; reading it takes longer. */
export function mayHaveTests(path: string, text: string | null): boolean {
  const language = text === null ? null : languageOf(path);
  if (language === null || language.isTestFile?.(path) === false) return false;
  return language.hint.test(text ?? "");
}

/** The tests of a file, in order. Empty for a file that cannot have tests. */
export const readTests = (path: string, text: string | null): readonly TestFacts[] =>
  mayHaveTests(path, text) ? readSource(path, text).tests : [];

/** The parts of a file that a rule names, to be used before another file is read; none in a language without a grammar, and over a limit. */
export function findNodes(path: string, text: string | null, rules: readonly NodeRule[]): readonly SourcePart[] {
  const language = text === null ? null : languageOf(path);
  const grammar = language === null ? null : grammarOf(language);
  if (language === null || grammar === null || text === null) return [];
  const tree = treeOf(text, language, grammar);
  if (tree === null) return [];
  if (tree.facts === null) closeOldTrees();
  return matchNodes(tree.tree, text, rules);
}

/** The open tree of this text, or a new one. */
function treeOf(text: string, language: TestLanguage, grammar: LoadedGrammar): OpenTree | null {
  const known = openTrees.find((one) => one.language === language && one.text === text);
  if (known !== undefined) return known;
  const tree = parseTree(text, language, grammar);
  if (tree === null) return null;
  const open: OpenTree = {tree, text, language, facts: null};
  openTrees.push(open);
  return open;
}

function parseTree(text: string, language: TestLanguage, {parser, clock}: LoadedGrammar): Tree | null {
  if (text.length > MAX_CHARS) return null;
  const end = clock() + MAX_MS;
  const alike = treeWithEdit(text, language);
  const tree = parser.parse(text, alike, {progressCallback: () => clock() > end});
  alike?.delete();
  if (tree === null) parser.reset();
  return tree;
}

function parse(text: string, language: TestLanguage, grammar: LoadedGrammar): SourceFacts {
  const open = treeOf(text, language, grammar);
  if (open === null) return {...NOTHING, unread: "limit"};
  const {tree} = open;
  const {opaque, parts} = readTree({tree, text, language});
  if (tree.rootNode.hasError && language.hasMacros !== true) {
    return {...NOTHING, code: codeOf(text, opaque), unread: "syntax"};
  }
  const errors = tree.rootNode.hasError ? tree.rootNode.descendantsOfType("ERROR") : [];
  const facts = factsOf({
    text,
    opaque,
    parts,
    errors: errors.map(({startIndex, endIndex}) => ({from: startIndex, to: endIndex})),
  });
  open.facts = facts;
  closeOldTrees();
  return facts;
}

interface OpenTree {
  readonly tree: Tree;
  /** null if nobody has asked for them */
  facts: SourceFacts | null;
  readonly text: string;
  readonly language: TestLanguage;
}

/** Facts are read when they are asked for, as long as their tree is open. A tree takes about 20 bytes for a character. */
const MAX_OPEN_CHARS = 4 * 1024 * 1024;
const openTrees: OpenTree[] = [];

function closeOldTrees(): void {
  while (openTrees.reduce((sum, {text}) => sum + text.length, 0) > MAX_OPEN_CHARS) {
    const oldest = openTrees.shift();
    if (oldest === undefined) return;
    const {tree, facts} = oldest;
    // A copy needs all facts, so each one is read now.
    structuredClone(facts);
    tree.delete();
  }
}

/** The latest tree if most of its text is the same, with its edited part: the parser reads only that part again. */
function treeWithEdit(text: string, language: TestLanguage): Tree | null {
  const latest = openTrees.at(-1);
  if (latest?.language !== language || latest.tree.rootNode.hasError) return null;
  const most = Math.min(latest.text.length, text.length);
  let start = 0;
  while (start < most && latest.text[start] === text[start]) start += 1;
  let same = 0;
  while (same < most - start && latest.text.at(-1 - same) === text.at(-1 - same)) same += 1;
  if ((start + same) * 2 < text.length) return null;
  const [oldEnd, newEnd] = [latest.text.length - same, text.length - same];
  const tree = latest.tree.copy();
  // The class of the library has the same fields; it is loaded only with a grammar.
  tree.edit({
    ...{startIndex: start, oldEndIndex: oldEnd, newEndIndex: newEnd},
    ...{startPosition: pointAt(text, start), oldEndPosition: pointAt(latest.text, oldEnd)},
    newEndPosition: pointAt(text, newEnd),
  } as Edit);
  return tree;
}

function pointAt(text: string, index: number): Point {
  const before = text.slice(0, index);
  return {row: before.split("\n").length - 1, column: index - before.lastIndexOf("\n") - 1};
}
