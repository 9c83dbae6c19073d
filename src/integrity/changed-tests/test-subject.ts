/** Detects whether the code that a removed test examines was removed by the same change. */
import {readTests} from "../../test-code/read-source.ts";
import type {InspectedChange} from "../source/inspected-change.ts";
import {isCodePath, isSourceOnly, isTestPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import type {LocatedTest} from "./compare-tests.ts";

const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|func(?:\s*\([^)]*\))?|fn|struct|trait|mod|static|record|macro_rules!)\s+(\w+)|^\s*(?:(?:public|private|protected|static|async|get|set|final|synchronized|default|abstract|override|readonly)\s+)*(?:[\w<>[\],.?]+\s+)?(\w+)\s*\([^()]*\)\s*(?::[^={]+)?\{|^\s*(\w+)\s*[:=](?!=)|\bexports\.(\w+)\s*=|\bprototype\.(\w+)\s*=|["'](\w+)["']\s*[:=,]/g;
/** Names too short or too common to identify a subject. */
const COMMON = new Set(
  "test tests name value values data result expected actual input output self this true false none null err error args type item items key file path text body index length size line node list config options value".split(
    " ",
  ),
);
const isCommon = (name: string): boolean => name.length < 3 || COMMON.has(name.toLowerCase());

interface RemovedNames {
  readonly names: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** the words of each parameter that the code lost, without the ending of the plural */
  readonly lost: readonly (readonly string[])[];
}

/** A test, or a line of one. */
interface SubjectUser {
  readonly file: LocatedTest["file"];
  readonly test: Pick<LocatedTest["test"], "name" | "text">;
}

const cache = new WeakMap<InspectedChange, RemovedNames>();

/** True if the test uses a name whose definition is gone, or belongs to a source file that is gone. */
export function hasRemovedSubject({file, test}: SubjectUser, change: InspectedChange): boolean {
  const removedDefinitions = removedNames(change);
  const testedFile = stemOf(file.basePath)
    .replace(/[._-]?(?:test|tests|spec|it)s?$|^test_?/i, "")
    .toLowerCase();
  if (testedFile !== "" && removedDefinitions.files.has(testedFile)) return true;
  const words = new Set([...(test.text.match(/[A-Za-z_]\w*/g) ?? []), ...importedFiles(file.before)]);
  return (
    [...words].some((word) => removedDefinitions.names.has(word) || removedDefinitions.files.has(word.toLowerCase())) ||
    isNamedAfterRemoved(test.name, removedDefinitions.lost)
  );
}

/** The code has fewer lines, in a language whose definitions are not known: the tests may be those of code that is gone. */
export function isOfLessCode({basePath}: SubjectUser["file"], {files}: InspectedChange): boolean {
  const linesOf = (text: string | null) => text?.split("\n").length ?? 0;
  const sources = files.filter(({path}) => isSourceOnly(path));
  return (
    !isCodePath(basePath) && sources.reduce((sum, {before, after}) => sum + linesOf(after) - linesOf(before), 0) < 0
  );
}

/** `test_alias` for code that has lost `aliases`: the test may only pass a value for it. */
function isNamedAfterRemoved(name: string, lost: RemovedNames["lost"]): boolean {
  const parts = new Set(wordsOf(name));
  return lost.some((words) => words.every((word) => parts.has(word)));
}

const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase().replace(/(?:es|s)+$/, ""));

function importedFiles(text: string | null): string[] {
  return [...(text ?? "").matchAll(/(?:from|import|require\()\s*["'][./][^"']*?([\w-]+)(?:\.[cm]?[jt]sx?)?["']/g)].map(
    (match) => match[1] ?? "",
  );
}

function removedNames(change: InspectedChange): RemovedNames {
  const cached = cache.get(change);
  if (cached !== undefined) return cached;
  const names = new Set<string>();
  const present = new Set<string>();
  const sources = change.files.filter(
    ({path, basePath}) => isSourceOnly(path) || (isCodePath(path) && !isTestPath(basePath)),
  );
  for (const {path, basePath, before, after} of sources) {
    const earlier = withoutTests(basePath, before);
    const lines = compareLines(earlier, withoutTests(path, after));
    const earlierLines = ["", ...earlier.split("\n")];
    const removed = lines.removed.filter((line) => !isLocal(line, earlierLines));
    for (const {text} of removed) for (const name of definedNames(text)) names.add(name);
    for (const {text} of lines.added) for (const name of definedNames(text)) present.add(name);
  }
  const files = sources.flatMap(({status, basePath}) => (status === "deleted" ? [stemOf(basePath).toLowerCase()] : []));
  const lost = lostParameters(sources).map(wordsOf);
  const result = {lost, names: new Set([...names].filter((name) => !present.has(name))), files: new Set(files)};
  cache.set(change, result);
  return result;
}

/** Rust keeps the module of tests, with its helpers, at the end of a file (Clippy: `items_after_test_module`). */
const TEST_MODULE = /#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s[\s\S]*/;

/** The code of a source file that also contains tests: a deleted test is no deleted code of the product. */
function withoutTests(path: string, text: string | null): string {
  const code = readTests(path, text).reduce((rest, test) => rest.replace(test.text, ""), text ?? "");
  return code.replace(path.endsWith(".rs") ? TEST_MODULE : "", "");
}

const VARIABLE = /^\s*(?:(?:const|let|var|val)\s|[\w$, ]+:?=(?!=))/;
const FUNCTION = /\bfunction\b|=>|\b(?:def|fn|func|fun)\s|\)[^;]*[{:]\s*$/;

/** A variable in a function is a detail, whose name a test can have by chance. */
const isLocal = ({text, number}: ChangedLine, lines: readonly string[]): boolean =>
  VARIABLE.test(text) && headsAround(lines, number).some((head) => FUNCTION.test(head));

/** The lines before with less indentation: what the line is inside of. */
function headsAround(lines: readonly string[], at: number): string[] {
  const heads: string[] = [];
  let indent = (lines[at] ?? "").search(/\S|$/);
  for (let index = at - 1; index > 0 && indent > 0; index -= 1) {
    const text = lines[index] ?? "";
    const own = text.search(/\S/);
    if (own < 0 || own >= indent) continue;
    indent = own;
    heads.push(text);
  }
  return heads;
}

const SIGNATURE = /\b(?:def|class|func(?:tion\*?)?|fn|struct)\s+(?:\([^()]{0,200}\)\s*)?(\w+)[ \t]*(?:\(([^()]*)\))?/g;

/** Parameters that are gone without a new one, which could be the same under another name. */
function lostParameters(sources: InspectedChange["files"]): string[] {
  const signaturesIn = (key: "before" | "after") => {
    const text = sources.map((file) => file[key] ?? "").join("\n");
    return new Map([...text.matchAll(SIGNATURE)].map(([, name = "", list]) => [name, parametersIn(list)]));
  };
  const [before, after] = [signaturesIn("before"), signaturesIn("after")];
  const parameters = [...after].flatMap(([name, list]) => withoutNew(before.get(name) ?? [], list ?? [name]));
  const present = new Set(sources.flatMap((file) => file.after?.match(/\w+/g) ?? []));
  return parameters.filter((name) => name.length > 3 && !isCommon(name) && !present.has(name));
}

/** Null if a parameter has brackets. */
const parametersIn = (list: string | undefined): string[] | null =>
  list?.split(",").flatMap((one) => /\w+/.exec(one)?.[0] ?? []) ?? null;

function withoutNew(before: readonly string[], after: readonly string[]): string[] {
  const [earlier, current] = [new Set(before), new Set(after)];
  return after.every((one) => earlier.has(one)) ? before.filter((one) => !current.has(one)) : [];
}

function definedNames(line: string): string[] {
  return [...line.matchAll(DEFINITION)]
    .flatMap((match) => match.slice(1).filter((name) => name !== undefined))
    .filter((name) => !isCommon(name));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}
