/** Reads the object literals of a configuration in JavaScript or TypeScript without running it. */
import type {Language} from "../../test-code/text/languages.ts";
import {closingBracket, maskSource} from "../../test-code/text/mask.ts";

const KEY = /(?<=[{,(\s[]|^)(?:(["'])([^"'\n]*)\1|([A-Za-z_$][\w$]*|(?<=[{,]\s*)\d+))\s*:(?!:)\s*/g;
const MAX_CHARS = 200_000;

/**
 * The values by their path of keys. Calls and lists around an object add nothing to the path, so `test` of
 * `defineConfig({test: {…}})` is `test`. A value that is not a literal is its source text.
 */
export function readObjectLiterals(text: string, language: Language): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  if (text.length > MAX_CHARS) return settings;
  const {code} = maskSource(text, language);
  const open: {key: string; to: number; keys: Set<string>}[] = [];
  for (const match of withoutMaskedKeys(text, code)) {
    const {key, from, at} = match;
    while (open.length > 0 && (open.at(-1)?.to ?? 0) < at) open.pop();
    const path = [...open.map((one) => one.key), key].join(" ");
    const char = code[from] ?? "";
    const end = char === "{" || char === "[" ? closingBracket(code, from) : valueEnd(code, from);
    const values = char === "[" ? itemsOf(text, code, from) : char === "{" ? [] : [unquote(text.slice(from, end))];
    // The later of two equal keys in one object decides.
    const keys = open.at(-1)?.keys;
    const earlier = keys?.has(key) ? [] : (settings.get(path) ?? []);
    keys?.add(key);
    if (char !== "{") settings.set(path, [...earlier, ...values]);
    if (char === "{" || char === "[") open.push({key, to: end, keys: new Set()});
  }
  for (const [path, value] of assignmentsIn(text, code)) settings.set(path, [value]);
  return settings;
}

const ASSIGNMENT = /^[ \t]*([A-Za-z_$][\w$]*)((?:\.[\w$]+|\[["'][^"'\n]*["']\])+)[ \t]*=(?!=)[ \t]*(?![{[\s])/gm;

/** `config.test.retry = 2` and `rules["no-eval"] = 0`; the first name may be a part of the path, or the whole file. */
function assignmentsIn(text: string, code: string): (readonly [string, string])[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap((match) => {
    const [whole, name = "", keys = ""] = match;
    const from = match.index + whole.length;
    if (!code.slice(match.index, from).includes("=") || /^(?:module|exports|process|global\w*|window)$/.test(name))
      return [];
    const path = keys
      .replace(/\.|\[["']|["']\]/g, " ")
      .trim()
      .replace(/ +/g, " ");
    const value = unquote(text.slice(from, valueEnd(code, from)));
    return [[path, value] as const, [`${name} ${path}`, value] as const];
  });
}

/**
 * Keys are found in the text, because quoted keys are blank in the code; those inside strings and comments are left
 * out.
 */
function withoutMaskedKeys(text: string, code: string): {key: string; from: number; at: number}[] {
  return [...text.matchAll(KEY)].flatMap((match) => {
    const [whole, quote, quoted, plain] = match;
    const colon = match.index + whole.trimEnd().length - 1;
    const isCode =
      code[colon] === ":" &&
      (quote === undefined ? code.startsWith(plain ?? "", match.index) : code[match.index] === quote);
    return isCode ? [{key: quoted ?? plain ?? "", from: match.index + whole.length, at: match.index}] : [];
  });
}

function valueEnd(code: string, from: number): number {
  let at = from;
  while (at < code.length && !/[,})\]\n;]/.test(code[at] ?? ""))
    at = /[([{]/.test(code[at] ?? "") ? closingBracket(code, at) + 1 : at + 1;
  return at;
}

/** The items of a list that opens at `open`, without its objects. */
export function itemsOf(text: string, code: string, open: number): string[] {
  const to = closingBracket(code, open);
  const items: string[] = [];
  for (let at = open + 1; at < to; ) {
    const end = Math.min(to, itemEnd(code, at));
    const item = text.slice(at, end).trim();
    if (item !== "" && !item.startsWith("{")) items.push(unquote(item));
    at = end + 1;
  }
  return items;
}

function itemEnd(code: string, from: number): number {
  let at = from;
  while (at < code.length && code[at] !== "," && code[at] !== "]")
    at = /[([{]/.test(code[at] ?? "") ? closingBracket(code, at) + 1 : at + 1;
  return at;
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/\/\/.*$/gm, "")
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2");
}
