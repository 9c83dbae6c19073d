/** Check: tests that replace the code that they are named after. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {definedNames, importedNames} from "../tests/imported-names.ts";

const MOCKS =
  /\b(?:jest|vi|mock)\.(?:mock|doMock|unstable_mockModule|module)\(\s*["'`]([^"'`]+)["'`]|\b(?:mock\.)?patch(?:\.object)?\(\s*["']?([\w.]+)["']?(?:\s*,\s*["'](\w+)["'])?|\bmonkeypatch\.setattr\(\s*["']?([\w.]+)["']?(?:\s*,\s*["'](\w+)["'])?|\b(?:jest|vi|mock|sinon)\.(?:spyOn|method|stub)\(\s*([\w.]+)\s*,\s*["'](\w+)["']|\b(?:Mockito\.)?(?:mock|spy)\(\s*(\w+)\.class/;

export const mockedSubject: IntegrityCheck = {
  name: "mocked-subject",
  find(change) {
    return change.files
      .filter(({path, before, after}) => isTestPath(path) && before !== null && after !== null)
      .flatMap((file) => [...findMock(file), ...findCopy(file)]);
  },
};

function findMock(file: InspectedFile): IntegrityFinding[] {
  const subject = subjectOf(file.path);
  const {added, removed} = compareLines(file.before, file.after);
  const known = new Set(removed.map(({text}) => MOCKS.exec(text)?.[0]));
  const place = added.find(({text}) => {
    const match = MOCKS.exec(text);
    if (match === null || known.has(match[0]) || isPackage(match[1])) return false;
    const names = match.slice(1).filter((name) => name !== undefined);
    return names.some(
      (name) => wordsOf(name).at(-1) === subject || (wordsOf(name).includes(subject) && match[1] === undefined),
    );
  });
  if (place === undefined) return [];
  const message = `The test replaces \`${subject}\`, which it is named after, so it tests the replacement`;
  const fix = "Test the real code; replace only what it depends on.";
  return [{check: "mocked-subject", level: "flag", path: file.path, line: place.number, message, fix}];
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
      ([name, module]) => current.has(name) && !modules.has(module) && !previous.has(name),
    ) ?? [];
  if (copied === undefined) return [];
  const message = `The test defines \`${copied}\` itself instead of importing it, so it tests the copy`;
  const fix = "Import the real code.";
  return [{check: "mocked-subject", level: "flag", path, line: current.get(copied) ?? 1, message, fix}];
}

function isPackage(module: string | undefined): boolean {
  return module !== undefined && !/^[./@~#]/.test(module);
}

/** The name of the tested module: `slug` for `tests/slug.test.ts`, `test_slug.py` and `SlugTest.java`. */
function subjectOf(path: string): string {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return stem.replace(/[._-]?(?:test|tests|spec)$|^test_|(?:Test|Tests|IT)$/i, "").toLowerCase();
}

function wordsOf(name: string): string[] {
  return name
    .replace(/\.[cm]?[jt]sx?$/, "")
    .split(/[./:]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}
