/** Finds assertions whose module compares loosely now, and lost assertions about types. A part of `weakened-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {hasRemovedSubject} from "../tests/test-subject.ts";

const STRICT_ASSERT = /["'](?:node:)?assert\/strict["']|\bstrict\s+as\s+assert\b|["'](?:node:)?assert["']\)\.strict\b/;
const LOOSE_METHOD = /\bassert\.(?:equal|notEqual|deepEqual|notDeepEqual)\s*\(/;

/** The methods of `assert` compare with `==`, those of `assert/strict` with `===` (nodejs.org/api/assert.html). */
export function findLooseAssertions({path, before, after}: InspectedFile): IntegrityFinding[] {
  const wasStrict = before !== null && STRICT_ASSERT.test(before);
  if (!wasStrict || after === null || STRICT_ASSERT.test(after)) return [];
  const line = after.split("\n").findIndex((text) => /["'](?:node:)?assert["']/.test(text)) + 1;
  if (line === 0 || !LOOSE_METHOD.test(after)) return [];
  const message = "The assertions compare with `==` now, because `assert/strict` is gone";
  return [{check: "weakened-tests", level: "flag", path, line, message, fix: "Import `assert/strict` again."}];
}

/** Code that only a compiler runs. */
const TYPE_TESTS =
  /\.(?:test|spec)-d\.[cm]?tsx?$|(?:^|\/)(?:types?|typings?|type[-_]?tests?|test[-_]?types?|test-d|tsd|dtslint)\//;
const TYPE_PROBE =
  /@ts-(?:expect)-error\b|\$ExpectError\b|\bexpect(?:Type(?:Of)?|Error|(?:Not)?Assignable|NotType|Deprecated)\s*[<(]|\bassert(?:Type|_type)\s*[<(]/;

/** A file without tests whose lines must, or must not, compile. A probe in the product goes with its code. */
export function findLostProbes(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const {path, basePath, before, after} = file;
  if (before === null || after === null || !/\.(?:[cm]?tsx?|pyi?)$/.test(path)) return [];
  if (!TYPE_TESTS.test(basePath) && !isTestPath(basePath)) return [];
  const {added, removed} = compareLines(before, after);
  const probes = (lines: typeof added) => lines.filter(({text}) => TYPE_PROBE.test(text));
  const kept = new Set(added.map(({text}) => text.trim()));
  const lines = before.split("\n");
  // With the line that the comment is about.
  const lost = probes(removed).filter(({text}) => {
    const next = lines[lines.indexOf(text) + 1]?.trim() ?? "";
    return !/@ts-(?:expect)-error|\$ExpectError/.test(text) || !(kept.has(next) || after.includes(next));
  });
  const [first] = lost;
  if (first === undefined || lost.length <= probes(added).length) return [];
  const text = `${first.text}\n${lines[lines.indexOf(first.text) + 1] ?? ""}`;
  const name = (/\w+/.exec(text.replace(TYPE_PROBE, "")) ?? [""])[0];
  const test = {name, source: {text, code: text}};
  if (hasRemovedSubject({file, test}, {...change, files: change.files.filter((one) => one !== file)})) return [];
  const message = `The test of types loses \`${first.text.trim().slice(0, 60)}\``;
  return [
    {check: "weakened-tests", level: "flag", path, line: null, message, fix: "Restore the line and its comment."},
  ];
}
