/** Finds casts in place of a check of the value. A part of the check `suppressions`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {compareLines, shorten} from "../source/line-changes.ts";

/** The first group of each is the value. */
const CASTS: readonly (readonly [files: RegExp, cast: RegExp])[] = [
  [/\.py$/, /\bcast\(\s*(?:["'][^"']*["']|[^,()]+),\s*([A-Za-z_][\w.]*)\s*\)/g],
  [/\.[cm]?tsx?$/, /(?<![\w.$])([A-Za-z_$][\w$.]*)(?:\s+as\s+(?!const\b)[A-Z\w]|!(?=[.;,)\]]))/g],
];

/** A type check needs the removed condition, or the cast that replaces it: the value that it excluded is still possible. */
export function replacedGuards(file: InspectedFile): IntegrityFinding[] {
  const {path, before, after} = file;
  const cast = CASTS.find(([files]) => files.test(path))?.[1];
  if (cast === undefined || before === null || after === null || !isProductCode(path)) return [];
  const {added} = shorten(compareLines(withoutNames(before), withoutNames(after)));
  const [earlier, current] = [guardsIn(before), guardsIn(after)];
  for (const {number, text} of added)
    for (const [, value = ""] of text.matchAll(cast)) {
      if ((earlier.get(value) ?? 0) <= (current.get(value) ?? 0)) continue;
      const message = `A cast takes the place of the check of \`${value}\``;
      const fix = "Check the value, or correct its type where it is declared.";
      return [{check: "suppressions", level: "flag", path, line: number, message, fix}];
    }
  return [];
}

/** `import {Label as Field}` gives a module's name another one. */
const withoutNames = (text: string): string =>
  text.replace(/\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{[^{}]*\}/g, (names) => names.replace(/[^\n]/g, " "));

const NAME = String.raw`([A-Za-z_$][\w$.]*)(?![\w$.])`;
const GUARD = new RegExp(
  String.raw`(?<![\w.$])${NAME}\s*(?:is\s+(?:not\s+)?None\b|[!=]==?\s*(?:null|undefined)\b|\s+instanceof\b)|\bisinstance\(\s*${NAME}\s*,|\btypeof\s+${NAME}`,
  "g",
);

/** How often a text examines each value. */
function guardsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, ...names] of text.matchAll(GUARD)) {
    const name = names.find((one) => one !== undefined) ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
