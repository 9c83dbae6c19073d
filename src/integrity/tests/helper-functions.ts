/** Finds the functions of a test file that are not tests. */
import type {LanguageName} from "../source/languages.ts";
import {closingBracket, type MaskedSource} from "../source/mask.ts";
import type {TestRange} from "./test-case.ts";

/** The match ends with the name. */
const DEFINITIONS: Readonly<Record<LanguageName, RegExp | null>> = {
  javascript:
    /^(?:export\s+)?(?:async\s+)?function\s+(\w+)(?=\s*\()|^(?:export\s+)?const\s+(\w+)(?=\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>)|^(?:module\.)?exports\.(\w+)(?=\s*=\s*(?:async\s*)?(?:function\b|\())|^\s+(?:async\s+|static\s+)?((?:assert|expect|check|verify|should)\w*)(?=\s*\([^()]*\)\s*(?::[^{;\n]*)?\{)/gm,
  python: /^[ \t]*(?:async\s+)?def\s+(?!test)(\w+)(?=\s*\()/gm,
  go: /^func\s+(?:\([^)]*\)\s*)?(?!Test|Fuzz|Benchmark|Example)(\w+)(?=\s*[[(])/gm,
  rust: /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)(?=\s*[(<])|^[ \t]*macro_rules!\s*(\w+)/gm,
  java: /^[ \t]+(?:(?:private|protected|public|static|final)\s+)*(?:void|fun)\s+((?:assert|check|verify|expect)\w*)(?=\s*\()/gm,
};
/** Bounds the time for a file that was made to take long. */
const MAX_HELPERS = 300;

export function findHelpers({code}: MaskedSource, language: LanguageName): TestRange[] {
  const pattern = DEFINITIONS[language];
  if (pattern === null) return [];
  return [...code.matchAll(pattern)].slice(0, MAX_HELPERS).flatMap((match) => {
    const name = match.slice(1).find((one) => one !== undefined) ?? "";
    const end = match.index + match[0].length;
    const body = language === "python" ? pythonBody(code, match.index, end) : bracedBody(code, end);
    if (body === null) return [];
    return [{id: name, name, from: match.index, bodyFrom: body.from, bodyTo: body.to, marks: new Set(), markText: ""}];
  });
}

interface FunctionBody {
  readonly from: number;
  readonly to: number;
}

function bracedBody(code: string, at: number): FunctionBody | null {
  const parameters = code.indexOf("(", at);
  if (parameters < 0 || parameters - at > 200) return null;
  const close = closingBracket(code, parameters);
  const arrow = /^[^{;\n]*=>(?!\s*\{)\s*/.exec(code.slice(close, close + 200));
  if (arrow !== null && code[close + arrow[0].length] !== "{") {
    const from = close + arrow[0].length;
    const end = /;|\n\S/.exec(code.slice(from));
    return {from, to: end === null ? code.length : from + end.index};
  }
  const open = code.indexOf("{", close);
  return open < 0 ? null : {from: open + 1, to: closingBracket(code, open)};
}

/** Up to the next line that is not indented further. */
function pythonBody(code: string, start: number, at: number): FunctionBody {
  const from = closingBracket(code, code.indexOf("(", at)) + 1;
  const indent = /^[ \t]*/.exec(code.slice(start))?.[0].length ?? 0;
  const next = new RegExp(String.raw`\n[ \t]{0,${indent}}\S`, "g");
  next.lastIndex = from;
  return {from: code.indexOf(":", from) + 1, to: next.exec(code)?.index ?? code.length};
}
