/** Finds changes of what the type check compares with: types that assert, and types of the language. A part of `suppressions`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {compareLines} from "../source/line-changes.ts";

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** Types whose names say that they compare types, as in `Expect<Equal<A, B>>`. */
const ASSERTS = /\btype\s+((?:Is)?(?:Equals?|Exact|NotEqual|Same|Identical)|Expect(?:True|False)?|Assert\w*)\s*</;
/** A declaration that adds to a type of the language, in a file of declarations or in `declare global`. */
const BUILT_IN =
  /^\s*interface\s+((?:Readonly)?(?:Array|Map|Set|String|Number|Boolean|Object|Promise|RegExp|JSON|Function)(?:Constructor)?)\b/;

export function typeHelperFindings({path, before, after}: InspectedFile): IntegrityFinding[] {
  if (after === null || !TYPESCRIPT.test(path)) return [];
  const {added, removed} = compareLines(before, after);
  const finding = (line: number, message: string, fix: string): IntegrityFinding[] => [
    {check: "suppressions", level: "flag", path, line, message, fix},
  ];
  const names = new Set(removed.flatMap(({text}) => ASSERTS.exec(text)?.[1] ?? []));
  const changed = added.find(({text}) => names.has(ASSERTS.exec(text)?.[1] ?? ""));
  if (changed !== undefined)
    return finding(
      changed.number,
      `\`${ASSERTS.exec(changed.text)?.[1]}\`, which compares types for tests, is another type now`,
      "Restore the type, because all tests of types that use it depend on it.",
    );
  const isGlobal = /\.d\.[cm]?ts$/.test(path) || /\bdeclare\s+global\b/.test(after);
  const widened = isGlobal ? added.find(({text}) => BUILT_IN.test(text)) : undefined;
  if (widened === undefined) return [];
  return finding(
    widened.number,
    `\`${BUILT_IN.exec(widened.text)?.[1]}\` of the language gets other types in the whole program`,
    "State the types where the values are used.",
  );
}
