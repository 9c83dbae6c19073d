/** Chooses the faults to plant into a repository, at places that its tests are likely to run. */
import {posix} from "node:path";
import type {Project} from "../../detect/files/project.ts";
import {groupBy} from "../../diagnostics/group-by.ts";
import {groupsOf} from "../../integrity/changed-tests/new-tests.ts";
import {isGenerated, isOtherTest, isSource, isTestData, isTestPath} from "../../integrity/source/kinds.ts";
import type {TriedPlant} from "../../record/gate-proof.ts";
import type {TestFacts} from "../../test-code/facts.ts";
import {readTests} from "../../test-code/read-source.ts";
import {nameSet} from "../../tools/names.ts";
import {faultsInText, isNoProduct} from "../sensitivity/choose-faults.ts";
import type {FaultKind} from "../sensitivity/mutations.ts";
import {syntaxOf, TESTED_LANGUAGES, type TestedLanguage} from "./tested-languages.ts";

/** One change to try. */
export interface Plant extends Pick<TriedPlant, "kind" | "languages" | "path" | "line" | "change"> {
  /** the new text of each changed file; null for a deleted one */
  readonly edits: ReadonlyMap<string, string | null>;
}

export interface TestsOfLanguage {
  readonly language: TestedLanguage;
  readonly tests: readonly string[];
  /** best first */
  readonly faults: readonly Plant[];
  /** breaks every test */
  readonly broken: Plant;
}

const MAX_SOURCES = 12;
const MAX_PLANTS = 24;
/** A longer line is data. */
const MAX_LINE = 1000;
/** The faults of a kind that more tests notice come first. */
const EASE: Readonly<Record<FaultKind, number>> = {
  ...{condition: 0, operator: 0, return: 1, constant: 2, statement: 2, boundary: 3, text: 6},
};
/** Such a fault may run forever. */
const LOOP = /\b(?:while|for|loop|until|do)\b|[-+]=|\+\+|--/;

/** `others` has the alternatives of each kind one after another, best first. */
export function choosePlants(project: Project): {languages: TestsOfLanguage[]; others: Plant[]} {
  const found = TESTED_LANGUAGES.map((language) => readLanguage(project, language)).filter(({tests}) => tests.size > 0);
  const most = found.toSorted((one, other) => other.tests.size - one.tests.size);
  const languages = found.map((files) => {
    const [pattern, replacement] = files.language.breaksTests;
    const breakTests = (text: string) =>
      text.search(pattern) >= 0 ? text.replace(pattern, replacement) : `${text}\n)(\n`;
    const edits = new Map([...files.tests].map(([path, text]) => [path, breakTests(text)]));
    const about = {languages: [files.language.title], path: [...files.tests.keys()][0] ?? "", line: null};
    const broken = {...about, kind: "broken-tests" as const, change: "every test", edits};
    return {language: files.language, tests: [...files.tests.keys()], faults: chooseFaultPlants(files), broken};
  });
  return {
    languages,
    others: [
      ...most.flatMap(skipTests).slice(0, 2),
      ...most.flatMap(deleteTests).slice(0, 2),
      ...inSources("lint-error", found),
      ...inSources("type-error", found),
    ],
  };
}

/** One change that adds the code to a source of each language. */
function inSources(kind: "lint-error" | "type-error", found: readonly LanguageFiles[]): Plant[] {
  const places = found.flatMap(({language, sources: [source]}) => {
    const code = kind === "lint-error" ? language.lintError : language.typeError;
    if (source === undefined || code === undefined) return [];
    return [{title: language.title, path: source[0], text: `${source[1].trimEnd()}\n\n${code}\n`}];
  });
  const paths = places.map(({path}) => path);
  const edits = new Map(places.map(({path, text}) => [path, text]));
  const about = {kind, languages: places.map(({title}) => title), line: null, change: paths.join(", "), edits};
  return paths[0] === undefined ? [] : [{...about, path: paths[0]}];
}

export interface Faultable {
  readonly language: TestedLanguage;
  /** the texts of sources, those that most tests name first */
  readonly sources: readonly (readonly [path: string, text: string])[];
  /** in how many files of tests each word is */
  readonly words: ReadonlyMap<string, number>;
}

interface LanguageFiles extends Faultable {
  /** the texts of files with tests */
  readonly tests: ReadonlyMap<string, string>;
}

function readLanguage(project: Project, language: TestedLanguage): LanguageFiles {
  const files = project.files.filter(
    (path) => language.endings.some((ending) => path.endsWith(ending)) && !isTestData(path) && !isGenerated(path),
  );
  const tests = new Map<string, string>();
  const words = new Map<string, number>();
  for (const path of files.filter((file) => mayHaveTests(file, language))) {
    const text = project.text(path);
    if (text === null || readTests(path, text).length === 0) continue;
    tests.set(path, text);
    const names = text.match(/\w+/g) ?? [];
    for (const word of new Set([...names, ...names.map(fold)])) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const namesakes = new Set([...tests.keys()].map(subjectOf));
  const score = (path: string): number =>
    Math.min(words.get(subjectOf(path)) ?? 0, 5) + (namesakes.has(subjectOf(path)) || tests.has(path) ? 5 : 0);
  const sources = files
    .filter((path) => isSource(path) && !isTestPath(path) && !isTestOfOthers(path) && !isNoProduct(path))
    .map((path) => ({path, score: score(path)}))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_SOURCES)
    .map(({path}) => [path, project.text(path) ?? ""] as const)
    // A text that is not UTF-8 cannot be written as it was.
    .filter(([, text]) => text !== "" && !text.includes("\uFFFD"));
  return {language, tests, sources, words};
}

/** A source of Rust may contain its tests. */
const mayHaveTests = (path: string, {isParsed}: TestedLanguage): boolean =>
  path.endsWith(".rs") || ((isParsed ? isTestPath(path) : isTestOfOthers(path)) && !isNoProduct(path));

/** The files whose grammars have to be loaded before the plants are chosen. */
export const filesWithTests = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.endsWith(".rs") || isTestPath(path) || isTestOfOthers(path));

/** Small projects in C have a `test.c`. */
const isTestOfOthers = (path: string): boolean => isOtherTest(path) || /(?:^|\/)tests?\.\w+$/.test(path);

const fold = (word: string): string => word.replaceAll(/[-_]/g, "").toLowerCase();

/** `calc` for `calc.ts`, `test_calc.py` and `calc/index.test.ts`. */
function subjectOf(path: string): string {
  const stem = posix.basename(path).replace(/\..*$/, "");
  const subject = stem.replace(/[_-](?:test|tests|spec)$|^test_|(?:Test|Tests)$/, "");
  return fold(
    ["index", "main", "lib", "mod", "__init__"].includes(subject) ? posix.basename(posix.dirname(path)) : subject,
  );
}

/** The best faults, one of each function, those in functions that tests name first. */
export function chooseFaultPlants({language, sources, words}: Faultable): Plant[] {
  const syntax = syntaxOf(language);
  const places = sources.flatMap(([path, after], rank) => {
    const lines = after.split("\n");
    return (syntax === null ? [] : faultsInText({path, before: null, after, language: syntax}))
      .flat()
      .filter(({kind}) => language.isParsed || ["operator", "constant", "boundary"].includes(kind))
      .filter(({line}) => !LOOP.test(lines[line - 1] ?? ""))
      .map((fault) => {
        const name = functionAround(lines, fault.line);
        const weight = EASE[fault.kind] + (name !== null && words.has(name) ? 0 : 5) + rank / 2;
        return {fault, lines, weight, function: `${path} ${name}`};
      });
  });
  const best = places.toSorted((one, other) => one.weight - other.weight);
  return [...groupBy(best, (one) => one.function).values()]
    .flatMap(([one]) => one ?? [])
    .slice(0, MAX_PLANTS)
    .map(({fault: {path, line, from, to, newLine}, lines}) => ({
      ...{kind: "fault", languages: [language.title], path, line, change: `\`${from}\` → \`${to || "nothing"}\``},
      edits: new Map([[path, lines.with(line - 1, newLine).join("\n")]]),
    }));
}

const NAMED_FUNCTION = /\b(?:function\*?|def|fn|func)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)/;
const ASSIGNED_FUNCTION = /\b(?:const|let)\s+(\w+)\s*=\s*(?:async\b|\(|\w+\s*=>|function\b)/;
/** A method, or a function of a language without a word for it. */
const BLOCK_WITH_ARGUMENTS = /^[\w\s<>[\],.*&:]*?\b(\w+)\s*\([^;]*\)[^;]*\{\s*$/;
const STATEMENTS = nameSet("if for while switch catch return");

function functionName(line: string): string | undefined {
  if (line.length > MAX_LINE) return undefined;
  const named = (NAMED_FUNCTION.exec(line) ?? ASSIGNED_FUNCTION.exec(line))?.[1];
  const [, block = ""] = named === undefined ? (BLOCK_WITH_ARGUMENTS.exec(line) ?? []) : [];
  return named ?? (block === "" || STATEMENTS.has(block) ? undefined : block);
}

/** The name of the nearest function above a line that is indented less; null if there is none. */
function functionAround(lines: readonly string[], number: number): string | null {
  const indentOf = (line: string) => line.search(/\S/);
  const indent = indentOf(lines[number - 1] ?? "");
  for (const line of lines.slice(0, number - 1).reverse()) {
    const name = indentOf(line) >= 0 && indentOf(line) < indent ? functionName(line) : undefined;
    if (name !== undefined) return name;
  }
  return null;
}

interface SingleTest extends Pick<TriedPlant, "path" | "line"> {
  readonly name: string;
  /** of the whole file */
  readonly text: string;
  readonly part: string;
}

/** One test of each file that runs, in the files that have most of them; whole files if tests cannot be found. */
function singleTests({language, tests}: LanguageFiles): SingleTest[] {
  if (!language.isParsed)
    return [...tests].map(([path, text]) => ({path, text, part: text, line: null, name: "the file"}));
  const files = [...tests].map(([path, text]) => ({path, text, all: readTests(path, text)}));
  return files
    .toSorted((one, other) => other.all.length - one.all.length)
    .flatMap(({path, text, all}) => {
      const test = all.find((one) => one.marks.size === 0 && one.assertions.length > 0 && hasNeighbor(one, all));
      if (test === undefined) return [];
      return [{path, text, part: test.headText + test.text, line: test.line, name: test.name}];
    });
}

/** Without it, its class would be empty. */
const hasNeighbor = (test: TestFacts, all: readonly TestFacts[]): boolean =>
  all.some((one) => one !== test && groupsOf(one).join() === groupsOf(test).join());

function skipTests(files: LanguageFiles): Plant[] {
  const {title, skips} = files.language;
  return singleTests(files).flatMap(({path, text, part, line, name}) => {
    const [pattern, replacement] = skips.find(([one, , needs]) => one.test(part) && needs?.test(text) !== false) ?? [];
    if (pattern === undefined || replacement === undefined) return [];
    const edits = new Map([[path, text.replace(part, () => part.replace(pattern, replacement))]]);
    return [{kind: "skipped-test", languages: [title], path, line, change: name, edits}];
  });
}

function deleteTests(files: LanguageFiles): Plant[] {
  return singleTests(files).map(({path, text, part, line, name}) => {
    const from = text.indexOf(part);
    // The last bracket is not a part of the test.
    const rest = text.slice(from + part.length).replace(/^[)}];?/, "");
    const edits = new Map([[path, part === text ? null : text.slice(0, from) + rest]]);
    return {kind: "deleted-test", languages: [files.language.title], path, line, change: name, edits};
  });
}
