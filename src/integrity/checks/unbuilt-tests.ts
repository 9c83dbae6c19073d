/** Finds tests that are still there, and that no run builds or extends any more. A part of the check `disabled-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {readTests} from "../../test-code/read-source.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";

export const unbuiltTests = (change: InspectedChange): IntegrityFinding[] =>
  change.files.flatMap((file) => {
    const {path, before, after} = file;
    if (file.status === "added" && isModuleAround(path, change))
      return [
        findingAt(
          file,
          "These tests are in a module of their own now, which the commands for the module around it leave out",
        ),
      ];
    return before !== null && after !== null && /\.(?:java|kt)$/.test(path) && isTestPath(path)
      ? lostExtensions(file)
      : [];
  });

/** A module in a folder. */
export const NESTED_MODULE = /^(.+\/)go\.mod$/;

/** `./...` ends where a folder has a `go.mod` of its own (go.dev/ref/mod, "Modules, packages, and versions"). */
function isModuleAround(path: string, {files, testPaths = []}: InspectedChange): boolean {
  const folder = NESTED_MODULE.exec(path)?.[1];
  const isNew = (test: string) => files.some((one) => one.path === test && one.status !== "modified");
  return (
    folder !== undefined &&
    testPaths.some((test) => test.startsWith(folder) && test.endsWith("_test.go") && !isNew(test))
  );
}

function findingAt({path}: InspectedFile, message: string): IntegrityFinding {
  const fix = "Let the tests run as before, and correct the code or the tests.";
  return {check: "disabled-tests", level: "flag", path, line: null, message, fix};
}

/** What JUnit runs around each test of a class. The last two run what they run without them. */
const EXTENSION =
  /@(?:ExtendWith|RunWith)\s*\(\s*(?:value\s*=\s*)?([^)]*)\)|@(?:RegisterExtension|Rule|ClassRule|JvmField)\b[^;{=]*?(\w+)\s*[;=:]/g;
const PLAIN =
  /^(?:JUnit4|JUnitPlatform|BlockJUnit4ClassRunner|Suite|Parameterized|Theories|Enclosed|Categories)(?:\.class|::class)?$/;

function lostExtensions(file: InspectedFile): IntegrityFinding[] {
  const [before, after] = [file.before ?? "", file.after ?? ""];
  const names = (text: string) =>
    [...text.matchAll(EXTENSION)].flatMap(([, classes, field]) =>
      field !== undefined
        ? [field]
        : (classes ?? "").split(/[{},\s]+/).filter((name) => name !== "" && !PLAIN.test(name)),
    );
  const [old, now] = [names(before), names(after)];
  const lost = old.find((name) => !now.includes(name));
  if (lost === undefined || now.length >= old.length || readTests(file.path, after).length === 0) return [];
  // A field that the tests used is gone with its uses, and the tests are compared with those of before.
  const uses = (text: string) =>
    text.match(new RegExp(String.raw`\b${lost.replace(/[^\w]/g, "\\$&")}\b`, "g"))?.length ?? 0;
  const isField = !/[.:]class$/.test(lost);
  if (isField && uses(before) > 1 && uses(after) === 0) return [];
  return [findingAt(file, `The tests run without \`${lost}\`, which ran around each of them`)];
}
