/** Compares the lines of configuration that has no reader of its own: limits, switches, exclusions and lists. */
import {type ChangedLine, compareLines, shorten} from "../source/line-changes.ts";

export interface WeakLine {
  readonly line: number | null;
  readonly what: string;
}

/** Keys whose values leave something out, or let it pass. */
const LOOSE =
  /^(?:ignored?|skip|allow|permit|exclu|omit|disable|continue|mute|suppress|informational|nowarn|no[-_]?(?:tests|warn|fail)|will_fail|baseline|retr(?:y|ies)|rerun|add_filter|filter_run|exitstatus|failure-exit|only|solo|quarantine|paths-ignore)|(?:ignore\w*|exclu\w*|skip|omit|invert|disabled|ignored|patterns_to_skip)$/i;
const STRICT =
  /strict|fail|error|warning|check|verif|^enabled?$|^active$|enforce|forbid|require|nullable|istestproject|^tests?$|leaks|unchecked|unused|implicit|recommended|risky|refuse|analysis|^autos?tests$|doctest|harness/i;
/** A lower number checks less, except in the names of `CEILING`. */
const FLOOR =
  /^min(?:imum)?(?![a-z])|minimum_coverage|fail.?under|coverage|percent|^(?:lines?|branch(?:es)?|functions?|statements?|level|target)$|msi|(?:max.?)?(?:runs|examples|cases)$|^checkall$/i;
const CEILING =
  /complexity|max(?!.*(?:runs|examples|version|width|len|line|worker|job|age|size|depth|conc|proc))|retr(?:y|ies)|rerun|tolerance|epsilon|delta|threshold|issues|numqueries/i;
/** Numbers of tests. The others belong to what is tested. */
const TEST_NUMBERS = /tolerance|epsilon|numqueries|(?:with_|max_?)(?:runs|examples|cases)$|^checkall$|maxdiff/i;
const NOT_CHECKS =
  /version|width|length|indent|timeout|worker|parallel|jobs|depend|edition|require[sd]?\b.*["']\w+["']/i;

const PAIR =
  /(-{0,2}[A-Za-z_][\w.-]*)["']?\s*(?:=>|[:=(>,]|\s)\s*[["']{0,2}(-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?%?|[A-Za-z]+)(?![\w.])/gi;
/** The key of a line is at its beginning. */
const MAX_CONTEXT_CHARS = 200;
const COMMENT = /^\s*(?:#|\/\/|\/?\*|<!--|--|;)/;
const ON = /^(?:true|on|yes|enable|1)$/i;
const OFF = /^(?:false|off|no|none|nil|null|disable|0)$/i;
const RANK: Readonly<Record<string, number>> = {
  ...{error: 3, deny: 3, forbid: 3, fatal: 3, warning: 2, warn: 2, info: 1, suggestion: 1},
  ...{silent: 0, none: 0, off: 0, ignore: 0, allow: 0},
};

export type LineScope = "gate" | "mixed" | "tests" | "exclusions" | "commands";

/**
 * The first line that checks less. `scope`: a file about checks as a whole; a file with other contents; a test or
 * commands, whose numbers and options only are compared.
 */
export function weakerLines(before: string, after: string, scope: LineScope): WeakLine | null {
  const changes = shorten(compareLines(before, after));
  const removed = withContexts(changes.removed, before);
  const added = withContexts(changes.added, after);
  const replacements = new Map<string, LineInContext[]>();
  // from the end, so that `pop` takes the first
  for (const line of added.toReversed()) {
    const known = replacements.get(placeOf(line));
    if (known === undefined) replacements.set(placeOf(line), [line]);
    else known.push(line);
  }
  const unmatched = new Set(added);
  for (const old of removed) {
    const next = replacements.get(placeOf(old))?.pop();
    if (next !== undefined) unmatched.delete(next);
    const weak = weakerLine({old, next, scope, isOnlyLoss: added.length === 0});
    if (weak !== null) return {line: next?.number ?? null, what: weak};
  }
  if (scope === "tests" || scope === "commands") return null;
  for (const {text, number, context} of unmatched) {
    const isOpen = isLooseKey(text) || /--?(?:exclude|tag ~|mute)[\w-]*/.test(text);
    const isItem = scope === "exclusions" || LOOSE.test(context);
    const isNew = !before.includes(text.trim());
    if ((isOpen || isItem) && isNew && /\w/.test(text) && !ENDS_OFF.test(text) && !NOT_CHECKS.test(text))
      return {line: number, what: `\`${text.trim().slice(0, 60)}\` leaves out checks`};
  }
  return null;
}

interface LineInContext extends ChangedLine {
  /** the key of the lines around it */
  readonly context: string;
}

function withContexts(lines: readonly ChangedLine[], text: string): LineInContext[] {
  const all = text.split("\n").map((line) => line.slice(0, MAX_CONTEXT_CHARS));
  return lines
    .filter((line) => !COMMENT.test(line.text))
    .map((line) => ({...line, context: contextOf(all, line.number)}));
}

const placeOf = ({text, context}: LineInContext): string => `${keyOf(text)}\n${context}`;

/** What a removed line, or its replacement, checks less; null if nothing. */
function weakerLine(options: {
  old: LineInContext;
  next: LineInContext | undefined;
  scope: LineScope;
  /** the change only removes lines */
  isOnlyLoss: boolean;
}): string | null {
  const {old, next, scope} = options;
  const nextText = next?.text ?? "";
  const value = weakerValue({old: old.text, next: nextText, context: old.context, scope});
  if (value !== null || scope === "tests") return value;
  const option = next === undefined ? undefined : weakerOption(old.text, nextText);
  if (option !== undefined) return `\`${option}\` makes a command check less`;
  if (scope === "commands") return null;
  const [goneWords, newWords] = [missing(old.text, nextText), missing(nextText, old.text)];
  if (scope === "exclusions" || isLooseKey(old.text) || LOOSE.test(old.context)) {
    const more = goneWords.length === 0 ? newWords[0] : undefined;
    return more === undefined ? null : `\`${more}\` is left out now`;
  }
  const isOnlyLoss = next === undefined ? options.isOnlyLoss : newWords.length === 0;
  const isCheck =
    scope === "gate" ||
    /^(?:needs|shards?)$/.test(keyOf(old.text)) ||
    MIXED_CHECKS.test(next === undefined ? old.text : goneWords.join(" "));
  const lostWord = goneWords.find((word) => word.length > 1);
  const isLost = isOnlyLoss && isCheck && !ENDS_OFF.test(old.text) && !NOT_CHECKS.test(old.text);
  return isLost && lostWord !== undefined ? `\`${lostWord}\` is not there any more` : null;
}

/** A name alone in a list is a value. */
const isLooseKey = (text: string): boolean =>
  !/^\s*(?:-\s+[\w-]+\s*$|\[)|\w\.\s*$/.test(text) && LOOSE.test(keyOf(text));

const CHECKS = /\b(?:test|lint|check|analy[sz]e|credo|format|fmt|verify|rspec|pest|shellcheck|ctest|bats|clippy)\b/;
const LOOSE_OPTION =
  /^--?(?:no-(?:check|tests|run|fatal[\w-]*)|exit-zero|mute-exit-status|permit-no-files|pass-with-no-tests|only|exclude[\w-]*|generate-baseline|ignore[\w-]*|grep[\w-]*|match|tag|short|issues-exit-code=0|failure-exit-code)(?:=|$)/;
const STRICT_OPTION =
  /^--?(?:check[\w-]*|verify-no-changes|set-exit-if-changed|fatal[\w-]*|strict[\w-]*|doc|cover(?:age)?|warnings?[\w-]*|fail[\w-]*|forbid[\w-]*|race)(?:=|$)/;

/** An option that a line with a check gets, or loses without another one in its place. */
function weakerOption(old: string, next: string): string | undefined {
  if (!CHECKS.test(old) || /\b(?:pnpm|turbo|docker)\b/.test(next)) return undefined;
  const options = (text: string): string[] => text.match(/(?<=\s|^)--?[\w-]+(?:=[\w.-]+)?/g) ?? [];
  const [before, after] = [options(old), options(next)];
  const fresh = after.filter((word) => !before.includes(word));
  const loose = fresh.find((word) => LOOSE_OPTION.test(word));
  return (
    loose ?? (fresh.length > 0 ? undefined : before.find((word) => STRICT_OPTION.test(word) && !after.includes(word)))
  );
}

const ENDS_OFF = /(?:false|off|none|null|\b0|\[\s*\]|\{\s*\}|:)["',;\s]*$/i;
/** Words of files that are not only about checks. */
const MIXED_CHECKS =
  /(?:^|\s)(?:-W|--?D)|Werror|sanitize|tidy|cover|lint|as_?errors|analy[sz]|dialyzer|^\s*pull_request:?$|^\S*-latest\b|dependsOn\(.*erif/i;

interface LinePair {
  readonly old: string;
  readonly next: string;
  readonly context: string;
  readonly scope: LineScope;
}

/** The switches, numbers and severities of two versions of a line. */
function weakerValue({old, next, context, scope}: LinePair): string | null {
  const [before, after] = [pairsOf(old), pairsOf(next)];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(name), after.get(name)];
    if (from === to || NOT_CHECKS.test(name)) continue;
    const isWeak =
      scope === "tests"
        ? TEST_NUMBERS.test(name) && isWeakerNumber(name, from, to, context)
        : scope === "commands"
          ? isWeakerNumber(name.replace(/^-+/, ""), from, to, context)
          : isWeaker(name, from, to, context);
    if (isWeak && (next !== "" || scope !== "mixed"))
      return `\`${name}\` checks less: \`${from ?? "not set"}\` before, \`${to ?? "not set"}\` now`;
  }
  return null;
}

function isWeaker(name: string, from: string | undefined, to: string | undefined, context: string): boolean {
  const key = name.replace(/^-+/, "");
  if (LOOSE.test(key))
    return to !== undefined && (ON.test(to) || Number(to) > Number(from ?? 0)) && !ON.test(from ?? "");
  if (from !== undefined && to !== undefined && from in RANK && to in RANK) return (RANK[to] ?? 0) < (RANK[from] ?? 0);
  if (STRICT.test(key) && ON.test(from ?? "") && OFF.test(to ?? "")) return true;
  return isWeakerNumber(key, from, to, context);
}

function isWeakerNumber(name: string, from: string | undefined, to: string | undefined, context: string): boolean {
  const [one, other] = [numberOf(from), numberOf(to)];
  if (Number.isNaN(one) || Number.isNaN(other)) return false;
  const isFloor = FLOOR.test(name) && !/complexity/i.test(name);
  const isCoverage = /cover|test_coverage|minimum/i.test(context);
  if (isFloor || (/threshold/i.test(name) && isCoverage)) return other < one;
  return CEILING.test(name) && other > one;
}

const numberOf = (text: string | undefined): number =>
  text === undefined ? Number.NaN : Number(text.replaceAll("_", "").replace("%", ""));

function pairsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(PAIR)].map(([, name = "", value = ""]) => [name, value.toLowerCase()]));
}

/** The first name of a line. */
function keyOf(text: string): string {
  const name = /^\s*(?:[-<"'[{({]\s*)*(?:config\.|task\.|t\.)?((?:--)?[\w.]+(?:-\w+)*)/.exec(text)?.[1] ?? "";
  return name.replace(/^--/, "");
}

/** The key of the nearest line above with less indentation. */
function contextOf(lines: readonly string[], number: number): string {
  const indentOf = (line: string) => line.search(/\S|$/);
  const line = lines[number - 1] ?? "";
  if (/coverage/i.test(line)) return "coverage";
  const indent = indentOf(line) + (/^\s*-\s/.test(line) ? 1 : 0);
  for (let at = number - 2; at >= Math.max(0, number - 80); at -= 1) {
    const above = lines[at] ?? "";
    if (above.trim() !== "" && indentOf(above) < indent && !/^\s*-\s/.test(above)) return keyOf(above);
  }
  return "";
}

/** The words of a text that another text does not have. */
function missing(text: string, other: string): string[] {
  const words = (part: string): string[] => part.match(/[\w@*~$][\w@.*/:~=-]*|-[\w-]+(?:=\S+)?/g) ?? [];
  const known = new Set(words(other));
  return words(text).filter((word) => !known.has(word));
}
