/** Finds options, variables and paths of a check that are not known to be harmless. */
import {hasKnownOptions, isHarmlessOption, isHarmlessVariable} from "../../tools/harmless-options.ts";
import {selects} from "../settings/selected-tests.ts";
import type {CheckCommand, ScriptWeakness} from "./check-command.ts";

/**
 * Compares each command of a known tool with the one that it replaces. A command in addition to those of the base
 * weakens nothing.
 */
export function unknownDifference(base: readonly CheckCommand[], head: readonly CheckCommand[]): ScriptWeakness | null {
  const textOf = ({words, env}: CheckCommand) => JSON.stringify([words, env]);
  const [before, after] = [base.map(textOf), head.map(textOf)];
  const gone = base.filter((one) => !after.includes(textOf(one)));
  for (const command of head.filter((one) => !before.includes(textOf(one)))) {
    const previous =
      gone.find(({tool}) => tool === command.tool) ??
      gone.find(({tool}) => isSameProgram(tool, command)) ??
      gone.find(({kind}) => kind === command.kind);
    if (previous === undefined) continue;
    const what = differenceOf(previous, command);
    if (what !== null) return {level: "flag", what};
  }
  return null;
}

const isSameProgram = (tool: string, {tool: other}: CheckCommand): boolean =>
  tool.includes(" ") && tool.split(" ", 1)[0] === other.split(" ", 1)[0];

function differenceOf(previous: CheckCommand, command: CheckCommand): string | null {
  const {tool, words, env} = command;
  const variable = Object.entries(env).find(
    ([name, value]) => previous.env[name] !== value && !isHarmlessVariable(name, value),
  );
  if (variable !== undefined) return `\`${variable[0]}\` is set for \`${tool}\`, which can change what it checks`;
  if (!hasKnownOptions(tool)) return null;
  if (tool !== previous.tool && isSameProgram(previous.tool, command))
    return `\`${tool}\` takes the place of \`${previous.tool}\``;
  const earlier = new Set(previous.words);
  const at = words.findIndex(
    (word, index) =>
      /^-./.test(word) &&
      word !== "--" &&
      !earlier.has(word) &&
      !isHarmlessOption(tool, word, valueAfter(words, index)),
  );
  if (at >= 0) return `\`${tool}\` gets \`${words[at]}\`, which can change what it checks`;
  const changed = words.find(
    (word, index) =>
      earlier.has(word) && /^-./.test(word) && isOtherValue(previous.words, word, valueAfter(words, index), tool),
  );
  if (changed !== undefined) return `\`${tool}\` gets another value of \`${changed}\``;
  if (tool !== previous.tool) return null;
  return lostLevel(previous, command) ?? otherPaths(previous, command);
}

const LEVELS = /^(?:-[DWF]|--(?:deny|warn|forbid|enable-error-code|select|enable))$/;

/** A rule or a group of rules that is not required any more: `-D clippy::pedantic`. */
function lostLevel(previous: CheckCommand, command: CheckCommand): string | null {
  const lost = previous.words.find(
    (word, index) => LEVELS.test(previous.words[index - 1] ?? "") && !command.words.includes(word),
  );
  if (lost !== undefined) return `\`${command.tool}\` does not require \`${lost}\` any more`;
  const level = previous.words.find((word, index) => {
    const option = previous.words[index - 1] ?? "";
    const now = command.words[command.words.indexOf(word) - 1] ?? "";
    return LEVELS.test(option) && now !== option && /^-[WA]$|^--(?:warn|allow)$/.test(now);
  });
  return level === undefined ? null : `\`${command.tool}\` does not fail for \`${level}\` any more`;
}

/** The word after an option, if it can be its value: `--option=value` has its own. */
function valueAfter(words: readonly string[], index: number): string {
  const next = words[index + 1] ?? "";
  return next.startsWith("-") || /^--[\w-]+=/.test(words[index] ?? "") ? "" : next;
}

/** The option had a value before, and has a weaker one now. It can be there several times. */
function isOtherValue(before: readonly string[], option: string, value: string, tool: string): boolean {
  const previous = before.flatMap((word, index) => (word === option ? [valueAfter(before, index)] : []));
  const isSame = previous.every((one) => one === "") || value === "" || previous.includes(value);
  return !isSame && !isHarmlessOption(tool, option, value);
}

/** Finds paths and names of tests that were removed or replaced. */
function otherPaths(previous: CheckCommand, command: CheckCommand): string | null {
  const {tool} = command;
  const takesNoValue = new Set(previous.words.filter((_, index) => isAlone(previous.words, index)));
  const own = new Set(tool.split(" "));
  const [before, after] = [previous.words, command.words].map((words) =>
    plainWords(words, takesNoValue).filter((word) => !own.has(word)),
  );
  if (before === undefined || after === undefined) return null;
  const fresh = after.filter((word) => !before.includes(word));
  const lost = before.filter((word) => !after.includes(word));
  if (fresh.length === 0 || fresh.some((word) => /[$`]/.test(word))) return null;
  if (lost.length === 0 && before.length > 0) return null;
  // Go reads `.` as one package, and `./...` as all below it.
  const covers = (word: string) =>
    word.endsWith("...") && !fresh.some((one) => one.endsWith("..."))
      ? false
      : selects(fresh, word) || fresh.includes(".");
  const isWider = lost.length > 0 && lost.every(covers);
  if (isWider) return null;
  return lost.length === 0
    ? `\`${tool}\` runs only \`${fresh[0]}\``
    : `\`${tool}\` reads \`${fresh[0]}\` in place of \`${lost[0]}\``;
}

const isAlone = (words: readonly string[], index: number): boolean =>
  /^-/.test(words[index] ?? "") && (words[index + 1] === undefined || /^-/.test(words[index + 1] ?? ""));

const BOOLEAN =
  /^(?:--|-[vqxBe]+|-(?:race|short|cover|json|failfast)|--(?:no-|warn-|strict|disallow-|ignore-missing|check|recursive|ci$|run$|verbose|quiet|watch).*)$/;

/** The words that are neither options nor their values. */
function plainWords(words: readonly string[], takesNoValue: ReadonlySet<string>): string[] {
  const start = words.findIndex((word) => /^-/.test(word));
  const isValue = (index: number) => {
    const option = words[index - 1] ?? "";
    return /^-/.test(option) && !BOOLEAN.test(option) && !option.includes("=") && !takesNoValue.has(option);
  };
  return words
    .slice(1)
    .filter((word, index) => !/^-/.test(word) && (start < 0 || index + 1 < start || !isValue(index + 1)));
}
