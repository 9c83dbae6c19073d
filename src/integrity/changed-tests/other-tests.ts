/** Compares the lines of tests in languages that have no parser here. */

import {readTests} from "../../test-code/read-source.ts";
import {languageOf} from "../../test-code/text/languages.ts";
import {closingBracket, maskSource} from "../../test-code/text/mask.ts";
import {
  ACCEPTS_MOST,
  ASSERTS,
  FAILS_RUN,
  IMPORTS_TESTS,
  NO_CODE,
  SKIPS,
  STARTS_TEST,
  TRICKS,
} from "../../test-code/text/other-test-lines.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isTestData} from "../source/kinds.ts";
import {type ChangedLine, compareLines, shorten} from "../source/line-changes.ts";
import {isUnread} from "./compare-tests.ts";

const ENDINGS =
  /\.(?:rb|php|cs|fs|vb|c|cc|cpp|cxx|h|hpp|hh|mm?|exs?|dart|kts?|groovy|scala|swift|lua|jl|pl|pm|erl|hs|ml|nim|cr|zig|clj|rs)$/;
const NAMES = /(?:^|\/)[^/]*(?:[._-](?:test|spec)|(?:Test|Spec|Tests)|^test_[^/]*)\.\w+$/;
/** Headers with the macros of tests: `test.h`, `check_util.hpp`. */
const HEADERS = /(?:^|\/)[^/]*(?:test|check|assert|expect)[^/]*\.(?:h|hh|hpp)$/i;
const FOLDERS = /(?:^|\/)(?:tests?|specs?|t|unittests?|[\w.-]+[.-]Tests?)\//i;

export const isOtherTest = (path: string): boolean =>
  ENDINGS.test(path) &&
  (NAMES.test(path) || FOLDERS.test(path) || HEADERS.test(path)) &&
  !path.endsWith(".rs") &&
  !isGenerated(path) &&
  !isTestData(path);
/** Helpers of tests, whose readers find tests only. */
const isHelper = ({path, basePath, before}: InspectedFile): boolean =>
  path.endsWith(".rs") && FOLDERS.test(path) && readTests(basePath, before).length === 0;
const isCode = (path: string): boolean => ENDINGS.test(path) && !isOtherTest(path) && !isGenerated(path);

export interface LineFinding {
  readonly check: "disabled-tests" | "weakened-tests" | "removed-tests" | "runner-tricks";
  readonly file: InspectedFile;
  readonly line: number | null;
  readonly message: string;
}

interface LinesOfFile {
  readonly file: InspectedFile;
  readonly added: readonly ChangedLine[];
  readonly removed: readonly ChangedLine[];
}

export function findInLines(change: InspectedChange): LineFinding[] {
  const files = change.files
    .filter(
      (file) => isOtherTest(file.path) || isOtherTest(file.basePath) || isHelper(file) || isUnread(file) === "syntax",
    )
    .map((file) => ({file, ...shorten(compareLines(file.before, file.after))}));
  const existing = files.filter(({file}) => file.before !== null);
  const single = existing.flatMap((lines) => [
    ...findSkips(lines),
    ...findTricks(lines),
    ...findLostName(lines),
    ...findLooser(lines),
    ...findLostFailures(lines),
  ]);
  return [...single, ...(losesCode(change) ? [] : findLosses(files, existing))];
}

const count = (lines: readonly ChangedLine[], pattern: RegExp): number =>
  lines.filter(({text}) => !NO_CODE.test(text) && pattern.test(text)).length;

/** The first line of a kind, if the change adds more of them than it removes. */
function addedLine(lines: LinesOfFile, pattern: RegExp): ChangedLine | undefined {
  if (count(lines.added, pattern) <= count(lines.removed, pattern)) return undefined;
  return lines.added.find(({text}) => !NO_CODE.test(text) && pattern.test(text));
}

const hasNewTest = (lines: LinesOfFile): boolean => count(lines.added, STARTS_TEST) > count(lines.removed, STARTS_TEST);

function findSkips(lines: LinesOfFile): LineFinding[] {
  // A new test may come with its own doubles.
  const place = hasNewTest(lines) ? undefined : addedLine(lines, SKIPS);
  if (place === undefined) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` keeps tests from running, or replaces what they test`;
  return [{check: "disabled-tests", file: lines.file, line: place.number, message}];
}

function findTricks(lines: LinesOfFile): LineFinding[] {
  const place = addedLine(lines, TRICKS);
  if (place === undefined) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` hides failures of tests`;
  return [{check: "runner-tricks", file: lines.file, line: place.number, message}];
}

function findLostName({file}: LinesOfFile): LineFinding[] {
  if (file.status !== "renamed" || !NAMES.test(file.basePath) || NAMES.test(file.path)) return [];
  const isSame = file.path.split(".").at(-1) === file.basePath.split(".").at(-1);
  if (isSame && !/[._-](?:test|spec)\./.test(file.basePath)) return [];
  const message = "The new name of the file is not one of a test";
  return [{check: "removed-tests", file, line: null, message}];
}

function findLooser(lines: LinesOfFile): LineFinding[] {
  const place = count(lines.removed, ASSERTS) === 0 ? undefined : addedLine(lines, ACCEPTS_MOST);
  if (place === undefined || hasNewTest(lines)) return [];
  const message = `\`${place.text.trim().slice(0, 60)}\` accepts more values than the assertion before`;
  return [{check: "weakened-tests", file: lines.file, line: place.number, message}];
}

function findLostFailures({file, added, removed}: LinesOfFile): LineFinding[] {
  const result = added.find(({text}) => isLooserResult(text, removed));
  if (result !== undefined)
    return [
      {check: "weakened-tests", file, line: result.number, message: "The result accepts more failures than before"},
    ];
  const isExact = /\bif\s*\(.*[!=]=(?!=)/;
  const isRange = /\bif\s*\(.*(?<![-=<>])[<>]=?(?![<>])/;
  const looser = added.find(({text}) => isRange.test(text) && !isExact.test(text));
  if (looser !== undefined && count(removed, isExact) > count(added, isExact) && count(removed, isRange) === 0)
    return [
      {check: "weakened-tests", file, line: looser.number, message: "A comparison accepts more values than before"},
    ];
  const end = added.find(({text}) => /^\s*return\s+(?:0|EXIT_SUCCESS)\s*;/.test(text));
  if (end !== undefined && removed.length === 0 && !added.some(({text}) => /[{}]/.test(text)))
    return [{check: "weakened-tests", file, line: end.number, message: "The test program ends before its last test"}];
  if (earlyEnds(file.path, file.after) > earlyEnds(file.basePath, file.before))
    return [{check: "weakened-tests", file, line: null, message: "The test program ends before its last test"}];
  if (count(removed, FAILS_RUN) <= count(added, FAILS_RUN) || added.length === 0 || file.after === null) return [];
  if (count(added, ASSERTS) > count(removed, ASSERTS)) return [];
  return [{check: "weakened-tests", file, line: null, message: "The test program fails in fewer cases"}];
}

const C = /\.(?:c|cc|cpp|cxx|h|hh|hpp|mm?)$/;
const GO = languageOf("main.go");
/** As Go, without its raw strings. */
const C_TEXT = GO && {...GO, quotes: ['"', "'"], multiline: [], raw: []};

/** How often the main function ends with success; in other functions, and in other languages than C, 0 can mean anything. */
function earlyEnds(path: string, text: string | null): number {
  if (text === null || C_TEXT === null) return 0;
  const {code} = maskSource(text, C_TEXT);
  const {0: head = "", index = 0} = /\bmain\s*\([^()]*\)\s*\{/.exec(C.test(path) ? code : text) ?? {};
  const ends = /\bexit\s*\(\s*(?:0|EXIT_SUCCESS)\s*\)/g;
  if (head === "") return 0;
  if (!C.test(path)) return text.slice(index).match(ends)?.length ?? 0;
  const body = code.slice(index, closingBracket(code, index + head.length - 1));
  return [ends, /\breturn\s+(?:0|EXIT_SUCCESS)\s*;/g].reduce((sum, end) => sum + (body.match(end)?.length ?? 0), 0);
}

/** `return failures > 2` in place of `return failures != 0`: the program ends with success in more cases. */
function isLooserResult(text: string, removed: readonly ChangedLine[]): boolean {
  const [, end, value, comparison] = RESULT.exec(text) ?? [];
  if (end === undefined || comparison === undefined || FAILS_FOR_ANY.test(comparison)) return false;
  return removed.some((line) => {
    const [, oldEnd, oldValue, before] = RESULT.exec(line.text) ?? [];
    return oldEnd === end && oldValue === value && (before === undefined || FAILS_FOR_ANY.test(before));
  });
}

const FAILS_FOR_ANY = /^(?:!=\s*0|>\s*0|>=\s*1)$/;
const RESULT = /\b(return|exit)\b[\s(!]*(\w*(?:fail|err|status|bad|result|rc)\w*)\s*([!<>=]=?\s*\d+)?(?!.*\?)/i;

/** The code of the product got shorter: its tests may go too. */
function losesCode({files}: InspectedChange): boolean {
  const code = files.filter(({path, basePath}) => isCode(path) || isCode(basePath));
  const size = code.reduce((sum, {before, after}) => sum + (after ?? "").length - (before ?? "").length, 0);
  return size < 0 || code.some(({status}) => status === "deleted");
}

/** All files together assert less, or a file only loses lines. */
function findLosses(all: readonly LinesOfFile[], existing: readonly LinesOfFile[]): LineFinding[] {
  if (existing.some(({removed}) => removed.some(({text}) => IMPORTS_TESTS.test(text)))) return [];
  const finding = (file: InspectedFile, message: string): LineFinding[] => [
    {check: "weakened-tests", file, line: null, message},
  ];
  const growth = (pattern: RegExp) =>
    all.reduce((sum, {added, removed}) => sum + count(added, pattern) - count(removed, pattern), 0);
  for (const [pattern, what] of [
    [ASSERTS, "assertions"],
    [STARTS_TEST, "tests, or rows of their tables"],
  ] as const) {
    const place = existing.find(({added, removed}) => count(added, pattern) < count(removed, pattern));
    if (growth(pattern) < 0 && place !== undefined)
      return finding(place.file, `The change has fewer ${what}, and the code does not get shorter`);
  }
  const hasCode = (lines: readonly ChangedLine[]) => lines.some(({text}) => !NO_CODE.test(text));
  if (all.some(({added}) => hasCode(added))) return [];
  const shorter = existing.find(({removed, file}) => file.after !== null && hasCode(removed));
  if (shorter === undefined) return [];
  return finding(shorter.file, "The test only loses lines, and the code does not get shorter");
}
