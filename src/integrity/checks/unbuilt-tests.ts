/** Finds tests that are still there, and that no run builds or extends any more. A part of the check `disabled-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {holdsInRust, isBuilt} from "../../test-code/build-conditions.ts";
import {readTests} from "../../test-code/read-source.ts";
import {compareTests} from "../changed-tests/compare-tests.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";

export function unbuiltTests(change: InspectedChange): IntegrityFinding[] {
  const named = [...(change.scripts ?? []), ...(change.plan?.stages ?? []).map(({command}) => command)].join("\n");
  const {kept} = compareTests(change);
  const pairs = new Map(kept.map((pair) => [`${pair.base.file.basePath}\0${pair.head.file.path}`, pair]));
  const moved = [...pairs.values()].find(
    ({base, head}) =>
      head.file.before === null &&
      isBuilt(base.file.basePath, base.file.before ?? "", named) &&
      !isBuilt(head.file.path, head.file.after ?? "", named),
  );
  const movedTests =
    moved === undefined
      ? []
      : [
          findingAt(
            moved.head.file,
            "No plain run builds these tests: they moved to a file with a condition",
            CONDITION,
          ),
        ];
  const others = change.files.flatMap((file) => {
    const {path, basePath, before, after} = file;
    if (file.status === "added" && isModuleAround(path, change))
      return [
        findingAt(
          file,
          "These tests are in a module of their own now, which the commands for the module around it leave out",
        ),
      ];
    if (before === null || after === null) return [];
    if (/\.(?:java|kt)$/.test(path)) return isTestPath(path) ? lostExtensions(file) : [];
    if (!/\.(?:go|rs)$/.test(path)) return [];
    const isLost =
      isBuilt(basePath, before, named) && !isBuilt(path, after, named) && readTests(basePath, before).length > 0;
    if (isLost) return [findingAt(file, "No plain run builds these tests: their condition does not hold", CONDITION)];
    return path.endsWith(".rs") ? lostModules(file, change, named) : [];
  });
  return [...movedTests, ...others];
}

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

const CONDITION = /^\/\/go:build|^\/\/\s*\+build|#!\[cfg/;

function findingAt({path, after}: InspectedFile, message: string, place?: RegExp): IntegrityFinding {
  const line = place === undefined ? 0 : (after ?? "").split("\n").findIndex((text) => place.test(text)) + 1;
  const fix = "Let the tests run as before, and correct the code or the tests.";
  return {check: "disabled-tests", level: "flag", path, line: line || null, message, fix};
}

const MODULE = /^(?:#\[.*\])?[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/;

/** Cargo reads a file of the sources only if a `mod` declares it. */
function lostModules(file: InspectedFile, {files}: InspectedChange, named: string): IntegrityFinding[] {
  const modules = (text: string) => {
    const found = new Map<string, {isTest: boolean; isBuilt: boolean}>();
    let conditions: string[] = [];
    for (const line of text.split("\n").map((one) => one.trim())) {
      const condition = /^#\[cfg\((.*?)\)\]/.exec(line)?.[1];
      if (condition !== undefined) conditions.push(condition);
      const name = MODULE.exec(line)?.[1];
      if (name !== undefined) {
        const isTest = /test/.test(name) || conditions.some((one) => /\btest\b/.test(one));
        found.set(name, {isTest, isBuilt: conditions.every((one) => holdsInRust(one, named))});
      }
      if (name !== undefined || !line.startsWith("#[")) conditions = [];
    }
    return found;
  };
  const heads = modules(file.after ?? "");
  const lost = [...modules(file.before ?? "")].find(([name, base]) => {
    const isMoved = files.some(
      ({status, basePath, after}) =>
        (["deleted", "renamed"].includes(status) && new RegExp(String.raw`(?:^|/)${name}(?:\.rs|/)`).test(basePath)) ||
        (after !== file.after && new RegExp(String.raw`\bmod\s+${name}\b`).test(after ?? "")),
    );
    const isInline = new RegExp(String.raw`\bmod\s+${name}\s*\{`).test(file.after ?? "");
    return base.isTest && base.isBuilt && heads.get(name)?.isBuilt !== true && !isMoved && !isInline;
  });
  return lost === undefined ? [] : [findingAt(file, `No plain run builds the module \`${lost[0]}\`, which has tests`)];
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
