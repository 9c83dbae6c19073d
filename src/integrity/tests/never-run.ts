/** Tells whether the body of a test, or a part of it, cannot run. */
import {type LanguageName, languageOf} from "../source/languages.ts";
import type {InspectedTest} from "./test-case.ts";

/** A loop over nothing. */
const NO_VALUES = /\b(?:of|in|range)\s+(?:\[\s*\]|\(\s*\)|\[\]\w+\{\s*\}|new\s+\w+\(\s*\))\s*[:){]/;

const RULES: readonly (readonly [languages: readonly LanguageName[], pattern: RegExp, what: string])[] = [
  [["javascript", "python", "go", "rust", "java"], NO_VALUES, "loops over nothing"],
  // A runner only makes the generator, or the coroutine if nothing in the test needs one.
  [["python"], /^\s+(?:\w+\s*=\s*)?yield\b/m, "is a generator now, which is not run"],
  [
    ["python"],
    /^\s*async\s+def\b(?![\s\S]*\b(?:await|async\s+(?:for|with))\b)/,
    "is a coroutine now, and waits for nothing",
  ],
];

/** How the test became one that is not run; null if it is run as before. */
export function becameUnreachable(path: string, before: InspectedTest, after: InspectedTest): string | null {
  const name = languageOf(path)?.name;
  if (name === undefined) return null;
  if (name === "python" && awaitsNothing(before.source.code, after.source.code))
    return "makes a coroutine and does not wait for it";
  const rule = RULES.find(
    ([languages, pattern]) =>
      languages.includes(name) && pattern.test(after.source.code) && !pattern.test(before.source.code),
  );
  return rule?.[2] ?? null;
}

/** A coroutine became a plain function, which can only define what waits. */
function awaitsNothing(before: string, after: string): boolean {
  const isAsync = (code: string) => /^\s*async\s+def\b/.test(code);
  const runs = /\b(?:run\w*|async_to_sync|gather|wait|ensure_future|create_task|submit|call)\(/;
  return isAsync(before) && !isAsync(after) && /\bawait\b/.test(before) && /\bawait\b/.test(after) && !runs.test(after);
}
