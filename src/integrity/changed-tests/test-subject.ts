/** Detects whether the code that a removed test examines was removed by the same change. */
import type {Node} from "web-tree-sitter";
import {stemOf} from "../../git/paths.ts";
import {findNodes, readTests} from "../../test-code/read-source.ts";
import type {NodeRule} from "../../test-code/walk-tree.ts";
import type {InspectedChange} from "../source/inspected-change.ts";
import {isCodePath, isSourceOnly, isTestPath} from "../source/kinds.ts";
import type {LocatedTest} from "./compare-tests.ts";

/** What has a name that tests can use. A variable in a function is a detail, whose name a test can have by chance. */
const DEFINITIONS: readonly NodeRule[] = [
  {
    on: [
      ...["function_declaration", "function_definition", "generator_function_declaration", "function_item"],
      ...["method_definition", "method_declaration", "method_signature", "class_declaration", "class_definition"],
      ...["interface_declaration", "type_alias_declaration", "enum_declaration", "struct_item", "trait_item"],
      ...["enum_item", "mod_item", "static_item", "const_item", "type_item", "macro_definition", "type_spec"],
      ...["const_spec", "var_spec", "record_declaration", "property_signature", "public_field_definition"],
      ...["variable_declarator", "enum_variant", "constructor_declaration", "field_declaration"],
    ],
    name: "name",
  },
  {on: "pair", name: "key"},
  {on: "keyed_element", name: "0"},
  {on: "shorthand_property_identifier", name: ""},
  {on: "assignment", name: "left"},
  {on: "assignment_expression", name: "left.property"},
];
const VARIABLES = new Set(["variable_declarator", "assignment", "var_spec", "const_spec"]);
const TEST_MODULE: readonly NodeRule[] = [{on: "mod_item", where: {attributes: /cfg\(test\)/}}];
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
  const sources = change.files.filter(
    ({path, basePath}) => isSourceOnly(path) || (isCodePath(path) && !isTestPath(basePath)),
  );
  const before = sources.flatMap((file) => definitionsIn(file.basePath, file.before));
  const after = sources.flatMap((file) => definitionsIn(file.path, file.after));
  const present = new Set(after.map(({name}) => name));
  const files = sources.flatMap(({status, basePath}) => (status === "deleted" ? [stemOf(basePath).toLowerCase()] : []));
  const lost = lostParameters(before, after, sources).map(wordsOf);
  const names = before.flatMap(({name}) => (present.has(name) || isCommon(name) ? [] : [name]));
  const result = {lost, names: new Set(names), files: new Set(files)};
  cache.set(change, result);
  return result;
}

interface NamedCode {
  readonly name: string;
  /** null if it has none */
  readonly parameters: readonly string[] | null;
}

/** Those of the product: Rust keeps its tests in the same file. */
function definitionsIn(path: string, text: string | null): NamedCode[] {
  const modules = path.endsWith(".rs") ? findNodes(path, text, TEST_MODULE) : [];
  const tests = readTests(path, text);
  return findNodes(path, text, DEFINITIONS).flatMap(({node, name, line, from}) => {
    const isOfTests =
      modules.some((one) => one.from <= from && from < one.to) ||
      tests.some((test) => test.line <= line && line <= test.lastLine);
    if (isOfTests || (VARIABLES.has(node.type) && isInFunction(node))) return [];
    const parameters = node.childForFieldName("parameters");
    const list = parameters?.namedChildren.flatMap((one) => /\w+/.exec(one?.text ?? "")?.[0] ?? []);
    return [{name, parameters: list ?? null}];
  });
}

function isInFunction(node: Node): boolean {
  let around = node.parent;
  while (around !== null && !/function|method|lambda|closure/.test(around.type)) around = around.parent;
  return around !== null;
}

/** Parameters that are gone without a new one, which could be the same under another name. */
function lostParameters(
  before: readonly NamedCode[],
  after: readonly NamedCode[],
  sources: InspectedChange["files"],
): string[] {
  const earlier = new Map(before.map(({name, parameters}) => [name, parameters ?? []]));
  const gone = after.flatMap(({name, parameters}) => {
    const old = earlier.get(name) ?? [];
    return parameters?.every((one) => old.includes(one)) ? old.filter((one) => !parameters.includes(one)) : [];
  });
  const present = new Set(sources.flatMap((file) => file.after?.match(/\w+/g) ?? []));
  return gone.filter((name) => name.length > 3 && !isCommon(name) && !present.has(name));
}
