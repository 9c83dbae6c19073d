/** Finds what made a failed test of the base pass in the candidate, unless the test expects another value. */

import {callsNewHelper, compareTests, type LocatedTest} from "../../integrity/changed-tests/compare-tests.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isProductCode} from "../../integrity/source/kinds.ts";
import {compareLines} from "../../integrity/source/line-changes.ts";
import {missing} from "../../test-code/compare-facts.ts";
import type {Assertion} from "../../test-code/facts.ts";
import {readSource} from "../../test-code/read-source.ts";
import {importedNames} from "../../test-code/text/imported-names.ts";
import {nameSet} from "../../tools/names.ts";
import {isSamePath, sourceNames} from "./lost-tests.ts";

export interface OtherCause {
  readonly path: string;
  readonly line: number | null;
  /** completes “the change's own tests pass, with …” */
  readonly what: string;
}

interface ReplayedPair {
  readonly base: LocatedTest;
  readonly head: LocatedTest;
}

/**
 * Null if the test expects another value than before, or if only data differs: the requested behavior may need that.
 * `gate`: the changed configuration and helpers.
 */
export function findOtherCause(
  failed: {readonly file: string | null; readonly title: string},
  {change, gate}: {readonly change: InspectedChange; readonly gate: readonly InspectedFile[]},
): OtherCause | null {
  const pairs = keptPairs(failed, change);
  const [replaced] = pairs.flatMap(replacedAssertions);
  const [pair] = pairs;
  if (replaced !== undefined || pair === undefined || !pairs.every((one) => assertsTheSame(one, change)))
    return replaced ?? null;
  const {base, head} = pair;
  if (textOf(base) !== textOf(head))
    return {path: head.file.path, line: head.test.line, what: "other code around the assertions"};
  const inFile = changedAround(head.file);
  if (inFile !== null) return inFile;
  const helper = gate.find((file) => file !== head.file);
  return helper === undefined ? null : {path: helper.path, line: null, what: `another \`${helper.path}\``};
}

/** The tests of the base that a title can name, with their counterparts in the candidate. */
export function keptPairs(
  {file, title}: {readonly file: string | null; readonly title: string},
  change: InspectedChange,
): readonly ReplayedPair[] {
  const names = sourceNames(title);
  return compareTests(change).kept.filter(
    ({base}) => names.includes(base.test.name) && isSamePath(file, base.file.basePath),
  );
}

/** Whether another function is as strict is unknown, unless only the values differ. */
function replacedAssertions({base, head}: ReplayedPair): OtherCause[] {
  const asFunction = (one: Assertion) => ({...one, text: one.form, guards: 0, isDetached: false});
  const [before, after] = [base.test.assertions, head.test.assertions];
  const [gone, fresh] = [missing(before, after).map(asFunction), missing(after, before).map(asFunction)];
  if (missing(gone, fresh).length === 0) return [];
  const {path} = head.file;
  if (fresh.length === 0 && callsNewHelper(base, head))
    return [{path, line: head.test.line, what: "assertions in a function that they did not call before"}];
  return missing(fresh, gone).map(({line}) => ({path, line, what: "another kind of assertion"}));
}

const textOf = ({test}: LocatedTest): string => `${test.headText}${test.text}`;
const VALUES = /"[^"]*"|'[^']*'|`[^`]*`|(?<![\w.])-?\d[\w.]*/g;
const valuesOf = (one: LocatedTest): string => (textOf(one).match(VALUES) ?? []).toSorted().join();
const KEYWORDS = nameSet(
  "const let var val mut def func fun fn function if else for while try catch return async await new",
  "void int str string self this final",
);
const wordsOf = (text: string): Set<string> =>
  new Set((text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => !KEYWORDS.has(word)));

/** An edit that follows the code uses names from the changed code, or other values. */
function assertsTheSame({base, head}: ReplayedPair, change: InspectedChange): boolean {
  if (textOf(base) === textOf(head)) return true;
  if (missing(base.test.assertions, head.test.assertions).length > 0 || valuesOf(base) !== valuesOf(head)) return false;
  const earlierWords = wordsOf(textOf(base));
  const newWords = [...wordsOf(textOf(head))].filter((word) => !earlierWords.has(word));
  const code = change.files.filter(({path}) => isProductCode(path)).map(({after}) => after ?? "");
  const codeWords = wordsOf(code.join("\n"));
  return newWords.length > 0 && newWords.every((word) => !codeWords.has(word));
}

/** What differs in the file outside of its tests: an import of another module, a hook, a helper. */
function changedAround(file: InspectedFile): OtherCause | null {
  const {path, basePath, before, after} = file;
  if (before === null || after === null) return null;
  const lineOf = (part: string) => after.split("\n").findIndex((text) => text.includes(part)) + 1 || null;
  const imports = importedNames(before, basePath);
  const moved = [...importedNames(after, path)].find(
    ([name, module]) => (imports.get(name) ?? module) !== module && !path.endsWith(".java"),
  );
  if (moved !== undefined)
    return {path, line: lineOf(moved[1]), what: `\`${moved[0]}\`, which they import from \`${moved[1]}\` now`};
  const data = (text: string) => new Set(text.match(DATA_PATH));
  const [earlierData, currentData] = [data(before), data(after)];
  const other = [...currentData].find((one) => !earlierData.has(one));
  if (other !== undefined && [...earlierData].some((one) => !currentData.has(one)))
    return {path, line: lineOf(other), what: `data from ${other.replace(/^.|.$/g, "`")}`};
  const known = new Set([...readSource(basePath, before).units.map(({name}) => name), ...imports.keys()]);
  const {added, removed} = compareLines(
    outsideOfTests({path: basePath, text: before, known}),
    outsideOfTests({path, text: after, known}),
  );
  const changed = [...added, ...removed].find(({text}) => !IS_DATA.test(text) && CODE.test(text));
  return changed === undefined ? null : {path, line: lineOf(changed.text.trim()), what: "other code next to the tests"};
}

const DATA_PATH = /["'`][^"'`\n]*\.(?:json[5cl]?|ya?ml|csv|tsv|txt|xml|ndjson|golden|snap|out|expected)["'`]/g;

/** Imports, comments, decorators, brackets. */
const IS_DATA = /^\s*(?:@|import\b|from\b|use\b|(?:const|let|var)\b.*\brequire\(|\/\/|\/?\*|#(?!\[)|[^\w]*$)/;
/** Calls of functions and what defines them; a name with a capital letter makes a value. */
const CODE =
  /(?<!\bnew )\b(?:[a-z_]\w*|[A-Z]\w*\.[a-z]\w*)\s*\(|=>|\b(?:def|func|fn|function|class|return|if|else|for|while|await)\b/;

/** New helpers are for other tests, unless a runner calls them. */
const CALLED_BY_RUNNER = /^(?:set_?[uU]p|tear_?[dD]own|pytest_|TestMain|init$)/;

function outsideOfTests({
  path,
  text,
  known,
}: {
  readonly path: string;
  readonly text: string;
  readonly known: ReadonlySet<string>;
}): string {
  const {code, tests, units} = readSource(path, text);
  if (code === "") return text;
  const newHelpers = units.filter(({name}) => !known.has(name) && !CALLED_BY_RUNNER.test(name));
  const isAutomatic = (name: string) =>
    new RegExp(String.raw`\bautouse\b.*\n\s*(?:async\s+)?def\s+${name}\b`).test(text);
  const rest = [...tests, ...newHelpers.filter(({name}) => !isAutomatic(name))].reduce(
    (left, one) => left.replace(one.code, ""),
    code,
  );
  // Other values are data.
  return rest.replace(/(["'`])\s*\1/g, "$1$1").replace(/\b\d[\w.]*/g, "0");
}
