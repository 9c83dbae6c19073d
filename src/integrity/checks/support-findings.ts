/** Finds code around the tests that notices less than before. A part of the check `weakened-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCollectedByName} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {automaticFixtures, hookAssertions} from "../tests/hooks.ts";
import {readHelpers} from "../tests/read-tests.ts";
import {
  constantConditions,
  failuresIn,
  hollowFunction,
  isSupport,
  passesMore,
  readMatchers,
} from "../tests/support-code.ts";
import {returnedRows} from "../tests/test-tables.ts";

export function supportFindings({files}: InspectedChange): IntegrityFinding[] {
  const texts = files.map(({after}) => after ?? "").join("\n");
  return files
    .filter(isSupport)
    .flatMap((file) =>
      [
        ...weakenedMatchers(file),
        ...hollowCode(file),
        ...lostHooks(file, texts),
        ...changedHelpers(file),
        ...fewerFailures(file),
      ].slice(0, 1),
    );
}

function findingAt(file: InspectedFile, message: string, word = ""): IntegrityFinding {
  const line = word === "" ? 0 : (file.after ?? "").split("\n").findIndex((text) => text.includes(word)) + 1;
  const fix = "Restore what this code examined, because all tests that use it depend on it.";
  return {check: "weakened-tests", level: "flag", path: file.path, line: line || null, message, fix};
}

function weakenedMatchers(file: InspectedFile): IntegrityFinding[] {
  const heads = new Map(readMatchers(file.path, file.after ?? "").map((one) => [one.name, one]));
  const weak = readMatchers(file.basePath, file.before ?? "").find((base) => {
    const head = heads.get(base.name);
    return head !== undefined && head.text !== base.text && passesMore(base, head);
  });
  if (weak === undefined) return [];
  return [findingAt(file, `The matcher \`${weak.name}\` compares less than before`, weak.name)];
}

function hollowCode(file: InspectedFile): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  const name = hollowFunction(path, before ?? "", after ?? "");
  if (name !== undefined) return [findingAt(file, `\`${name}\` always gives the result that passes`, name)];
  const isNever = constantConditions(path, after ?? "") > constantConditions(basePath, before ?? "");
  return isNever ? [findingAt(file, "A condition of this code is constant now")] : [];
}

/** An assertion in a hook counts for each test. */
function lostHooks(file: InspectedFile, texts: string): IntegrityFinding[] {
  const [before, after] = [
    hookAssertions(file.basePath, file.before ?? ""),
    hookAssertions(file.path, file.after ?? ""),
  ];
  const automatic = automaticFixtures(file.after ?? "");
  const manual = automaticFixtures(file.before ?? "").find(
    (name) => !automatic.includes(name) && new RegExp(String.raw`\bdef\s+${name}\b`).test(file.after ?? ""),
  );
  if (manual !== undefined) return [findingAt(file, `\`${manual}\` does not run for all tests any more`, manual)];
  const compactTexts = texts.replace(/\s+/g, "");
  const lost = before.find((one) => !compactTexts.includes(one));
  if (lost === undefined || after.length >= before.length) return [];
  return [findingAt(file, `A hook does not assert \`${lost.slice(0, 60)}\` any more`)];
}

/** What a hook, a fixture or a helper does less than before. */
function changedHelpers(file: InspectedFile): IntegrityFinding[] {
  const bases = readHelpers(file.basePath, file.before ?? "");
  if (bases.length === 0) return [];
  const heads = new Map(readHelpers(file.path, file.after ?? "").map((one) => [one.name, one]));
  const asserting = bases.filter(({assertions, name}) => assertions.length > 0 && heads.has(name)).slice(0, MAX_NAMES);
  return bases.flatMap((base) => {
    const head = heads.get(base.name);
    if (head === undefined || head.source.code === base.source.code) return [];
    const [before, after] = [base.source.code, head.source.code];
    const made = /\b(?:return\s|yield\s|self\.\w+\s*=)\s*([A-Z]\w*)\(/.exec(before)?.[1];
    const isMock = made !== undefined && MOCK.test(after) && !MOCK.test(before) && !after.includes(`${made}(`);
    if (isMock) return [findingAt(file, `\`${base.name}\` gives the tests a stand-in for \`${made}\` now`, base.name)];
    const double = made === undefined || after.includes(`${made}(`) ? undefined : subclassMade(after, made, file);
    if (double !== undefined)
      return [findingAt(file, `\`${base.name}\` gives the tests a \`${double}\` in place of \`${made}\``, double)];
    const [rows, rowsNow] = [returnedRows(before), returnedRows(after)];
    if (rowsNow > 0 && rowsNow < rows)
      return [findingAt(file, `\`${base.name}\` gives the tests ${rowsNow} values, ${rows} before`, base.name)];
    const calls = (code: string, name: string) =>
      // A field may have the name of a helper: `stdout: stdout` can be written as `stdout`.
      code.split(new RegExp(String.raw`\b${name}\b(?!\s*:(?!:))`)).length;
    const lost = asserting.find(({name}) => name !== base.name && calls(before, name) > calls(after, name));
    if (lost === undefined || after.length > before.length) return [];
    return [findingAt(file, `\`${base.name}\` does not use \`${lost.name}\` any more, which asserts`, base.name)];
  });
}

/** A new class of this file that replaces parts of the product's class. */
function subclassMade(code: string, name: string, {before, after}: InspectedFile): string | undefined {
  const made = /\b(?:return\s|yield\s|self\.\w+\s*=)\s*(?:new\s+)?([A-Z]\w*)\(/.exec(code)?.[1];
  const isSubclass = new RegExp(String.raw`\bclass\s+${made}\b[^\n]*\b${name}\b`);
  return made !== undefined && isSubclass.test(after ?? "") && !isSubclass.test(before ?? "") ? made : undefined;
}

const MAX_NAMES = 50;
const MOCK = /\b(?:(?:Magic|Async|NonCallable)*Mock|create_autospec)\s*\(/;

/** A set-up file that throws, or a program that reports, in fewer places. Tests are compared by their assertions. */
function fewerFailures(file: InspectedFile): IntegrityFinding[] {
  const {added, removed} = compareLines(file.before, file.after);
  const isSmall = removed.length <= 5 && (added.length > 0 || removed.length === 1);
  if (!isSmall || isCollectedByName(file.path)) return [];
  const isFewer = failuresIn(file.path, file.after ?? "") < failuresIn(file.basePath, file.before ?? "");
  return isFewer ? [findingAt(file, "This code fails in fewer cases than before")] : [];
}
