/** Finds suppressions that hide more than those that they replace. A part of the check `suppressions`. */
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
const MAX_LINES = 200;
/** The weight of a suppression that names no rule. */
const ALL = 1000;

export function widerSuppression(
  {name, files, pattern}: Suppression,
  changes: readonly FileChanges[],
): IntegrityFinding[] {
  const places = changes
    .filter(({file: {path, before}}) => files.test(path) && before !== null && !isTestPath(path))
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

/** Suppressions without a rule that cover calls which none of the earlier ones covered. */
export function otherCovered(
  {name, files, pattern}: Suppression,
  changes: readonly {readonly file: InspectedFile}[],
): IntegrityFinding[] {
  const changed = changes.filter(({file: {path, before}}) => files.test(path) && before !== null && !isTestPath(path));
  const earlier = changed.flatMap(({file}) => coveredLines(pattern, file.before ?? ""));
  const known = new Set(earlier.map(({text}) => text));
  const kept = changed.flatMap(({file}) => coveredLines(pattern, file.after ?? ""));
  const keptTexts = new Set(kept.map(({text}) => text));
  const lost = earlier.filter(({text}) => !keptTexts.has(text));
  const gone = lost.slice(0, MAX_LINES).map(({text}) => new Set(wordsOf(text)));
  for (const {file} of changed) {
    const fresh = coveredLines(pattern, file.after ?? "").filter(({text}) => !known.has(text));
    const other = fresh
      .slice(0, MAX_LINES)
      .find(({text}) => gone.length > 0 && gone.every((words) => isOther(text, words)));
    if (other === undefined) continue;
    const fix = "Correct the code that the tool complains about.";
    const message = `\`${name}\` hides what a tool reports of other code: \`${other.text.slice(0, 60)}\``;
    return [{check: "suppressions", level: "flag", path: file.path, line: other.number, message, fix}];
  }
  return [];
}

const wordsOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
const callsOf = (text: string): string[] => [...text.matchAll(/([A-Za-z_$][\w$]*)\(/g)].map(([, name = ""]) => name);

const isOther = (text: string, words: ReadonlySet<string>): boolean => callsOf(text).some((name) => !words.has(name));

/** The code before the comment on its line, or the next line. */
function coveredLines(pattern: RegExp, text: string): ChangedLine[] {
  if (!pattern.test(text)) return [];
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const at = pattern.exec(line)?.index;
    if (at === undefined || weightOf(line) < ALL) return [];
    const own = line
      .slice(0, at)
      .replace(/(?:\/\/|\/\*|#|\{\/\*).*$/, "")
      .trim();
    const code =
      own === "" ? (lines.slice(index + 1).find((one) => !/^\s*(?:\/\/|\*|#|$)/.test(one)) ?? "").trim() : own;
    return [{number: index + 1, text: code}];
  });
}
