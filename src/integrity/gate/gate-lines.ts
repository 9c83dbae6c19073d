/** Compares the lines of configuration that has no parser here: limits, switches, exclusions and lists. */
import {isCodePath, isGenerated} from "../source/kinds.ts";
import {type ChangedLine, compareLines, shorten} from "../source/line-changes.ts";
import {
  CEILING,
  CHECK_LINE,
  FLOOR,
  isCheckCommand,
  LOOSE_ARGUMENT,
  LOOSE_KEY,
  LOOSE_OPTION,
  NO_CHECK,
  NO_CHECK_BLOCK,
  SEVERITY,
  STRICT_KEY,
  STRICT_OPTION,
  TEST_NUMBER,
} from "./line-words.ts";

export interface WeakLine {
  readonly line: number | null;
  readonly what: string;
}

const PAIR =
  /(-{0,2}[A-Za-z_][\w.-]*)["']?\s*(?:=>|[:=(>,]|\s)\s*[["']{0,2}(-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?%?|[A-Za-z]+)(?![\w.])/gi;
/** The key of a line is at its beginning. */
const MAX_CONTEXT_CHARS = 200;
const COMMENT = /^\s*(?:#|\/\/|\/?\*|<!--|--|;)/;
const ON = /^(?:true|on|yes|enable|1)$/i;
const OFF = /^(?:false|off|no|none|nil|null|disable|0)$/i;
/** Reports more, also within a list of exclusions. */
const REPORTS = /^\s*(?:warn|report|fail|forbid)[\w-]*\s*[:=]\s*(?:true|on|yes)\s*$/i;
/** Matches a line that sets nothing, or opens a block. */
const ENDS_OFF = /(?:false|off|none|null|\b0|\[\s*\]|\{\s*\}|:)["',;\s]*$/i;

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
    const sameKey = replacements.get(placeOf(line));
    if (sameKey === undefined) replacements.set(placeOf(line), [line]);
    else sameKey.push(line);
  }
  const unmatched = new Set(added);
  const entries = new Set(before.split("\n").map((line) => line.trim()));
  for (const old of removed) {
    const next = replacements.get(placeOf(old))?.pop();
    if (next !== undefined) unmatched.delete(next);
    const weak = weakerLine({old, next, scope, isOnlyLoss: added.length === 0});
    if (weak !== null) return {line: next?.number ?? null, what: weak};
  }
  if (scope === "tests" || scope === "commands") return null;
  for (const {text, number, context} of unmatched) {
    const isOpen = isLooseKey(text) || LOOSE_ARGUMENT.test(text);
    const isItem = scope === "exclusions" || LOOSE_KEY.test(context);
    // `/name` hides less than `name`, which hides it in each folder.
    const isNew = scope === "exclusions" ? !entries.has(text.trim().replace(/^\//, "")) : !before.includes(text.trim());
    if (isOutput(text, scope) || REPORTS.test(text)) continue;
    if ((isOpen || isItem) && isNew && /\w/.test(text) && !ENDS_OFF.test(text) && !NO_CHECK.test(text))
      return {line: number, what: `\`${text.trim().slice(0, 60)}\` leaves out checks`};
  }
  return null;
}

/** All paths of an exclusion are those of built or generated files, which no one checks. */
function isOutput(text: string, scope: LineScope): boolean {
  const quoted = [...text.matchAll(/["']([^"'\n]+)["']/g)].map(([, path = ""]) => path);
  const paths = scope === "exclusions" && quoted.length === 0 ? [text.trim()] : quoted;
  return paths.length > 0 && paths.every((path) => isGenerated(path) || isGenerated(`${path}/`));
}

interface LineInContext extends ChangedLine {
  /** the key of the lines around it */
  readonly context: string;
}

function withContexts(lines: readonly ChangedLine[], text: string): LineInContext[] {
  const all = text.split("\n").map((line) => line.slice(0, MAX_CONTEXT_CHARS));
  return lines
    .filter(({text: line}) => !COMMENT.test(line) || (/^\s*\*\S+$/.test(line) && isCodePath(line.trim())))
    .flatMap((line) => {
      const context = contextOf(all, line.number);
      return context === null ? [] : [{...line, context}];
    });
}

const placeOf = ({text, context}: LineInContext): string => `${keyOf(text)}\n${context}`;

/** How a removed or replaced line checks less; null if it does not. */
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
  if (scope === "exclusions" || isLooseKey(old.text) || LOOSE_KEY.test(old.context)) {
    const newItem = goneWords.length === 0 ? newWords[0] : undefined;
    return newItem === undefined ? null : `\`${newItem}\` is left out now`;
  }
  const isOnlyLoss = next === undefined ? options.isOnlyLoss : newWords.length === 0;
  const isCheck = scope === "gate" || CHECK_LINE.test(next === undefined ? old.text : goneWords.join(" "));
  const lostWord = goneWords.find((word) => word.length > 1);
  const isLost = isOnlyLoss && isCheck && !ENDS_OFF.test(old.text) && !NO_CHECK.test(old.text);
  return isLost && lostWord !== undefined ? `\`${lostWord}\` is not there any more` : null;
}

/** A name alone in a list is a value. */
const isLooseKey = (text: string): boolean =>
  !/^\s*(?:-\s+[\w-]+\s*$|\[)|\w\.\s*$/.test(text) && LOOSE_KEY.test(keyOf(text));

/** A loose option that a check's command gets, or a strict option that it loses without getting another. */
function weakerOption(old: string, next: string): string | undefined {
  if (!isCheckCommand(old) || /\b(?:pnpm|turbo|docker)\b/.test(next)) return undefined;
  const options = (text: string): string[] => text.match(/(?<=\s|^)--?[\w-]+(?:=[\w.-]+)?/g) ?? [];
  const [before, after] = [options(old), options(next)];
  const fresh = after.filter((word) => !before.includes(word));
  const loose = fresh.find((word) => LOOSE_OPTION.test(word));
  return (
    loose ?? (fresh.length > 0 ? undefined : before.find((word) => STRICT_OPTION.test(word) && !after.includes(word)))
  );
}

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
    if (from === to || NO_CHECK.test(name)) continue;
    if (scope === "tests" && !TEST_NUMBER.test(name)) continue;
    const compare = scope === "tests" || scope === "commands" ? isWeakerNumber : isWeaker;
    const isWeak = compare(name.replace(/^-+/, ""), from, to, context);
    if (isWeak && (next !== "" || scope !== "mixed"))
      return `\`${name}\` checks less: \`${from ?? "not set"}\` before, \`${to ?? "not set"}\` now`;
  }
  return null;
}

function isWeaker(key: string, from: string | undefined, to: string | undefined, context: string): boolean {
  if (LOOSE_KEY.test(key))
    return to !== undefined && (ON.test(to) || Number(to) > Number(from ?? 0)) && !ON.test(from ?? "");
  if (from !== undefined && to !== undefined && from in SEVERITY && to in SEVERITY)
    return (SEVERITY[to] ?? 0) < (SEVERITY[from] ?? 0);
  if (STRICT_KEY.test(key) && ON.test(from ?? "") && OFF.test(to ?? "")) return true;
  return isWeakerNumber(key, from, to, context);
}

function isWeakerNumber(name: string, from: string | undefined, to: string | undefined, context: string): boolean {
  const [oldNumber, newNumber] = [numberOf(from), numberOf(to)];
  if (Number.isNaN(oldNumber) || Number.isNaN(newNumber)) return false;
  const isFloor = FLOOR.test(name) && !/complexity/i.test(name);
  const isCoverage = /cover|test_coverage|minimum/i.test(context);
  const isShare = /^threshold/i.test(context) && ["file", "package", "total", "global", "each"].includes(name);
  if (isFloor || isShare || (/threshold/i.test(name) && isCoverage)) return newNumber < oldNumber;
  return CEILING.test(name) && newNumber > oldNumber;
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

/** The key of the nearest line above with less indentation; null in a block that checks nothing. */
function contextOf(lines: readonly string[], number: number): string | null {
  const indentOf = (line: string) => line.search(/\S|$/);
  const line = lines[number - 1] ?? "";
  if (/coverage/i.test(line)) return "coverage";
  const indent = indentOf(line) + (/^\s*-\s/.test(line) ? 1 : 0);
  for (let at = number - 2; at >= Math.max(0, number - 80); at -= 1) {
    const above = lines[at] ?? "";
    if (above.trim() !== "" && indentOf(above) < indent && !/^\s*-\s/.test(above))
      return NO_CHECK_BLOCK.test(above) ? null : keyOf(above);
  }
  return "";
}

/** The words of a text that another text does not have. */
function missing(text: string, other: string): string[] {
  const words = (part: string): string[] => part.match(/[\w@*~$][\w@.*/:~=-]*|-[\w-]+(?:=\S+)?/g) ?? [];
  const otherWords = new Set(words(other));
  return words(text).filter((word) => !otherWords.has(word));
}
