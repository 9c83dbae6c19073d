/** Finds casts in place of a check of the value. A part of the check `suppressions`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isProductCode} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** The first group of each is the value. */
const CASTS: readonly (readonly [files: RegExp, cast: RegExp])[] = [
  [/\.py$/, /\bcast\(\s*(?:["'][^"']*["']|[^,()]+),\s*([A-Za-z_][\w.]*)\s*\)/g],
  [/\.[cm]?tsx?$/, /(?<![\w.])([A-Za-z_$][\w$.]*)(?:\s+as\s+(?!const\b)[A-Z\w]|!(?=[.;,)\]]))/g],
];

/** A type check needs the removed condition, or the cast that replaces it: the value that it excluded is still possible. */
export function replacedGuards(file: InspectedFile): IntegrityFinding[] {
  const {path, before, after} = file;
  const cast = CASTS.find(([files]) => files.test(path))?.[1];
  if (cast === undefined || before === null || after === null || !isProductCode(path)) return [];
  const {added} = compareLines(before, after);
  for (const {number, text} of added)
    for (const [, value = ""] of text.matchAll(cast)) {
      if (guardsOf(value, before) <= guardsOf(value, after)) continue;
      const message = `A cast takes the place of the check of \`${value}\``;
      const fix = "Check the value, or correct its type where it is declared.";
      return [{check: "suppressions", level: "flag", path, line: number, message, fix}];
    }
  return [];
}

function guardsOf(value: string, text: string): number {
  const name = value.replace(/[.$]/g, String.raw`\$&`);
  const guard = String.raw`(?<![\w.])${name}\s*(?:is\s+(?:not\s+)?None\b|[!=]==?\s*(?:null|undefined)\b|\s+instanceof\b)|\bisinstance\(\s*${name}\s*,|\btypeof\s+${name}\b`;
  return text.match(new RegExp(guard, "g"))?.length ?? 0;
}
