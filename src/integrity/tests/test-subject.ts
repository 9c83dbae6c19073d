/** Detects whether the code that a removed test examines was removed by the same change. */
import type {InspectedChange} from "../source/inspected-change.ts";
import {isCodePath, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import type {LocatedTest} from "./compare-tests.ts";

const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|func(?:\s*\([^)]*\))?|fn|struct|trait|mod|static|record|macro_rules!)\s+(\w+)|^\s*(?:(?:public|private|protected|static|async|get|set|final|synchronized|default|abstract|override|readonly)\s+)*(?:[\w<>[\],.?]+\s+)?(\w+)\s*\([^()]*\)\s*(?::[^={]+)?\{|^\s*(\w+)\s*[:=](?!=)|\bexports\.(\w+)\s*=|\bprototype\.(\w+)\s*=|["'](\w+)["']\s*[:=,]/g;
/** Names too short or too common to identify a subject. */
const COMMON =
  /^(?:\w{1,2}|test|tests|name|value|values|data|result|expected|actual|input|output|self|this|true|false|none|null|err|error|args|type|item|items|key|file|path|text|body|index|length|size|line|node|list|config|options|value)$/i;

interface RemovedNames {
  readonly names: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** the words of names in the code, without the ending of the plural; empty if the code grew */
  readonly words: ReadonlySet<string>;
}

/** A test, or a line of one. */
interface SubjectUser {
  readonly file: LocatedTest["file"];
  readonly test: Pick<LocatedTest["test"], "name" | "source">;
}

const cache = new WeakMap<InspectedChange, RemovedNames>();

/** True if the test uses a name whose definition is gone, or belongs to a source file that is gone. */
export function hasRemovedSubject({file, test}: SubjectUser, change: InspectedChange): boolean {
  const removedDefinitions = removedNames(change);
  const testedFile = stemOf(file.basePath)
    .replace(/[._-]?(?:test|tests|spec|it)s?$|^test_?/i, "")
    .toLowerCase();
  if (testedFile !== "" && removedDefinitions.files.has(testedFile)) return true;
  const words = new Set([...(test.source.text.match(/[A-Za-z_]\w*/g) ?? []), ...importedFiles(file.before)]);
  return (
    [...words].some((word) => removedDefinitions.names.has(word) || removedDefinitions.files.has(word.toLowerCase())) ||
    isNamedAfterRemoved(test.name, removedDefinitions.words)
  );
}

/** `test_alias` for code that has no `alias` and no `aliases` any more, also not as a parameter or a key. */
function isNamedAfterRemoved(name: string, words: ReadonlySet<string>): boolean {
  const parts = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.some((part) => part.length > 3 && !COMMON.test(part) && words.has(stemOfWord(part)));
}

const stemOfWord = (word: string): string => word.toLowerCase().replace(/(?:es|s)+$/, "");

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
  const sources = change.files.filter(({path, basePath}) => isCodePath(path) && !isTestPath(basePath));
  for (const {before, after} of sources) {
    const lines = compareLines(before, after);
    for (const {text} of lines.removed) for (const name of definedNames(text)) names.add(name);
    for (const {text} of lines.added) for (const name of definedNames(text)) present.add(name);
  }
  const files = sources.flatMap(({status, basePath}) => (status === "deleted" ? [stemOf(basePath).toLowerCase()] : []));
  const words = removedWords(sources);
  const result = {words, names: new Set([...names].filter((name) => !present.has(name))), files: new Set(files)};
  cache.set(change, result);
  return result;
}

function removedWords(sources: InspectedChange["files"]): Set<string> {
  const textOf = (key: "before" | "after") => sources.map((file) => file[key] ?? "").join("\n");
  const [before, after] = [textOf("before"), textOf("after")];
  if (after.length >= before.length) return new Set();
  const wordsIn = (text: string, names: RegExp) =>
    (text.match(names) ?? []).flatMap((name) => name.split(/_|(?<=[a-z])(?=[A-Z])/)).map(stemOfWord);
  const kept = new Set(wordsIn(after, /[A-Za-z]\w*/g));
  // A call that is gone can be a loss: `escape(text)`.
  const code = before.replace(/^\s*(?:#|\/\/|\/?\*).*$/gm, "");
  const lost = wordsIn(code, /(?<![\w.])[A-Za-z]\w*\b(?!\s*\()/g);
  return new Set(lost.filter((word) => word.length > 3 && !kept.has(word)));
}

function definedNames(line: string): string[] {
  return [...line.matchAll(DEFINITION)]
    .flatMap((match) => match.slice(1).filter((name) => name !== undefined))
    .filter((name) => !COMMON.test(name));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}
