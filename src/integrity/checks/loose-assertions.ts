/** Finds assertions whose module compares loosely now. A part of the check `weakened-tests`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile} from "../source/inspected-change.ts";

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
