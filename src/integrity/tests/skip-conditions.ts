/** Decides whether the conditions that skip a test leave it running where the checks run: on Linux, with current tools. */
import {closingBracket, type MaskedSource} from "../source/mask.ts";

/** What these give on Linux. A condition on anything else is unknown. */
const VALUES: Readonly<Record<string, string>> = {
  "sys.platform": "linux",
  "os.name": "posix",
  "platform.system()": "Linux",
  "platform.python_implementation()": "CPython",
  "sys.implementation.name": "cpython",
  "process.platform": "linux",
  "os.platform()": "linux",
  "Deno.build.os": "linux",
  "runtime.GOOS": "linux",
  'System.getProperty("os.name")': "Linux",
  target_os: "linux",
  target_family: "unix",
  panic: "unwind",
};
const NAMES: Readonly<Record<string, boolean>> = {
  "testing.Short()": false,
  'hasattr(sys, "pypy_version_info")': false,
  "SystemUtils.IS_OS_WINDOWS": false,
  "SystemUtils.IS_OS_MAC": false,
  "SystemUtils.IS_OS_LINUX": true,
};
/** Names of Rust's conditions (doc.rust-lang.org/reference/conditional-compilation.html). */
const CFG_NAMES: Readonly<Record<string, boolean>> = {
  windows: false,
  unix: true,
  miri: false,
  test: true,
  'target_arch="wasm32"': false,
  'target_env="msvc"': false,
};
/** The oldest versions that are still maintained, at least. */
const [OLD_PYTHON, OLD_JAVA] = [10, 17];
const MAX_LENGTH = 400;

/** A call, decorator, annotation or attribute: the test runs if its condition is true, or is skipped then. */
const CALL =
  /(?<![\w$])(skip[iI]f|skipUnless|todoIf|runIf|(?<=\.)if|assume(?:True|False)|cfg(?:_attr)?|(?:Dis|En)abledOnOs|EnabledForJreRange)\s*\(/g;
const RUNS_IF = /^(?:skipUnless|runIf|if|assumeTrue|cfg|Enabled\w+)$/;
/** Where a condition is read; `isName` while a name is looked up. */
type ConditionPlace = "cfg" | {readonly source: MaskedSource; readonly isName?: boolean};
/** Other ways to skip a test, whose conditions are not read. */
const OTHER_MARKS =
  /@[\w.]*(?:Dis|En)abled(?!OnOs\b|ForJreRange\b)\w*|\bassum(?!eTrue\b|eFalse\b)\w+\s*\(|\babort\s*\(|#\[\s*ignore_\w+/;
const REASON = /^(?:reason|disabledReason)\s*=/;
/** A conditional expression or a comma binds weaker than `and` and `or`. */
const BINDS_WEAKER = /[?:,;]|=>|\b(?:if|else|lambda|yield)\b/;

/** An option of a test, as in `{skip: isWindows}`. */
const OPTION = /(?<![\w$.])(?:skip|todo|ignore)\s*:\s*/g;

interface TestConditions {
  /** the marks of the test */
  readonly text: string;
  /** the conditions around its calls that skip, null for one that has none */
  readonly heads: readonly (string | null)[];
  /** the file, which may define the names of conditions */
  readonly source: MaskedSource;
}

/** True if every condition is known, and leaves the test running here. */
export function runsHere({text, heads, source}: TestConditions): boolean {
  const blank = withoutStrings(text);
  if (OTHER_MARKS.test(blank)) return false;
  const marks = [...blank.matchAll(CALL)].flatMap((match) => {
    const [call, name = ""] = match;
    const open = match.index + call.length - 1;
    const to = closingBracket(blank, open);
    if (to - open > MAX_LENGTH * 4) return [false];
    const values = splitAt(text.slice(open + 1, to), /,/g);
    if (name === "cfg_attr" && !values.slice(1).some((value) => /^ignore\b/.test(value))) return [];
    const value = /OnOs|Jre/.test(name) ? annotationValue(name, values) : conditionValue(name, values, source);
    return [value === RUNS_IF.test(name) && value !== null];
  });
  const options = [...blank.matchAll(OPTION)].map((match) => {
    const from = match.index + match[0].length;
    const [end] = splitAt(blank.slice(from), /[,}]/g);
    // With a reason as the value: `isWindows && "…"`, `isWindows ? "…" : false`.
    const value = text.slice(from, from + (end ?? "").length).replace(/\s*\?[^?]+:\s*(?:false|undefined)$/, "");
    return !/(?<![\w$.])if\s*\(|&&\s*[\w.]+\s*\(/.test(blank) && valueHere(value, {source}) === false;
  });
  const calls = heads.map((head) => head !== null && valueHere(head, {source}) === false);
  const all = [...marks, ...options, ...calls];
  return all.length > 0 && all.every(Boolean);
}

function conditionValue(name: string, values: readonly string[], source: MaskedSource): boolean | null {
  const conditions = values.filter((value) => !REASON.test(value));
  // pytest takes several conditions, of which one is enough; a string is evaluated.
  if (name === "skipif") return anyOf(conditions.map((value) => valueHere(value, {source})));
  // JUnit 4 takes the message first.
  const [first = ""] = name.startsWith("assume") ? conditions.filter((value) => !value.startsWith('"')) : conditions;
  return valueHere(first, name.startsWith("cfg") ? "cfg" : {source});
}

function annotationValue(name: string, values: readonly string[]): boolean | null {
  const text = values.filter((value) => !REASON.test(value)).join(",");
  if (name.endsWith("Range")) {
    const version = /^min\s*=\s*(?:JRE\.)?JAVA_(\d+)$/.exec(text)?.[1];
    return version !== undefined && Number(version) <= OLD_JAVA ? true : null;
  }
  const systems = text.replace(/^value\s*=|[{}[\]\s]|OS\./g, "").split(",");
  if (!systems.every((one) => /^[A-Z]+$/.test(one))) return null;
  return systems.includes("LINUX");
}

/** The value of a condition on Linux; null if it is unknown. The names of a cfg are not defined in the file. */
function valueHere(condition: string, place: ConditionPlace): boolean | null {
  const isCfg = place === "cfg";
  const text = condition.trim();
  if (text.length > MAX_LENGTH || BINDS_WEAKER.test(outlineOf(text))) return null;
  for (const [separator, decide] of [
    [/\bor\b|\|\|/g, anyOf],
    [/\band\b|&&/g, allOf],
  ] as const) {
    const parts = splitAt(text, separator);
    if (parts.length > 1) return decide(parts.map((part) => valueHere(part, place)));
  }
  const [, negation, rest = ""] = /^(not\b|!(?!=))(.*)$/s.exec(text) ?? [];
  // `!a === b` compares the negated value.
  if (negation !== undefined)
    return negation === "!" && /^[^(]*[=<>]/.test(rest) ? null : negated(valueHere(rest, place));
  const [, name, inside] = /^(any|all)?\s*\((.*)\)$/s.exec(text) ?? [];
  if (inside === undefined || closingBracket(withoutStrings(text), text.indexOf("(")) !== text.length - 1)
    return atom(text, place);
  if (name === undefined) return valueHere(inside, place);
  const values = splitAt(inside, /,/g).map((part) => valueHere(part, place));
  return isCfg ? (name === "any" ? anyOf : allOf)(values) : null;
}

function atom(text: string, place: ConditionPlace): boolean | null {
  const isCfg = place === "cfg";
  const plain = text.replace(/\s*([=!]=*)\s*/g, "$1");
  const known = isCfg ? CFG_NAMES[plain] : (NAMES[plain.replaceAll("'", '"')] ?? listedValue(text));
  if (known !== undefined) return known;
  if (place !== "cfg" && !place.isName && /^[A-Za-z_]\w*$/.test(text)) return definedValue(text, place.source);
  const [, minor] = /^sys\.version_info(?:\[:2\])?\s*<\s*\(\s*3\s*(?:,\s*(\d+)\s*)?,?\s*\)$/.exec(text) ?? [];
  if (minor !== undefined) return Number(minor) <= OLD_PYTHON ? false : null;
  const parts =
    /^([\w.]+(?:\((?:"os\.name")?\))?)(\.(?:toLowerCase|lower)\(\))?(={1,3}|!==?|\.(?:starts[wW]ith|contains|includes|equals)\()(["'])([\w ]+)\4\)?$/;
  const [, subject = "", lower, operator = "", , expected = ""] = parts.exec(plain) ?? [];
  if (!Object.hasOwn(VALUES, subject) || (operator === "=") !== isCfg) return null;
  const value = lower === undefined ? (VALUES[subject] ?? "") : (VALUES[subject] ?? "").toLowerCase();
  if (/starts/.test(operator)) return value.startsWith(expected);
  if (/contains|includes/.test(operator)) return value.includes(expected);
  return (value === expected) !== operator.startsWith("!");
}

/** `sys.platform in ("win32", "cygwin")`. A value in brackets without a comma is only a text, of which a part counts. */
function listedValue(text: string): boolean | undefined {
  const lists =
    /^([\w.]+(?:\(\))?)\s+(not\s+)?in\s*(\([^()]*,[^()]*\)|\[[^[\]]*\]|\{[^{}]*\})$|^(\[[^[\]]*\])\.includes\(([\w.]+(?:\(\))?)\)$/;
  const [, name, negation, list, jsList, jsName] = lists.exec(text) ?? [];
  const subject = name ?? jsName ?? "";
  const items = (list ?? jsList ?? "").slice(1, -1).replace(/,\s*$/, "").split(",");
  const texts = items.map((item) => /^\s*(["'])([\w ]+)\1\s*$/.exec(item)?.[2]);
  if (!Object.hasOwn(VALUES, subject) || texts.includes(undefined)) return undefined;
  return texts.includes(VALUES[subject]) !== (negation !== undefined);
}

/** The value of a name that the file defines once, such as `IS_WINDOWS = sys.platform == "win32"`. */
function definedValue(name: string, source: MaskedSource): boolean | null {
  const definition = new RegExp(String.raw`(?<![\w$.])${name}\s*(?::[^=\n]{1,40})?(?::=|=(?![=>]))\s*([^\n;]+)`, "gd");
  const [only, ...others] = [...source.code.matchAll(definition)];
  const [from, to] = only?.indices?.[1] ?? [0, 0];
  return others.length > 0 ? null : valueHere(source.text.slice(from, to), {source, isName: true});
}

const negated = (value: boolean | null): boolean | null => (value === null ? null : !value);
type TruthValues = readonly (boolean | null)[];
const anyOf = (values: TruthValues): boolean | null =>
  values.includes(true) ? true : values.length > 0 && values.every((one) => one === false) ? false : null;
const allOf = (values: TruthValues): boolean | null => negated(anyOf(values.map(negated)));

const withoutStrings = (text: string): string =>
  text.replace(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g, (one) => '"'.repeat(one.length));

/** The text with `_` for what is in brackets, and without its strings; as long as before. */
function outlineOf(text: string): string {
  let depth = 0;
  let outline = "";
  for (const char of withoutStrings(text)) {
    if (")]}".includes(char)) depth -= 1;
    outline += depth > 0 ? "_" : char;
    if ("([{".includes(char)) depth += 1;
  }
  return outline;
}

/** Only outside of strings and brackets. */
function splitAt(text: string, separator: RegExp): string[] {
  const places = [...outlineOf(text).matchAll(separator)];
  const starts = [0, ...places.map((match) => match.index + match[0].length)];
  return starts.map((start, index) => text.slice(start, places[index]?.index ?? text.length).trim());
}

/** The condition of the innermost `if` around the call at `index`; null without one. */
export function conditionAround({text, code}: MaskedSource, index: number, isPython: boolean): string | null {
  const lineFrom = code.lastIndexOf("\n", index - 1) + 1;
  const conditionIn = (from: number, to: number, pattern: RegExp): string | null => {
    const place = pattern.exec(code.slice(from, to))?.indices?.[1];
    return place === undefined ? null : text.slice(from + place[0], from + place[1]);
  };
  if (!isPython) {
    const sameLine = conditionIn(lineFrom, index, /\bif\s*(\([^{}]*\))\s*(?:return\s+)?$/d);
    const open = openBefore(code, index);
    return sameLine ?? conditionIn(code.lastIndexOf("\n", open) + 1, Math.max(0, open), /\bif\b([^;{}]+)$/d);
  }
  const before = code.slice(lineFrom, index);
  if (before.trim() !== "") return conditionIn(lineFrom, index, /^\s*if\b(.+):\s*$/d);
  let to = lineFrom - 1;
  for (let lines = 0; to > 0 && lines < 20; lines += 1) {
    const from = code.lastIndexOf("\n", to - 1) + 1;
    const line = code.slice(from, to);
    if (line.trim() !== "" && line.search(/\S/) < before.length)
      return conditionIn(from, to, /^\s*(?:el)?if\b(.+):\s*$/d);
    to = from - 1;
  }
  return null;
}

function openBefore(code: string, index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= Math.max(0, index - 2000); at -= 1) {
    if (code[at] === "}") depth += 1;
    else if (code[at] === "{") depth -= 1;
    if (depth < 0) return at;
  }
  return -1;
}
