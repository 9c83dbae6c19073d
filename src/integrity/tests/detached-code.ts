/** Tells whether code of a test is in a function that the test never calls, or does not wait for. */
import type {LanguageName} from "../source/languages.ts";

const FUNCTION = /(?:=>|\bfunction\b[^{}]*\)|\bfunc\s*\([^{}]*\)[^{}()]*)\s*$/;
/** Handlers: `promise.catch((error) => {`, `emitter.on("end", () => {`, `runner.onEnd = () => {`, `go func() {`. */
const CHAINED = /\.(?:then|catch|finally)\(\s*[^;{}]*$/;
const HANDLER =
  /\.(?:on|once|addEventListener|addListener|subscribe)(?:\?\.)?\(\s*["'`][^;{}]*$|^\s*[\w$.]+\.[\w$]+\s*=(?!=)[^;{}]*$/;
const WAITED = /^\s*(?:await|return|yield)\b|=\s*await\b|^\s*(?:const|let|var)\s/;
const GO_WAITS = /\.Wait\(\)|<-|\bselect\b|\bEventually\b/;

/** `body`: the code of the test without the contents of strings; `at`: a position in it. */
export function isDetached(body: string, at: number, language: LanguageName): boolean {
  if (isInUnusedLambda(body, at)) return true;
  if (language === "python") return isInUnusedDefinition(body, at);
  if (language !== "javascript" && language !== "go") return false;
  const heads = openHeads(body, at);
  return heads.some(({text, isOpen}) => {
    if (isOpen && !FUNCTION.test(text)) return false;
    if (language === "go") return /\bgo\s+func\b[^{}]*$/.test(text) && !GO_WAITS.test(body);
    if (WAITED.test(text)) return isOpen && isUnusedFunction(text, body);
    return (CHAINED.test(text) && !/\bawait\b/.test(text)) || (isOpen && HANDLER.test(text));
  });
}

/**
 * The text before each bracket that is open at a position, from the start of its statement. The last entry is the
 * statement itself.
 */
function openHeads(body: string, at: number): {text: string; isOpen: boolean}[] {
  const stack: {text: string; isOpen: boolean}[] = [];
  let from = 0;
  for (let index = 0; index < at; index += 1) {
    const char = body[index];
    if (char === "{") stack.push({text: statementOf(body.slice(from, index)), isOpen: true});
    else if (char === "}") stack.pop();
    if (char === "{" || char === "}" || char === ";") from = index + 1;
  }
  return [...stack, {text: statementOf(body.slice(from, at)), isOpen: false}];
}

/** Statements may end without a semicolon: a line that begins with a dot or a bracket continues one. */
function statementOf(text: string): string {
  const lines = text.split("\n");
  const start = lines.findLastIndex((line) => line.trim() !== "" && !/^\s*[.)\]]/.test(line));
  return lines.slice(Math.max(0, start)).join("\n").slice(-500);
}

function isUnusedFunction(head: string, body: string): boolean {
  const name = /^\s*(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*=>\s*$/.exec(head)?.[1];
  return name !== undefined && isUsedOnce(name, body);
}

/** `name = () -> `, `name = () => `, `name = lambda:`, `name = || `, `name := func() {`, up to the place. */
const LAMBDA =
  /(?:^|[\s;{}(])([A-Za-z_$][\w$]*)\s*(?::[^=;{}]*)?:?=\s*(?:async\s*)?(?:(?:\([^()]*\)|[\w$]+)\s*(?:=>|->)|\|[^|\n]*\||lambda\b[^:\n]*:|func\s*\([^()]*\)[^{;\n]*)\s*(?:\{[^{}]*|[^;{}\n]*)$/;

/** An expression without a block around it, or the first level of a block. */
function isInUnusedLambda(body: string, at: number): boolean {
  const name = LAMBDA.exec(body.slice(Math.max(0, at - 300), at))?.[1];
  return name !== undefined && isUsedOnce(name, body);
}

/** Its own declaration, and questions about the function itself: `expect(check).toBeDefined()`. */
const isUsedOnce = (name: string, body: string): boolean =>
  body
    .replace(questionsAbout(name.replaceAll("$", "\\$")), "")
    .split(new RegExp(String.raw`(?<![\w$])${name.replaceAll("$", "\\$")}(?![\w$])`)).length <= 2;

function isInUnusedDefinition(body: string, at: number): boolean {
  const lines = body.slice(0, at).split("\n");
  let indent = (lines.at(-1) ?? "").search(/\S|$/);
  for (const line of lines.slice(0, -1).toReversed()) {
    const lineIndent = line.search(/\S/);
    if (lineIndent < 0 || lineIndent >= indent) continue;
    indent = lineIndent;
    const name = /^\s*(?:async\s+)?def\s+(\w+)/.exec(line)?.[1];
    if (name !== undefined && isUsedOnce(name, body)) return true;
  }
  return false;
}

const questionsAbout = (name: string): RegExp =>
  new RegExp(
    String.raw`\bexpect\(${name}\)\.(?:not\.)?toBe(?!\()\w*|\b(?:\w*[nN]o[nt]Null|callable|assertIsNotNone|assertTrue|assert(?:\.ok)?|drop)\(\s*${name}\s*\)|\bassertThat\(${name}\)\.isNotNull\(\)|\bassert\s+${name}\s*$|^\s*_\s*=\s*&?${name}\s*;?$`,
    "gm",
  );
