/** Finds suppressions that hide more rules than those that they replace. A part of the check `suppressions`. */
import {isOfKind} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {Suppression} from "../../tools/tool-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import type {ChangedLine} from "../source/line-changes.ts";

interface FileChanges {
  readonly file: InspectedFile;
  readonly added: readonly ChangedLine[];
  readonly removed: readonly ChangedLine[];
}

/** The rules that a suppression names: `noqa: A1, B2`, `disable-next-line a, b`, `ignore[a]`, `allow(a, b)`. */
const NAMES_RULES =
  /(?:(?:\bdisable(?:-next-line|-line|-next)?|\bnolint|\bnoqa)\b(?:\s*[:=]\s*|\s+)|(?<!@ts-)\bignore(?:\[|\s+(?=\w+\/))|\b(?:allow|expect|SuppressWarnings)\s*\(\s*\{?\s*)(?=["'@\w])/;
const RULES = /^["']?[@\w][\w@/:.-]*["']?(?:\s*,\s*["']?[@\w][\w@/:.-]*["']?)*/;
/** Lists in several lines are not counted. */
const OPEN_LIST = /[([{,]\s*$/;
/** The weight of a suppression that names no rule. */
const ALL = 1000;

export function widerSuppression(
  {name, files, pattern}: Suppression,
  changes: readonly FileChanges[],
): IntegrityFinding[] {
  const places = changes
    .filter(({file: {path, before}}) => isOfKind(path, files) && before !== null && !isTestPath(path))
    .flatMap(({file, added, removed}) => {
      const fitting = (lines: readonly ChangedLine[]) => lines.filter(({text}) => pattern.test(text));
      return [{file, added: fitting(added), removed: fitting(removed)}];
    });
  const weigh = (lines: readonly ChangedLine[]) => lines.reduce((sum, {text}) => sum + weightOf(text), 0);
  const [added, removed] = (["added", "removed"] as const).map((kind) => places.flatMap((one) => one[kind]));
  if (added === undefined || removed === undefined || added.length > removed.length || weigh(added) <= weigh(removed))
    return [];
  const place = places.find((one) => weigh(one.added) > weigh(one.removed));
  const widest = place?.added.toSorted((one, other) => weightOf(other.text) - weightOf(one.text))[0];
  if (place === undefined || widest === undefined) return [];
  const {path} = place.file;
  const message = `\`${name}\` hides more rules than before`;
  const fix = "Correct the code that the tool complains about, and name only the earlier rules.";
  return [{check: "suppressions", level: "flag", path, line: widest.number, message, fix}];
}

function weightOf(text: string): number {
  if (OPEN_LIST.test(text)) return 0;
  const named = NAMES_RULES.exec(text);
  const rules = named === null ? undefined : RULES.exec(text.slice(named.index + named[0].length))?.[0];
  return rules === undefined || /\b(?:all|warnings)\b/.test(rules) ? ALL : rules.split(",").length;
}
