/** Reads the assertions of a test's body. */
import {cacheLatest} from "../source/cache-latest.ts";
import type {Language} from "../source/languages.ts";
import {closingBracket, lineAt, type MaskedSource} from "../source/mask.ts";
import {ASSERTION_STARTS, MEDIUM, WEAK} from "./assertion-patterns.ts";
import {isDetached} from "./detached-code.ts";
import {expectsOwnResult} from "./own-results.ts";
import type {Assertion, Strength} from "./test-case.ts";

const LITERAL = /^(?:true|false|True|False|None|null|nil|undefined|-?\d[\d_.]*|"[^"]*"|'[^']*'|`[^`$]*`|\[\]|\{\})$/;
const NEGATION =
  /\.(?:not|never)\b|assert\w*Not(?!hing)|assertFalse|doesNot[A-Z]|\.notEqual|\.notStrictEqual|\.notDeepEqual|!=|assert_ne!|\bnot\b|isnot|notin|\.Not[A-Z]|assert\.False|require\.False/;

/** Node's strict assertion mode, in which the short names compare like the long ones (nodejs.org/api/assert.html). */
const STRICT_MODULE =
  /(?:from|require\()\s*["'](?:node:)?assert\/strict["']|\bstrict\s+as\s+assert\b|\bstrict\s*:\s*assert\b|["'](?:node:)?assert["']\)\.strict\b/;
const usesStrictMode = cacheLatest((text: string) => STRICT_MODULE.test(text));
const LOOSE_NAME = /\b(assert\.)(equal|notEqual|deepEqual|notDeepEqual)\(/g;
const STRICT_NAMES: Readonly<Record<string, string>> = {
  equal: "strictEqual",
  notEqual: "notStrictEqual",
  deepEqual: "deepStrictEqual",
  notDeepEqual: "notDeepStrictEqual",
};

/** The limit for one test, because finding the code around an assertion takes time. */
const MAX_ASSERTIONS = 500;

export function readAssertions({
  source,
  from,
  to,
  language,
}: {
  source: MaskedSource;
  from: number;
  to: number;
  language: Language;
}): Assertion[] {
  const body = source.code.slice(from, to);
  const isStrict = language.name === "javascript" && usesStrictMode(source.text);
  let end = 0;
  return [...body.matchAll(ASSERTION_STARTS[language.name])].slice(0, MAX_ASSERTIONS).flatMap((match) => {
    if (match.index < end) return [];
    const start = from + match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    const stop = assertionEnd(source.code, from + match.index + match[0].length, to);
    end = stop - from;
    const written = source.text.slice(start, stop);
    const raw = isStrict ? written.replace(LOOSE_NAME, (_, head, name) => `${head}${STRICT_NAMES[name]}(`) : written;
    const condition = language.name === "go" && /^(?:t|tb|b|s\.T\(\))\.(?:Err|Fat|Fail)/.test(raw);
    const args = argumentsOf(source, start, stop);
    const shown = condition ? `${conditionBefore(source, start, from)}${raw.split("(")[0]}` : withoutMessage(raw, args);
    const text = shown.replace(/\s+/g, "").replace(/,([)\]}])/g, "$1");
    return [
      {
        text,
        subject: condition ? subjectOf([shown.split("{")[0]?.slice(3) ?? ""]) : subjectOf(args),
        strength: strengthOf({
          text,
          args: args.map(compact),
          language,
          code: source.code.slice(start, stop),
          before: source.text.slice(Math.max(from, start - 4000), start),
        }),
        // A Go test fails if its condition holds: `got != want` asserts that they are equal.
        isNegated: condition
          ? !text.split("{")[0]?.includes("!")
          : NEGATION.test(text.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "")),
        guards: guardsAround({source, at: start, from, language}) - (condition ? 1 : 0),
        isDetached: isDetached(body, start - from, language.name),
        line: lineAt(source, start),
      },
    ];
  });
}

/** An assertion is a call with the calls chained to it, or Python's statement up to the end of its line. */
function assertionEnd(code: string, from: number, to: number): number {
  let at = from;
  const isStatement = /\bassert$/.test(code.slice(Math.max(0, from - 6), from)) && !/^\s*\(.*\)\s*[.;]?\s*$/.test(code);
  if (isStatement && /^[ \t]/.test(code.slice(from, from + 1))) return statementEnd(code, from, to);
  for (;;) {
    const next = /^\s*(?:\.\s*[\w$]+!?|\?\.\s*\w+|\??(?=[([{]))/.exec(code.slice(at, at + 200));
    if (next === null || at >= to) return at;
    const open = at + next[0].length;
    const char = code[open] ?? "";
    if (char === "(" || char === "[" || (char === "{" && at === from)) at = closingBracket(code, open) + 1;
    else if (next[0].trim() === "") return at;
    else at = open;
  }
}

function statementEnd(code: string, from: number, to: number): number {
  let depth = 0;
  for (let index = from; index < to; index += 1) {
    const char = code[index] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "\n" && depth <= 0 && code[index - 1] !== "\\") return index;
  }
  return to;
}

/** Go tests fail inside an `if`: its condition is the assertion. */
function conditionBefore({text, code}: MaskedSource, at: number, from: number): string {
  const before = code.slice(from, at);
  const open = before.lastIndexOf("{");
  const start = before.lastIndexOf("if ", open);
  if (open < 0 || start < 0 || open - start > 300 || /\}/.test(before.slice(open))) return "";
  return `${text.slice(from + start, from + open)}{`;
}

function argumentsOf({text, code}: MaskedSource, start: number, stop: number): string[] {
  const open = /[([{]/.exec(code.slice(start, stop));
  const isPythonStatement = /^assert[ \t]/.test(code.slice(start, stop));
  const from = isPythonStatement ? start + 6 : start + (open?.index ?? 0) + 1;
  const close = isPythonStatement ? stop : Math.min(stop, closingBracket(code, from - 1));
  const parts: string[] = [];
  let depth = 0;
  let last = from;
  for (let index = from; index < close; index += 1) {
    const char = code[index] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(last, index));
      last = index + 1;
    }
  }
  parts.push(text.slice(last, close));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const compact = (text: string): string => text.replace(/\s+/g, "");

/** An assertion's message does not affect its result. */
function withoutMessage(raw: string, args: readonly string[]): string {
  const head = raw.split(/[( ]/)[0] ?? "";
  const compared = /^(?:assert!?|\w+\.ok|\w*\.?assert(?:True|False)|debug_assert!)$/.test(head) ? 1 : 2;
  const messages = args.slice(compared).filter((argument) => /^f?["'`]/.test(argument));
  return messages.reduce((text, message) => text.replace(message, ""), raw).replace(/[,\s]+(?=\)?;?$)/, "");
}

const COMPARISON = /\s*(?:[=!]==?|<=?|>=?)\s*|\s+(?:is not|not in|is|in)\s+/;

/** The examined expression: the first argument that is not a literal, without the value that it is compared with. */
function subjectOf(args: readonly string[]): string {
  const candidates = args.filter((argument) => !/^(?:t|tb|b)$/.test(argument));
  const subject = candidates.slice(0, 2).find((argument) => !LITERAL.test(argument)) ?? candidates[0] ?? "";
  return compact((subject.split(COMPARISON)[0] || subject).replace(/^(?:!|not\s)\s*/, ""));
}

function strengthOf(options: {
  text: string;
  code: string;
  args: readonly string[];
  language: Language;
  before: string;
}): Strength {
  const {text, args, language} = options;
  if (isTautology(options)) return 0;
  if (comparesCallWithItself(text, args) || expectsOwnResult(text, options.before)) return 1;
  const head = language.name === "go" && text.startsWith("if") ? `${text.split("{")[0]}{` : text;
  const withoutStrings = head.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""');
  if (language.name !== "go" && ALTERNATIVES.test(args[0] ?? "")) return 1;
  if (language.name === "python" && /^assert\b/.test(text)) return pythonStrength(options.code);
  if (WEAK[language.name].test(withoutStrings)) return args.length > 0 && /===?/.test(args[0] ?? "") ? 3 : 1;
  return MEDIUM[language.name].test(withoutStrings.replaceAll("=>", "").replaceAll("->", "")) ? 2 : 3;
}

/** `assertEquals(sum(a), sum(a))`. */
const comparesCallWithItself = (text: string, [first, second]: readonly string[]): boolean =>
  first !== undefined && first === second && COMPARES.test(text.split("(")[0] ?? "");

const COMPARES = /equal|same|assert_eq|\.is\(|\.Equal\(/i;

/** `a === undefined || b`, outside of calls, strings and functions. */
const ALTERNATIVES = /^(?:[^"'`{}()|]|\([^()]*\))*\|\|/;

/** Python's statement needs its spaces to distinguish `in` and `is` from names. */
function pythonStrength(code: string): Strength {
  if (/^assert\s[^()[\]]*(?:\([^()]*\)[^()[\]]*)*\sor\s/.test(code)) return 1;
  if (/\bis not None\b|!=|\bnot in\b|\bisinstance\(/.test(code)) return 1;
  if (/==|\bis\b/.test(code)) return /\bapprox\(/.test(code) ? 2 : 3;
  return /\bin\b|[<>]|\.startswith\(|\.endswith\(|\ball\(|\bany\(/.test(code) ? 2 : 1;
}

function isTautology(options: {text: string; code: string; args: readonly string[]; language: Language}): boolean {
  const {text, args, language} = options;
  const [first = "", second] = args;
  if (/(?:\|\|true|\|\|1)\)|\bor (?:True|1)\b|\|\| true/.test(`${text}${options.code}`)) return true;
  if (language.name === "python" && /^assert\s*\(.*,.*\)$/s.test(options.code.trim()) && args.length === 1) return true;
  if (/(?:\.length|len\([\w.]*\)|\.len\(\)|\.size\(\)|\.count\(\))>=0/.test(text)) return true;
  if (/^if(?:false|0)\{/.test(text) || /^if(?:1==2|1!=1|true==false|true!=true|\w+:=false;)/.test(text)) return true;
  if (
    language.name === "go" &&
    /(?:\w*(?:Equal|Diff|Compare)\w*|errors\.Is)\(([\w.]+),\1\)|(?<![\w.])([\w.]+)(?:!=|==)\2(?![\w.([])/.test(text)
  )
    return true;
  const matcher = /^(?:await)?expect\(.*?\)(?:\.\w+)*$/s.test(text) && !/\.to\b|\.be\b|\.not\b|\.should/.test(text);
  if (language.name === "javascript" && matcher && !/\)\.\w+\(/.test(text)) return true;
  const expected = /^(?:await)?expect\((.*?)\)\.(?:to(?:Be|Equal|StrictEqual)|to\.(?:equal|be|eql))\((.*)\)$/.exec(
    text,
  );
  if (expected !== null) return isSame(expected[1] ?? "", expected[2] ?? "");
  if (
    language.name === "javascript" &&
    /^(?:await)?expect\((?:true|1)\)\.(?:toBeTruthy|toBeDefined|to\.be\.)/.test(text)
  )
    return true;
  const isComparison = COMPARES.test(text.split("(")[0] ?? "");
  if (isComparison && second !== undefined) return isSame(first, second);
  const comparison = /^(.+?)(?:===?)(.+)$/.exec(first);
  if (comparison !== null && !/[=!<>]$/.test(comparison[1] ?? ""))
    return isSame(comparison[1] ?? "", comparison[2] ?? "");
  const isTruth =
    /^(?:assert|self\.assertTrue|assertTrue|assert!|assert\.(?:ok|True)|require\.True|t\.(?:ok|true))(?![\w.])/.test(
      text.replace(/^assert(?=True$|1$|")/, "assert("),
    );
  return isTruth && /^(?:true|True|1|!false|notFalse|!0|"[^"]+"|'[^']+')$/.test(first);
}

/** A copy of a value: `[...a]`, `a.slice()`, `list(a)`. */
const copiedValue = (text: string): string =>
  /^(?:\[\.\.\.([\w.]+)\]|\{\.\.\.([\w.]+)\}|([\w.]+)\.(?:slice|copy|clone)\(\)|(?:list|dict|structuredClone)\(([\w.]+)\))$/
    .exec(text)
    ?.slice(1)
    .find(Boolean) ?? text;

/** Equal texts cannot differ, unless they call something. Two different literals do fail. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [copiedValue(given), copiedValue(wanted)];
  if (left !== right) return false;
  return LITERAL.test(left) || /^[\w.$[\]]+$/.test(left);
}

/** An assertion inside runs only under a condition, or after the test has ended. */
const GUARD = /\b(?:if|switch|catch|try|else|setTimeout|setImmediate|nextTick|queueMicrotask)\b[^{};]*$/;
/** Go has semicolons in such a head: `if value, ok := get(); ok {`. */
const GO_GUARD = /\b(?:if|switch|else)\b[^{}\n]*$/;
const DEFERRED_CALL = /\b(?:setTimeout|setImmediate|nextTick|queueMicrotask)\s*\(\s*(?:async\s*)?\(\s*\)\s*=>\s*$/;

function guardsAround({
  source,
  at,
  from,
  language,
}: {
  source: MaskedSource;
  at: number;
  from: number;
  language: Language;
}): number {
  const before = source.code.slice(from, at);
  if (language.name === "python") return pythonGuards(before);
  const guard = language.name === "go" ? GO_GUARD : GUARD;
  let guards = 0;
  const stack: boolean[] = [];
  let statementFrom = 0;
  for (let index = 0; index < before.length; index += 1) {
    const char = before[index];
    if (char === "{") {
      const isGuard = guard.test(before.slice(Math.max(statementFrom, index - 200), index));
      stack.push(isGuard);
      guards += isGuard ? 1 : 0;
      statementFrom = index + 1;
    } else if (char === "}") {
      guards -= stack.pop() ? 1 : 0;
      statementFrom = index + 1;
    } else if (char === ";" && language.name !== "go") statementFrom = index + 1;
  }
  return guards + (isGuardedWithoutBraces(before.slice(statementFrom)) ? 1 : 0);
}

/** `if (condition) assert(…)`, `condition && assert(…)`, `setTimeout(() => assert(…))`. */
function isGuardedWithoutBraces(statement: string): boolean {
  if (/&&\s*$|\|\|\s*$|\belse\s*$/.test(statement) || DEFERRED_CALL.test(statement)) return true;
  return [...statement.matchAll(/\bif\s*\(/g)].some(({0: start, index}) => {
    const close = closingBracket(statement, index + start.length - 1);
    return close < statement.length && statement.slice(close + 1).trim() === "";
  });
}

function pythonGuards(before: string): number {
  const lines = before.split("\n");
  let indent = (lines.at(-1) ?? "").search(/\S|$/);
  let guards = 0;
  for (const line of lines.slice(0, -1).toReversed()) {
    const lineIndent = line.search(/\S/);
    if (lineIndent < 0 || lineIndent >= indent) continue;
    indent = lineIndent;
    if (/^\s*(?:if|elif|else|try|except)\b/.test(line)) guards += 1;
  }
  return guards;
}
