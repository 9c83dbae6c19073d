/** Finds the tests of a Python file: functions and methods that pytest and unittest collect. */
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {MaskedSource} from "../source/mask.ts";
import type {TestMark, TestRange} from "./test-case.ts";

const STATEMENT = /^([ \t]*)(?:(?:async[ \t]+)?(def)|(class)|(if|try|with|for|while|else|elif|except)\b)[ \t]*(\w+)?/gm;

/** Limits the time for a file that is designed to take long. */
const MAX_BLOCKS = 3000;
const MAX_HEADER = 5000;
/** A decorator may have a long table of parameters. */
const MAX_DECORATORS = 20_000;

interface PythonBlock {
  readonly kind: "def" | "class" | "other";
  readonly name: string;
  readonly indent: number;
  readonly from: number;
  readonly to: number;
  readonly header: string;
  readonly bodyFrom: number;
  /** where its decorators begin */
  readonly headFrom: number;
}

export function findPythonTests(source: MaskedSource): TestRange[] {
  const {code, text} = source;
  const blocks = [...code.matchAll(STATEMENT)].slice(0, MAX_BLOCKS).map((match) => blockAt(source, match));
  const runs = collectedClasses(blocks.filter(({kind}) => kind === "class"));
  const fileMarks = INTEGRITY.map(({fileMark}) => fileMark?.(code) ?? "").filter((mark) => mark !== "");
  return blocks.flatMap((block) => {
    if (block.kind !== "def" || !/^test/.test(block.name)) return [];
    const outer = blocks.filter((one) => one.from < block.from && block.to <= one.to && one.indent < block.indent);
    if (outer.some(({kind}) => kind === "def")) return [];
    const classes = outer.filter(({kind}) => kind === "class");
    if (classes.some((one) => !runs.has(one.name) || hasConstructor(one, blocks))) return [];
    const heads = [...outer, block].map(({header}) => header);
    // A mark of the whole file counts like a decorator of each test.
    const marks = marksOf([...heads, ...fileMarks].join(" "));
    const markText = [...outer, block].map((one) => text.slice(one.headFrom, one.bodyFrom)).join(" ");
    const neverRuns = outer.some(({kind, header}) => kind === "other" && /^\s*if\s+(?:False|0|None)\s*:/.test(header));
    if (neverRuns) marks.add("skip");
    const id = [...classes, block].map(({name}) => name).join(" > ");
    const {name, from, headFrom, bodyFrom, to: bodyTo} = block;
    return [
      {
        id,
        name,
        from,
        headFrom,
        bodyFrom,
        bodyTo,
        marks,
        markText: [markText, ...fileMarks].join(" "),
        headCode: heads.join(" "),
      },
    ];
  });
}

/**
 * The names of the classes whose tests run. pytest collects `Test…`, unittest any class with its base, which another
 * file may have. The tests of a base class, often a mixin, are collected in the classes that inherit it.
 */
function collectedClasses(classes: readonly PythonBlock[]): Set<string> {
  const bases = new Map(classes.map((one) => [one.name, basesOf(one)]));
  const heirs = new Map<string, string[]>();
  for (const [name, ones] of bases) for (const base of ones) heirs.set(base, [...(heirs.get(base) ?? []), name]);
  const otherBases = [...heirs.keys()].filter((base) => base !== "object" && !bases.has(base));
  const named = [...bases.keys()].filter((name) => name.startsWith("Test"));
  return reachedFrom([...named, ...reachedFrom(otherBases, heirs)], bases);
}

function reachedFrom(names: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(names);
  // A set visits what is added meanwhile.
  for (const name of reached) for (const one of next.get(name) ?? []) reached.add(one);
  return reached;
}

const basesOf = ({header}: PythonBlock): string[] => /class\s+\w+\s*\(([^()]*)/.exec(header)?.[1]?.match(/\w+/g) ?? [];

/** pytest does not collect a class with a constructor; a base class of unittest calls it itself. */
function hasConstructor(group: PythonBlock, blocks: readonly PythonBlock[]): boolean {
  if (/class\s+\w+\s*\(\s*\w/.test(group.header)) return false;
  const inside = blocks.filter(({from, to}) => group.from < from && to <= group.to);
  const parts = inside.filter(({kind}) => kind !== "other");
  return inside.some(
    ({name, from, to}) =>
      /^__(?:init|new)__$/.test(name) && !parts.some((outer) => outer.from < from && to <= outer.to),
  );
}

function blockAt({code}: MaskedSource, match: RegExpExecArray): PythonBlock {
  const [line, spaces = "", isDef, isClass, , name = ""] = match;
  const indent = spaces.length;
  const bodyFrom = headerEnd(code, match.index + line.length);
  const kind = isDef !== undefined ? "def" : isClass !== undefined ? "class" : "other";
  const decorators = kind === "other" ? "" : decoratorsAbove(code, match.index, indent);
  const header = `${decorators}${code.slice(match.index, bodyFrom)}`;
  const headFrom = match.index - decorators.length;
  return {kind, name, indent, from: match.index, to: blockEnd(code, bodyFrom, indent), header, bodyFrom, headFrom};
}

/** The position after the colon that ends a `def`, `class` or `if` line, which may span lines inside brackets. */
function headerEnd(code: string, from: number): number {
  let depth = 0;
  const end = Math.min(code.length, from + MAX_HEADER);
  const signs = /[([{)\]}:\n]/g;
  signs.lastIndex = from;
  for (let match = signs.exec(code); match !== null && match.index < end; match = signs.exec(code)) {
    const [sign] = match;
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    else if (depth <= 0) return sign === ":" ? match.index + 1 : match.index;
  }
  return end;
}

/** A block ends before the next line that is not indented further. */
function blockEnd(code: string, from: number, indent: number): number {
  const lines = /^([ \t]*)\S.*$/gm;
  lines.lastIndex = code.indexOf("\n", from) < 0 ? code.length : code.indexOf("\n", from) + 1;
  for (let match = lines.exec(code); match !== null; match = lines.exec(code))
    if ((match[1] ?? "").length <= indent && !/^[ \t]*[)\]}]/.test(match[0])) return match.index;
  return code.length;
}

function decoratorsAbove(code: string, at: number, indent: number): string {
  const lines = code
    .slice(Math.max(0, at - MAX_DECORATORS), at)
    .split("\n")
    .slice(0, -1);
  let first = lines.length;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? "";
    const lineIndent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    // Comments are empty lines here.
    if (line.trim() !== "" && lineIndent <= indent && !/^[ \t]*[@)\]}]/.test(line)) break;
    if (/^[ \t]*@/.test(line) && lineIndent === indent) first = index;
  }
  return lines
    .slice(first)
    .map((line) => `${line}\n`)
    .join("");
}

function marksOf(text: string): Set<TestMark> {
  const marks = new Set<TestMark>();
  if (/@(?:\w+\.)*(?:skip|skipif|skipIf)\s*\(\s*(?:True|1|not False)\b/.test(text)) marks.add("skip");
  if (/@(?:\w+\.)*parametrize\s*\([^[\]]*,\s*\[\s*\]\s*[,)]/.test(text)) marks.add("skip");
  if (/@(?:\w+\.)*(?:skip|Skip)\b|@(?:\w+\.)*skipUnless\s*\(\s*(?:False|0)\b/.test(text)) marks.add("skip");
  if (/@(?:\w+\.)*(?:skipif|skipIf|skipUnless)\b/.test(text)) marks.add("conditional");
  if (/\bmarks\s*=\s*[^()]*\b(?:skip|xfail)\b/.test(text)) marks.add("expected-failure");
  if (/@(?:\w+\.)*(?:xfail|expectedFailure)\b/.test(text)) marks.add("expected-failure");
  return marks;
}
