/** Counts the values that a test runs over, and the places that leave some of them out. */
import type {Language, LanguageName} from "../source/languages.ts";
import {closingBracket, type MaskedSource} from "../source/mask.ts";

/** Where a table begins: the match ends before its bracket. */
const TABLES: Readonly<Record<LanguageName, RegExp>> = {
  javascript: /\.(?:each|for)\s*(?=\(\s*\[)|\bof\s*(?=\[)/g,
  python: /\bparametrize\s*(?=\()|\bin\s*(?=[[(])/g,
  go: /(?:\[\]|map\[[\w.*]+\])(?:struct\s*|[\w.*]+)(?=\{)/g,
  rust: /\bin\s+&?(?:vec!\s*)?(?=\[)|#(?=\[\s*case\b)/g,
  java: /@(?:Csv|Value|Enum|Method)Source\s*(?=\()/g,
};

/** A loop over a part of its values. */
const NARROWED: Readonly<Record<LanguageName, RegExp>> = {
  javascript:
    /\bof\b[^{};]*\.(?:slice|filter|splice)\s*\(|\.each\s*\(\s*[^()]*\.(?:slice|filter)\s*\(|\.(?:slice|filter)\([^()]*\)\s*\.forEach\(|\n\]\s*\.(?:slice|filter)\s*\(/g,
  python:
    /\bfor\b[^:\n]*\bin\b[^:\n]*\[[^\]\n]*:[^\]\n]*\]\s*:|\bin\s+(?:(?:\w+\.)?islice|filter)\(|\b(?:in|parametrize\([^[\n]*,)\s*\[[^\]\n]*\bfor\b[^\n]*?\bin\b[^\n]*?\bif\b/g,
  go: /\brange\s+[\w.]+\[[^\]\n]*:[^\]\n]*\]/g,
  rust: /\bin\b[^{;]*\.(?:take|skip|step_by|filter)\s*\(|\bin\s+&?\w+\[[^\]\n]*\.\.[^\]\n]*\]/g,
  java: /\bfor\s*\([^;{]*:[^{;]*\.(?:subList|limit|skip)\(|\breturn\s+(?:Stream|List|Arrays)\.[^;{}]*\.(?:filter|limit|skip|dropWhile|takeWhile|subList)\(/g,
};

/** The rows of all tables in some code without the contents of its strings. */
export function countRows(code: string, {name}: Language): number {
  // Each seed is a value of a fuzz test, and plain `go test` runs no others.
  const seeds = name === "go" ? (code.match(/\bf\.Add\(/g)?.length ?? 0) : 0;
  return [...code.matchAll(TABLES[name])].reduce((sum, match) => {
    const open = match.index + match[0].length;
    if (name === "rust" && match[0] === "#") return sum + 1;
    return sum + rowsAt(code, tableOpen(code, open));
  }, seeds);
}

export const countNarrowedLoops = (code: string, {name}: Language): number => code.match(NARROWED[name])?.length ?? 0;

/** `continue`, `break` and a bare `return` before the last assertion of a test. */
export function countBailOuts(code: string): number {
  // After `t.Error`, the test has failed.
  const reached = code.replace(/\.Errorf?\([^\n]*\n\s*return\b/g, "");
  return (
    reached.match(
      /\b(?:continue|break)\s*;?\s*\}?\s*$|\breturn\s*(?:;|$)|\bif\b[^\n]*\)\s*return\s+\w[\w.]*\([^\n]*\);?\s*$/gm,
    )?.length ?? 0
  );
}

/** `if f(one) != want { continue }`. */
export const countMismatchesLeftOut = (code: string): number =>
  code.match(/\bif\b[^\n{]*(?:[!=]=|\bequals?\()[^\n{]*[{:]?\s*continue\b/g)?.length ?? 0;

/** The list inside a call, or the value after the fields of a Go struct. */
function tableOpen(code: string, open: number): number {
  const char = code[open];
  const close = closingBracket(code, open);
  if (char === "{") {
    const next = close + 1;
    return /struct\s*$/.test(code.slice(Math.max(0, open - 10), open)) && code[next] === "{" ? next : open;
  }
  if (char !== "(") return open;
  const isCall = /[\w.]\s*$/.test(code.slice(Math.max(0, open - 3), open)) && !/\bin\s*$/.test(code.slice(0, open));
  if (!isCall) return open;
  const inner = elementsOf(code, open).filter((element) => /^[[{(]/.test(code.slice(element).trimStart()));
  const last = inner.at(-1);
  const brace = code.slice(open, close).search(/[[{]/);
  if (last !== undefined) return last + (/^\s*/.exec(code.slice(last))?.[0].length ?? 0);
  return brace < 0 ? open : open + brace;
}

function rowsAt(code: string, open: number): number {
  const close = closingBracket(code, open);
  return elementsOf(code, open).filter((from, index, all) => {
    const text = code.slice(from, (all[index + 1] ?? close + 1) - 1);
    return text.trim() !== "";
  }).length;
}

/** The positions after the opening bracket and after each comma directly inside it. */
function elementsOf(code: string, open: number): number[] {
  const close = closingBracket(code, open);
  const starts = [open + 1];
  for (let at = open + 1; at < close; at += 1) {
    const char = code[at] ?? "";
    if ("([{".includes(char)) at = closingBracket(code, at);
    else if (char === ",") starts.push(at + 1);
  }
  return starts;
}

const ITERATED =
  /\b(?:of|in|range)\s+&?(?:Object\.entries\()?((?:self\.|this\.)?\w+)(?:\.(?:entries|iter|items)\(\))?\s*[:){]|\.(?:each|for)\(\s*(\w+)|\bparametrize\((?:[^()]|\([^()]*\)){0,400}?,\s*(\w+)|\b((?:this\.)?\w+)\.(?:forEach|map)\(/g;

/** The named lists of a test file over which code iterates, with the number of their rows. */
export function namedTables(code: string): Map<string, number> {
  return new Map([...tablePlaces(code), ...providers(code)].map(([name, open]) => [name, rowsAt(code, open)]));
}

/** The lists of rows at the top of a file from which tests import them. */
export function exportedTables(code: string): Map<string, number> {
  const lists = code.matchAll(
    /^(?:export\s+(?:const|let|var)\s+|(?:module\.)?exports\.)?(?!__)([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?=[[(]\s*[[({])/gm,
  );
  return new Map([...lists].map(({0: head, 1: name = "", index}) => [name, rowsAt(code, index + head.length)]));
}

const PROVIDER =
  /\bstatic\s+(?:Stream|List|Collection|Iterable)<[^;{]*>\s+(\w+)\s*\([^)]*\)\s*\{\s*return\s+(?:Stream|List|Arrays)\.(?:of|asList)\s*(?=\()/g;

/** `params=[…]` before a fixture of Python. */
const FIXTURE = /\bparams\s*=\s*(?=[[(])/g;

/** The methods of Java and the fixtures of Python that give a test its values. */
const providers = (code: string): [string, number][] => [
  ...[...code.matchAll(PROVIDER)].map(({0: head, 1: name = "", index}): [string, number] => [
    name,
    index + head.length,
  ]),
  ...[...code.matchAll(FIXTURE)].map(({0: head, index}): [string, number] => {
    const name = /\bdef\s+(\w+)/.exec(code.slice(index, index + 2000))?.[1] ?? "";
    return [name, index + head.length];
  }),
];

/** The texts of these lists. */
export const namedTableTexts = ({text, code}: MaskedSource): string[] =>
  [...tablePlaces(code).values()].map((open) => text.slice(open, closingBracket(code, open)));

export const iteratedNames = (code: string): Set<string> =>
  new Set([...code.matchAll(ITERATED)].flatMap((match) => match.slice(1).filter((name) => name !== undefined)));

/** `small = all.filter(…)`, `small = [one for one in all if …]`, `small := all[:2]`. */
const SELECTIONS = [
  /(?<![\w.])(\w+)\s*(?::[^=\n]+)?:?=\s*(?:await\s+)?(\w+)\s*\.\s*(?:filter|slice|splice|find)\s*\(/g,
  /(?<![\w.])(\w+)\s*:?=\s*&?(\w+)\[[^\]\n]*(?::|\.\.)[^\]\n]*\]/g,
  /(?<![\w.])(\w+)\s*=\s*(?:list|tuple)?[[(](?:\s*filter\([^,]+,\s*(\w+)\)|[^[\]=]*?\bfor\b[^[\]=]*?\bin\s+(\w+)\s+if\b)/g,
];

/** The list that tests ran over, if they now run over a selection of it; null if several selections divide it. */
export function selectedFrom(before: string, after: string): string | null {
  const [earlier, current] = [iteratedNames(before), iteratedNames(after)];
  const selections = SELECTIONS.flatMap((pattern) => [...after.matchAll(pattern)]).flatMap(([, part = "", ...lists]) =>
    lists.flatMap((whole) => (whole === undefined ? [] : [{part, whole}])),
  );
  const divided = ({whole}: {whole: string}) => selections.filter((one) => one.whole === whole).length > 1;
  const found = selections.find(
    (one) => earlier.has(one.whole) && !current.has(one.whole) && current.has(one.part) && !divided(one),
  );
  if (found !== undefined && !earlier.has(found.part)) return found.whole;
  const direct = [...earlier].find((name) => !current.has(name) && isSelectedWhereUsed(name, after));
  if (direct !== undefined) return direct;
  const narrowed = [...earlier].find(
    (name) =>
      current.has(name) && selectionsIn(name, after) > selectionsIn(name, before) && selectionsIn(name, before) === 0,
  );
  return narrowed ?? null;
}

/** `rows.filter(isShort).forEach(`, in place of `rows.forEach(`. */
const isSelectedWhereUsed = (name: string, code: string): boolean =>
  new RegExp(
    String.raw`(?<![\w.])${name.replace(".", "\\.")}\.(?:filter|slice)\([^;\n]{0,200}?\)\.(?:forEach|map)\(`,
  ).test(code);

/** How often the values of a list are selected where it gets them. */
function selectionsIn(name: string, code: string): number {
  const values = code.matchAll(
    new RegExp(String.raw`(?<![\w.])${name.replace(".", "\\.")}\s*(?::[^=\n]+)?:?=(?!=)([^;\n]*)`, "g"),
  );
  return [...values].reduce((sum, [, value = ""]) => sum + (value.match(SELECTS)?.length ?? 0), 0);
}

const SELECTS = /\.\s*(?:filter|slice|splice)\s*\(|\bfor\b.*\bin\b.*\bif\b|\w\[[^\]\n]*(?::|\.\.)[^\]\n]*\]/g;

/** Where the list of each name begins. */
function tablePlaces(code: string): Map<string, number> {
  const names = iteratedNames(code);
  const tables = new Map<string, number>();
  for (const name of [...names].slice(0, 50)) {
    const assigned = new RegExp(
      String.raw`(?<![\w.])${name?.replace(".", "\\.")}\s*(?::[^=\n]+)?:?=\s*(?:&?vec!|&(?=\[)|\[\][\w.*]+|\[\]struct\s*(?=\{))?\s*(?=[[({])`,
    ).exec(code);
    if (assigned === null || name === undefined) continue;
    tables.set(name, tableOpen(code, assigned.index + assigned[0].length));
  }
  return tables;
}

/** The heads of the loops that count: `for (…; index < 10; …)`, `range(10)`, `0..10`. */
export function loopHeads(code: string): string[] {
  const heads = code.match(/\bfor\b[^{:\n]*?\d[^{:\n]*|\brange\s*\([^()\n]*\d[^()\n]*\)|\{\s*length\s*:\s*\d+\s*\}/g);
  return heads?.map((head) => head.replace(/\s+/g, "")) ?? [];
}
