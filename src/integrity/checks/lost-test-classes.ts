/** Finds classes of Python with tests that no longer derive from a test case. A part of `removed-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";

const CLASS = /^class\s+(\w+)\s*(?:\(([^)]*)\))?\s*:((?:\n(?:[ \t].*)?)*)/gm;
const TEST_CASE = /TestCase$/;
/** Other runners collect such classes by their names. */
const COLLECTED = /^Test/;

interface PythonClass {
  readonly path: string;
  readonly bases: readonly string[];
  readonly hasTests: boolean;
}

type Classes = ReadonlyMap<string, PythonClass>;

/** A runner that collects test cases does not find tests in other classes. */
export function lostTestClasses({files}: InspectedChange): IntegrityFinding[] {
  const python = files.filter(({path, after}) => path.endsWith(".py") && isTestPath(path) && after !== null);
  const before = classesOf(python.map(({path, before: text}) => ({path, text})));
  const after = classesOf(python.map(({path, after: text}) => ({path, text})));
  const lost = [...before.keys()].find(
    (name) =>
      after.has(name) &&
      !COLLECTED.test(name) &&
      isTestCase(name, before) &&
      !isTestCase(name, after) &&
      // A class without tests can become a part of test cases.
      (after.get(name)?.hasTests === true || !isPartOfTestCase(name, after)),
  );
  const path = after.get(lost ?? "")?.path;
  if (lost === undefined || path === undefined) return [];
  const text = python.find((file) => file.path === path)?.after ?? "";
  const line = text.split("\n").findIndex((one) => one.startsWith(`class ${lost}`)) + 1;
  const message = `\`${lost}\` does not derive from a test case any more, so its tests are not collected`;
  return [{check: "removed-tests", level: "flag", path, line, message, fix: "Derive it from a test case."}];
}

function classesOf(files: readonly {readonly path: string; readonly text: string | null}[]): Classes {
  const classes = files.flatMap(({path, text}) =>
    [...(text ?? "").matchAll(CLASS)].map(([, name = "", list = "", body = ""]) => {
      const bases = list.split(",").map((base) => base.trim());
      const hasTests = /^\s+(?:async\s+)?def\s+test/m.test(body);
      return [name, {path, hasTests, bases: bases.filter((base) => base !== "" && !base.includes("="))}] as const;
    }),
  );
  return new Map(classes);
}

/** A class from another file may be one. */
function isTestCase(name: string, classes: Classes, depth = 0): boolean {
  const one = classes.get(name.split(".").at(-1) ?? name);
  if (one === undefined) return TEST_CASE.test(name) || !/^object$|Mixin$/.test(name);
  return depth < 10 && one.bases.some((base) => isTestCase(base, classes, depth + 1));
}

const isPartOfTestCase = (name: string, classes: Classes): boolean =>
  [...classes.values()].some(({bases}) => bases.includes(name) && bases.some((base) => TEST_CASE.test(base)));
