/** Reads all tests of a source file. */

import {partsOf} from "../../tools/all-integrity.ts";
import {type Language, type LanguageName, languageOf} from "../source/languages.ts";
import {closingBracket, lineAt, type MaskedSource, maskSource} from "../source/mask.ts";
import {SKIP_CALLS} from "./assertion-patterns.ts";
import {readAssertions} from "./assertions.ts";
import {findGoTests, findJavaTests, findRustTests} from "./braces.ts";
import {choiceAround} from "./chosen-calls.ts";
import {findHelpers} from "./helper-functions.ts";
import {findJavaScriptTests} from "./javascript.ts";
import {findPythonTests} from "./python.ts";
import {conditionAround, runsHere} from "./skip-conditions.ts";
import type {InspectedTest, TestMark, TestRange} from "./test-case.ts";
import {countBailOuts, countMismatchesLeftOut, countNarrowedLoops, countRows, loopHeads} from "./test-tables.ts";

const FINDERS = {
  javascript: findJavaScriptTests,
  python: findPythonTests,
  go: findGoTests,
  rust: findRustTests,
  java: findJavaTests,
} as const;

/** The tests of a file, in order; tests with equal names get a number. Empty for a file that cannot have tests. */
export function readTests(path: string, text: string | null): InspectedTest[] {
  const file = rangesIn(path, text);
  if (file === null) return [];
  const {source, language, ranges} = file;
  const counts = new Map<string, number>();
  return ranges.map((range) => {
    const count = (counts.get(range.id) ?? 0) + 1;
    counts.set(range.id, count);
    return inspectTest({source, range, language, id: count === 1 ? range.id : `${range.id} #${count}`});
  });
}

/** As `readTests`, but only where the tests are, which takes a fraction of the time. */
export function locateTests(path: string, text: string | null): readonly Pick<TestRange, "id" | "name">[] {
  return rangesIn(path, text)?.ranges ?? [];
}

interface FileTests {
  readonly source: MaskedSource;
  readonly language: Language;
  readonly ranges: readonly TestRange[];
}

/** Null for a file that cannot have tests. */
function rangesIn(path: string, text: string | null): FileTests | null {
  const language = languageOf(path);
  if (language === null || text === null) return null;
  if (language.name === "go" && !path.endsWith("_test.go")) return null;
  if (language.name === "rust" && !text.includes("#[")) return null;
  const source = maskSource(text, language);
  return {source, language, ranges: FINDERS[language.name](source)};
}

/** The functions of a test file that are not tests: what they assert counts for their callers. */
export function readHelpers(path: string, text: string | null): InspectedTest[] {
  const language = languageOf(path);
  if (language === null || text === null) return [];
  const source = maskSource(text, language);
  const tests = FINDERS[language.name](source);
  return findHelpers(source, language.name)
    .filter(({from, bodyTo}) => !tests.some((test) => test.from < bodyTo && from < test.bodyTo))
    .map((range) => inspectTest({source, range, language, id: range.id}));
}

/** What makes tests skip from outside of them: calls in hooks and helpers, groups under a condition, marked base classes. */
const OTHER_SKIPS: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  javascript: /\b(?:describe|it|test|suite|context)\s*\.\s*(?:skip|todo)\b(?!\s*[.(`])/g,
  python: new RegExp(
    String.raw`^(?:${partsOf("pythonFileSkip")})|^@(?:${partsOf("skipDecorator")})?skip\w*\b.*\n(?:@.*\n)*class\s+\w+.*\n(?:(?!\s+(?:async\s+)?def\s+test)(?:[ \t].*)?\n)*(?!\s+(?:async\s+)?def\s+test)`,
    "gm",
  ),
};

/** The calls of a test file that skip from a hook or a helper, with the line before each of them. */
export function skipsOutsideTests(
  path: string,
  text: string,
): {line: number; text: string; isSkippedElsewhere: boolean}[] {
  const language = languageOf(path);
  if (language === null || !/skip|todo|assum|abort/i.test(text)) return [];
  const source = maskSource(text, language);
  const tests = FINDERS[language.name](source);
  const isOutside = ({index}: {index: number}) => !tests.some(({from, bodyTo}) => from <= index && index < bodyTo);
  const isIndented = ({index}: {index: number}) =>
    language.name === "go" || /[\t ]/.test(source.code[source.code.lastIndexOf("\n", index) + 1] ?? "");
  const skipCalls = [...source.code.matchAll(SKIP_CALLS[language.name] ?? /(?!)/g)].filter(isIndented);
  const otherSkips = [...source.code.matchAll(OTHER_SKIPS[language.name] ?? /(?!)/g)];
  return [...skipCalls, ...otherSkips].filter(isOutside).map(({index}) => {
    const line = lineAt(source, index);
    const condition = choiceAround(source, index) ?? conditionAround(source, index, language.name === "python");
    return {
      line,
      isSkippedElsewhere: condition !== null && runsHere({text: "", heads: [condition], source}),
      text: text
        .split("\n")
        .slice(Math.max(0, line - 3), line)
        .join("\n"),
    };
  });
}

function inspectTest(options: {source: MaskedSource; range: TestRange; language: Language; id: string}): InspectedTest {
  const {source, range, language, id} = options;
  const {bodyFrom: from, bodyTo: to} = range;
  const body = source.code.slice(from, to);
  const assertions = readAssertions({source, from, to, language});
  const marks = new Set<TestMark>(range.marks);
  for (const mark of skipCalls(body, language)) marks.add(mark);
  const code = source.code.slice(range.from, to);
  const lastLine = assertions.at(-1)?.line ?? 0;
  const untilLast = lastLine === 0 ? "" : body.split("\n", lastLine - lineAt(source, from)).join("\n");
  const isTypeOnly = language.name === "python" && /^\s*(?:pass|\.\.\.|return|"\s*")?\s*$/.test(body);
  return {
    id,
    name: range.name,
    line: lineAt(source, range.from),
    source: {text: source.text.slice(range.from, to), code},
    headText: source.text.slice(range.headFrom ?? range.from, range.from),
    marks,
    isSkippedElsewhere: marks.has("conditional") && isSkippedElsewhere({source, range, language}),
    markText: `${range.markText} ${skipText(source.text.slice(from, to), body, language)}`,
    assertions,
    isEmpty: isTypeOnly || /^[\s;})]*$/.test(body),
    endsEarly: endsEarly(body, language) && assertionsAfterReturn({source, from, assertions, body, language}),
    rows: countRows(code, language) + countRows(range.headCode ?? "", language),
    narrowedLoops: countNarrowedLoops(code, language),
    // What a helper asserts, it does not assert for the values that are left out.
    bailOuts: lastLine === 0 ? countMismatchesLeftOut(body) : countBailOuts(untilLast),
    loopHeads: loopHeads(code),
  };
}

/** A skip at the top of the body always applies; one inside a block depends on its condition. */
function skipCalls(body: string, language: Language): TestMark[] {
  const pattern = SKIP_CALLS[language.name];
  if (pattern === null) return [];
  return [...body.matchAll(pattern)].map((match) => {
    const before = body.slice(0, match.index);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    if (language.name === "python") return indentOf(body) === line.search(/\S|$/) ? "skip" : "conditional";
    if (language.name === "java")
      return /^\s*\(\s*(?:false|true)\s*[,)]/.test(body.slice(match.index + match[0].length - 1))
        ? "skip"
        : "conditional";
    const depth = count(before, "{") - count(before, "}");
    return depth === 0 && !/\bif\b/.test(line) ? "skip" : "conditional";
  });
}

/** A longer call that skips has no plain condition. */
const MAX_CALL = 1000;
const MAX_CALLS = 20;

/** Java's calls that skip have their condition as an argument. */
function isSkippedElsewhere(options: {source: MaskedSource; range: TestRange; language: Language}): boolean {
  const {source, range, language} = options;
  const {bodyFrom: from, bodyTo: to} = range;
  const calls = [...source.code.slice(from, to).matchAll(SKIP_CALLS[language.name] ?? /(?!)/g)];
  if (calls.length > MAX_CALLS) return false;
  if (language.name === "java" && calls.length > 0) {
    const callText = ({index, 0: call}: RegExpExecArray) => {
      const end = closingBracket(source.code, from + index + call.length - 1) + 1;
      return source.text.slice(from + index, Math.min(end, from + index + MAX_CALL));
    };
    return runsHere({text: `${range.markText} ${calls.map(callText).join(" ")}`, heads: [], source});
  }
  const heads = calls.map(({index}) => conditionAround(source, from + index, language.name === "python"));
  return runsHere({text: range.markText, heads, source});
}

function skipText(text: string, body: string, language: Language): string {
  const pattern = SKIP_CALLS[language.name];
  const match = pattern === null ? null : [...body.matchAll(pattern)][0];
  return match === undefined || match === null ? "" : (text.slice(match.index).split("\n")[0] ?? "");
}

const RETURN = /^([ \t]*)return\b[ \t]*(?:;|$)|^([ \t]*)return\s+(?:true|True|None|undefined|null|nil)\s*;?[ \t]*$/gm;

function endsEarly(body: string, language: Language): boolean {
  return earlyReturn(body, language) !== null;
}

/** The position of a `return` that is not inside a block of the body. */
function earlyReturn(body: string, language: Language): number | null {
  for (const match of body.matchAll(RETURN)) {
    const before = body.slice(0, match.index);
    const isTop =
      language.name === "python"
        ? (match[1] ?? match[2] ?? "").length === indentOf(body)
        : count(before, "{") === count(before, "}") && !/(?:\bif\b[^{;]*\)|\belse)\s*$/.test(before);
    if (isTop) return match.index;
  }
  return null;
}

function assertionsAfterReturn(options: {
  source: MaskedSource;
  from: number;
  assertions: InspectedTest["assertions"];
  body: string;
  language: Language;
}): boolean {
  const at = earlyReturn(options.body, options.language);
  if (at === null) return false;
  const line = lineAt(options.source, options.from + at);
  return options.assertions.some((assertion) => assertion.line > line);
}

function indentOf(body: string): number {
  const first = body.split("\n").find((line, index) => index > 0 && line.trim() !== "");
  return (first ?? "").search(/\S|$/);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
