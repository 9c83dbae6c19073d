/** The faults that can be injected into one line, by language. Works on code without comments and string contents. */

import type {LanguageName} from "../../test-code/text/languages.ts";
import {nameSet} from "../../tools/names.ts";

/**
 * The hardest to notice come first, because most lines get one fault: a test that notices a moved boundary usually
 * notices the negated condition too, but not the reverse.
 */
const FAULT_KINDS = ["boundary", "operator", "constant", "statement", "condition", "return", "text"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Replaces the characters from `from` to `to` of a line. */
export interface LineFault {
  readonly kind: FaultKind;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/**
 * Replaced only between blanks, as formatters write operators: without blanks, `<` opens a type and `*` is a pointer.
 */
const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="},
    ...{"&&": "||", "||": "&&", "??": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
    ...{"+=": "-=", "-=": "+=", "*=": "/=", "<<": ">>", ">>": "<<"},
  }),
);
const PYTHON_OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({and: "or", or: "and", is: "is not", in: "not in", "//": "*"}),
);
/** Maps, because `constructor` is a word of sources and a property of every object. */
const CONSTANTS: ReadonlyMap<string, string> = new Map(
  Object.entries({true: "false", false: "true", True: "False", False: "True"}),
);
/** The replacement of a returned value; null for languages whose types would often reject it. */
const EMPTY: Readonly<Record<LanguageName, string | null>> = {
  javascript: "undefined",
  python: "None",
  go: null,
  rust: null,
  java: "null",
};
const NO_STATEMENT: Readonly<Record<LanguageName, string>> = {
  javascript: ";",
  python: "pass",
  go: "",
  rust: "",
  java: ";",
};

/** Lines with faults that no test needs to notice: declarations, texts for people, and types. */
const DECLARATIONS = nameSet(
  "import package interface declare assert debug_assert debug_assert_eq debug_assert_ne global nonlocal",
);
const DECLARATIONS_BEFORE_BLANK = nameSet("from use type mod");
const DECLARING = /^(?:export\s+(?:type|[*{])|#\[|@)/;
const FOR_PEOPLE = nameSet(
  "console logger logging debug tracing slog __version__ __all__ VERSION TYPE_CHECKING NotImplemented",
  "NotImplementedError stacklevel",
);
const SAYS = nameSet("print println eprintln printf warn panic unreachable unimplemented todo");

function isSkipped(code: string): boolean {
  const line = code.trimStart();
  const [, first = "", next = ""] = /^(?:pub\s+)?(\w+)(.?)/.exec(line) ?? [];
  if (DECLARING.test(line) || DECLARATIONS.has(first)) return true;
  if (DECLARATIONS_BEFORE_BLANK.has(first) && next.trim() === "") return true;
  return [...line.matchAll(/(\w+)(?=(!?\s*\()?)/g)].some(
    ([, word = "", call]) => FOR_PEOPLE.has(word) || (call !== undefined && SAYS.has(word)),
  );
}

const TOKEN = /[A-Za-z_$][\w$]*|\d[\w.]*|[<>=!&|+\-*/%^~?:]+|\S/g;

/** `code` is a line without comments and string contents. In the order of `FAULT_KINDS`. */
export function faultsIn(code: string, language: LanguageName): LineFault[] {
  if (isSkipped(code)) return [];
  const faults = [
    ...negations(code, language),
    ...tokenFaults(code, language),
    ...emptyReturns(code, language),
    ...droppedStatements(code, language),
  ];
  if (faults.length === 0) faults.push(...emptyTexts(code, language));
  return faults.toSorted((one, other) => FAULT_KINDS.indexOf(one.kind) - FAULT_KINDS.indexOf(other.kind));
}

function tokenFaults(code: string, language: LanguageName): LineFault[] {
  const isPython = language === "python";
  const isDeclaration =
    /^\s*(?:(?:pub|export|async|public|private|static|protected|final)\b.*)?\b(?:def|fn|func|function|class|struct|enum|impl|trait)\b/.test(
      code,
    );
  const faults: LineFault[] = [];
  const tokens = [...code.matchAll(TOKEN)];
  for (const [at, {0: token, index: from}] of tokens.entries()) {
    const to = from + token.length;
    const add = (kind: FaultKind, replacement: string) => faults.push({kind, from, to, replacement});
    const isApart = /^\s?$/.test(code[from - 1] ?? "") && /^\s?$/.test(code[to] ?? "");
    const previousToken = tokens[at - 1]?.[0] ?? "";
    const nextToken = tokens[at + 1]?.[0] ?? "";
    const isText = /["'`]/.test(previousToken.slice(-1) + nextToken.slice(0, 1));
    const operator = OPERATORS.get(token) ?? (isPython ? PYTHON_OPERATORS.get(token) : undefined);
    const constant = CONSTANTS.get(token);
    const isLoop = token === "in" && /^\s*(?:async\s+)?for\b|\bfor\b/.test(code.slice(0, from));
    const isTwoWords = (token === "is" && nextToken === "not") || (token === "in" && previousToken === "not");
    if (operator !== undefined && isApart && !isDeclaration && !isLoop && !isTwoWords) {
      // A long condition is divided before or after its operators.
      const isInCondition = ["&&", "||", "and", "or"].includes(token) && previousToken === "";
      if (!(isText && /^[+\-*/%]/.test(token)) && (isInCondition || /[\w)\]"'`]$/.test(previousToken)))
        add(["<", "<=", ">", ">="].includes(token) ? "boundary" : "operator", operator);
    } else if (constant !== undefined && !isDeclaration && previousToken !== ".") add("constant", constant);
    else if (/^\d{1,9}$/.test(token) && !isDeclaration && previousToken !== "." && !/^[A-Za-z_]/.test(nextToken))
      add("constant", token === "1" ? "2" : String(Number(token) + 1));
    else if (token === "!" && /^[\w(]/.test(code.slice(to)) && !/[\w)]$/.test(code.slice(0, from)))
      faults.push({kind: "condition", from, to, replacement: ""});
    else if (isPython && token === "not") faults.push({kind: "condition", from, to: to + 1, replacement: ""});
  }
  return faults;
}

const CONDITIONS: Readonly<
  Record<LanguageName, {readonly pattern: RegExp; readonly negated: (text: string) => string}>
> = {
  javascript: {
    pattern:
      /^(\s*(?:\}\s*else\s+)?(?:if|while)\s*\()(.+)(?=\)\s*\{?\s*(?:return\b.*|throw\b.*|continue;?|break;?)?$)/d,
    negated: (text) => `!(${text})`,
  },
  java: {pattern: /^(\s*(?:\}\s*else\s+)?(?:if|while)\s*\()(.+)(?=\)\s*\{?\s*$)/d, negated: (text) => `!(${text})`},
  python: {pattern: /^(\s*(?:if|elif|while)\s+)(.+)(?=:\s*$)/d, negated: (text) => `not (${text})`},
  go: {pattern: /^(\s*(?:\}\s*else\s+)?if\s+(?:[^;]*;\s*)?)([^;{]+)(?=\s\{\s*$)/d, negated: (text) => `!(${text})`},
  rust: {pattern: /^(\s*(?:\}\s*else\s+)?if\s+)((?!let\b)[^;{]+)(?=\s\{\s*$)/d, negated: (text) => `!(${text})`},
};

/** The whole condition, if it is on one line and has no comparison, which is a smaller fault. */
function negations(code: string, language: LanguageName): LineFault[] {
  const {pattern, negated} = CONDITIONS[language];
  const match = pattern.exec(code);
  const [, condition] = [match?.indices?.[1], match?.indices?.[2]];
  if (match === null || condition === undefined || !isBalanced(match[2] ?? "")) return [];
  const [from, to] = condition;
  // The caller puts the text of the line in place of `$`: strings are blank here.
  return [{kind: "condition", from, to, replacement: negated("$")}];
}

function emptyReturns(code: string, language: LanguageName): LineFault[] {
  const match = /^\s*return\s+(?<value>\S.*?)\s*;?\s*$/d.exec(code);
  const place = match?.indices?.groups?.["value"];
  const value = match?.groups?.["value"] ?? "";
  if (place === undefined || !isBalanced(value)) return [];
  const [from, to] = place;
  if (language === "go") return value === "err" ? [{kind: "return", from, to, replacement: "nil"}] : [];
  const empty = EMPTY[language];
  if (empty === null || /^(?:undefined|None|null|nil|true|false|True|False|-?\d+)$/.test(value)) return [];
  return [{kind: "return", from, to, replacement: empty}];
}

const CALL = /^\s*(?<statement>(?:(?:await|yield|raise|throw)\s+.*|[\w$.?[\]"':]+(?:::[\w]+)*\(.*\)\??);?)\s*$/d;
/** To something that exists already: without it, the code still compiles. */
const ASSIGNMENT =
  /^\s*(?<statement>\*?[\w$]+(?:\.[\w$]+|\[[^\]]*\])* (?:[-+*/%|&^]|\/\/|<<|>>|&&|\|\||\?\?)?= .*[\w)\]}"'`];?)\s*$/d;

/** A statement on one line that calls something, raises an error or changes a value. */
function droppedStatements(code: string, language: LanguageName): LineFault[] {
  const match = CALL.exec(code) ?? ASSIGNMENT.exec(code);
  const place = match?.indices?.groups?.["statement"];
  const statement = match?.groups?.["statement"] ?? "";
  if (place === undefined || !isBalanced(statement)) return [];
  if (/^(?:if|for|while|switch|match|return|super|catch|elif)\b/.test(statement)) return [];
  if ((language === "rust" || language === "java") && !statement.endsWith(";")) return [];
  // A field that is `final` needs a value, and in Python an assignment to a name may be its first.
  if (language === "java" && /^this\.\w+ = \w+;$/.test(statement)) return [];
  if (language === "python" && /^\w+ =/.test(statement)) return [];
  const [from, to] = place;
  return [{kind: "statement", from, to, replacement: NO_STATEMENT[language]}];
}

const TEXTS: Readonly<Record<"any" | "double", RegExp>> = {
  any: /(?<=(?:[=(,:[{?]|\breturn|\bcase) ?)(["']) {1,20}\1/g,
  double: /(?<=(?:[=(,:[{?]|\breturn|\bcase) ?)" {1,20}"/g,
};

/** A value that is a text, such as a key; not an import, a type, a documentation, or the text of an error. */
function emptyTexts(code: string, language: LanguageName): LineFault[] {
  if (/^\s*[\w$]+\??: .*;$|"""|'''|\brequire\(|\b(?:throw|raise|\w*Error\w*)\b/.test(code)) return [];
  const pattern = language === "python" || language === "javascript" ? TEXTS.any : TEXTS.double;
  return [...code.matchAll(pattern)].map(({0: text, index: from}) => {
    const quote = text.slice(0, 1);
    return {kind: "text", from, to: from + text.length, replacement: quote + quote};
  });
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char) && --depth < 0) return false;
  }
  return depth === 0;
}
