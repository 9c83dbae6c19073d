/** Check: tests that replace the code that they are named after. */
import {posix} from "node:path";
import type {IntegrityFinding} from "../../record/finding.ts";
import {definedNames, importedNames} from "../../test-code/text/imported-names.ts";
import {MOCK_OBJECTS} from "../../tools/integrity-names.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isTestPath, testedName} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";

const MOCK_OBJECT = [...MOCK_OBJECTS, "mock"].join("|");
const MOCKS = new RegExp(
  [
    String.raw`\b(?:${MOCK_OBJECT})\.(?:mock|doMock|unstable_mockModule|module)\(\s*["'\`]([^"'\`]+)["'\`]`,
    String.raw`\b(?:mock\.)?patch(?:\.object)?\(\s*["']?([\w.]+)["']?(?:\s*,\s*["'](\w+)["'])?`,
    String.raw`\bmonkeypatch\.setattr\(\s*["']?([\w.]+)["']?(?:\s*,\s*["'](\w+)["'])?`,
    String.raw`\b(?:${MOCK_OBJECT}|sinon)\.(?:spyOn|method|stub)\(\s*([\w.]+)\s*,\s*["'](\w+)["']`,
    String.raw`\b(?:Mockito\.)?(?:mock|spy)\(\s*(\w+)\.class`,
  ].join("|"),
);

export const mockedSubject: IntegrityCheck = {
  name: "mocked-subject",
  find(change) {
    return change.files
      .filter(({path, before, after}) => isTestPath(path) && before !== null && after !== null)
      .flatMap((file) => [...findMock(file), ...findReplacedMethod(file), ...findCopy(file)]);
  },
};

/** `store.get = …` in the tests of `store`, also with another name for the module or an instance. */
const METHOD = /(?<![\w.])(\w+)\.(?:prototype\.)?(\w+)\s*=(?!=)/;

function findReplacedMethod(file: InspectedFile): IntegrityFinding[] {
  const subject = testedName(file.path);
  const {added, removed} = compareLines(file.before, file.after);
  const text = file.after ?? "";
  const imported = importedNames(text, file.path);
  const place = added.find((line) => {
    const [, owner = "", method = ""] = METHOD.exec(line.text) ?? [];
    if (owner === "" || !text.includes(`.${method}(`)) return false;
    if (owner.toLowerCase() === subject) return true;
    const made = new RegExp(String.raw`\b${owner}\s*=\s*(?:await\s+)?(?:new\s+)?(\w+)\(`).exec(text)?.[1];
    return [made, imported.get(owner)].some((origin) => wordsOf(origin ?? "").at(-1) === subject);
  });
  if (place === undefined || removed.some(({text}) => METHOD.test(text))) return [];
  return [findingAt(file, place, `The test replaces a method of \`${subject}\`, which it is named after`)];
}

function findingAt(file: InspectedFile, place: ChangedLine, message: string): IntegrityFinding {
  const fix = "Test the real code; replace only what it depends on.";
  return {check: "mocked-subject", level: "flag", path: file.path, line: place.number, message, fix};
}

function findMock(file: InspectedFile): IntegrityFinding[] {
  const subject = testedName(file.path);
  const {added, removed} = compareLines(file.before, file.after);
  const imported = importedNames(file.after ?? "", file.path);
  const removedMocks = new Set(removed.map(({text}) => MOCKS.exec(text)?.[0]));
  const place = added.find(({text}) => {
    const match = MOCKS.exec(text);
    if (match === null || removedMocks.has(match[0]) || isPackage(match[1])) return false;
    const names = match.slice(1).filter((name) => name !== undefined);
    return names.some((name) => {
      // What the module only uses, such as `slug.open`, is no part of it.
      const origins = name.split(".").map((part) => imported.get(part) ?? "");
      return [name, ...origins].some((one) => wordsOf(one).at(-1) === subject);
    });
  });
  if (place === undefined) return [];
  return [
    findingAt(file, place, `The test replaces \`${subject}\`, which it is named after, so it tests the replacement`),
  ];
}

/** A helper of tests is not the code that they test. An import may leave out the extension. */
function isOfTests(module: string, importer: string): boolean {
  const path = posix.join(posix.dirname(importer), module);
  return /^\.\.?\//.test(module) && [path, `${path}${posix.extname(importer)}`].some(isTestPath);
}

/** The test defines a name that it imported before, so a change of the real code is not noticed any more. */
function findCopy({path, basePath, before, after}: InspectedFile): IntegrityFinding[] {
  if (before === null || after === null) return [];
  const imported = importedNames(after, path);
  const modules = new Set(imported.values());
  const previous = definedNames(before);
  const current = definedNames(after);
  const [copied] =
    [...importedNames(before, basePath)].find(
      ([name, module]) =>
        current.has(name) && !modules.has(module) && !previous.has(name) && !isOfTests(module, basePath),
    ) ?? [];
  if (copied === undefined) return [];
  const message = `The test defines \`${copied}\` itself instead of importing it, so it tests the copy`;
  const fix = "Import the real code.";
  return [{check: "mocked-subject", level: "flag", path, line: current.get(copied) ?? 1, message, fix}];
}

function isPackage(module: string | undefined): boolean {
  return module !== undefined && !/^[./@~#]/.test(module);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/\.[cm]?[jt]sx?$/, "")
    .split(/[./:]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}
