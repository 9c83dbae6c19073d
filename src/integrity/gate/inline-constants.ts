/** Puts the values of constants where a configuration in JavaScript uses them: `rules`, `limit: MINIMUM`, `...shared`. */
import type {Language} from "../../test-code/text/languages.ts";
import {closingBracket, maskSource} from "../../test-code/text/mask.ts";

const CONSTANT = /^(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n;]+)?=\s*/gm;
const LITERAL = /^(?:-?[\d.]+|true|false|null|(["'`])[^\n]*\1|\/[^\n]+\/\w*)$/;
/** Bounds the time for a file that was made to take long. */
const MAX_CHARS = 50_000;
const MAX_CONSTANTS = 40;
/** A constant may use another one. */
const ROUNDS = 2;

export function inlineConstants(text: string, language: Language): string {
  let inlined = text;
  for (let round = 0; round < ROUNDS && inlined.length <= MAX_CHARS; round += 1)
    inlined = inlineOnce(inlined, language);
  return inlined;
}

function inlineOnce(text: string, language: Language): string {
  const {code} = maskSource(text, language);
  const values = constantsIn(text, code);
  if (values.size === 0) return text;
  const names = [...values.keys()].map((name) => name.replaceAll("$", "\\$")).join("|");
  const uses = new RegExp(String.raw`(\.\.\.)?(?<![\w$.]|(?:const|let|var)\s)(${names})(?=\s*[,}\])\n])`, "g");
  const parts: string[] = [];
  let copied = 0;
  for (const {0: whole, 1: spread, 2: name = "", index} of code.matchAll(uses)) {
    const value = valueAt({code, index, value: values.get(name) ?? "", name, isSpread: spread !== undefined});
    if (value === null) continue;
    parts.push(text.slice(copied, index), value);
    copied = index + whole.length;
  }
  return parts.join("") + text.slice(copied);
}

function constantsIn(text: string, code: string): Map<string, string> {
  const found = [...code.matchAll(CONSTANT)].slice(0, MAX_CONSTANTS).flatMap((match) => {
    const from = match.index + match[0].length;
    const isGroup = /[{[]/.test(code[from] ?? "");
    const end = isGroup ? closingBracket(code, from) + 1 : from + (/[;\n]|$/.exec(code.slice(from))?.index ?? 0);
    const value = text.slice(from, end).trim();
    return isGroup || LITERAL.test(value) ? [[match[1] ?? "", value] as const] : [];
  });
  return new Map(found);
}

/** Null where the name is no value. */
function valueAt(use: {code: string; index: number; value: string; name: string; isSpread: boolean}): string | null {
  const {code, index, value, name, isSpread} = use;
  if (isSpread) return /^[{[]/.test(value) ? value.slice(1, -1).trim().replace(/,$/, "") : null;
  const before =
    code
      .slice(Math.max(0, index - 100), index)
      .trimEnd()
      .at(-1) ?? "";
  if (before === ":") return value;
  if (before !== "{" && before !== ",") return before === "[" ? value : null;
  const open = enclosing(code, index);
  return open === "{" ? `${name}: ${value}` : open === "[" ? value : null;
}

/** The bracket around a position. */
function enclosing(code: string, at: number): string {
  let depth = 0;
  for (let index = at - 1; index >= 0; index -= 1) {
    const char = code[index] ?? "";
    if ("}])".includes(char)) depth += 1;
    else if ("{[(".includes(char) && depth-- === 0) return char;
  }
  return "";
}
