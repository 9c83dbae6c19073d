/** Compares what decides whether a script stops, and how it ends. */
import {splitShell} from "../../shell/split.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import type {ScriptWeakness} from "./check-command.ts";
import {isSubset} from "./selected-tests.ts";

/** GitHub starts the shell of a step with `-e`, unless the step has a command of its own for it. */
export const stopsAtFailure = ({basePath, after}: InspectedFile): boolean =>
  /^\.github\/(?:workflows|actions)\/.+\.ya?ml$/.test(basePath) && !/^\s*(?:-\s*)?shell:.*\{0\}/m.test(after ?? "");

/** A check after `exit 0`, or with `!` in front of it. */
export function turnedCommand(before: string, after: string): ScriptWeakness | null {
  const turned = (text: string) =>
    text.match(/(?:^|[;&|]\s*)(?:!\s|(?:exit|return)(?:\s+0)?\s*(?:&&|;))/g)?.length ?? 0;
  return turned(after) > turned(before)
    ? {level: "flag", what: "a check is not reached, or its result is turned"}
    : null;
}

/** A command that has `!` in front of it now. With `-e`, a shell does not stop at it either. */
export function negatedCommand(before: string, after: string): ScriptWeakness | null {
  if (!/(?:^|\s)!\s/.test(after)) return null;
  const [earlier, current] = [before, after].map(countCommands);
  const negated = [...(current?.keys() ?? [])].find((text) => {
    const plain = /^! (.+)$/s.exec(text)?.[1] ?? "";
    return !earlier?.has(text) && (earlier?.get(plain) ?? 0) > (current?.get(plain) ?? 0);
  });
  return negated === undefined
    ? null
    : {level: "flag", what: `\`${negated.slice(0, 60)}\` turns the result of the command`};
}

function countCommands(text: string): Map<string, number> {
  const parts = splitShell(text) === null ? text.split("\n") : [text];
  const counts = new Map<string, number>();
  for (const {words} of parts.flatMap((part) => splitShell(part) ?? [])) {
    const command = words.join(" ");
    counts.set(command, (counts.get(command) ?? 0) + 1);
  }
  return counts;
}

export const CONDITIONS = /(?:^|[;&|]\s*|\bthen\s+|\belse\s+)(?:if|elif|\[\[?|test|case|while)\s/gm;
/** The text without what `cat` or `tee` writes to a file. */
export const withoutDocuments = (text: string): string =>
  text.replace(/^([ \t]*(?:cat|tee)\b[^\n]*)<<-?\s*(["']?)(\w+)\2([^\n]*)\n[\s\S]*?\n\s*\3$/gm, "$1$4");

/** All of these commands are on the same lines as before, outside of each condition and loop. */
export function runAsBefore(commands: readonly (readonly string[])[], before: string, after: string): boolean {
  const earlier = new Set(before.split("\n"));
  const ends = (text: string) => text.match(/\b(?:exit|return)\b(?!\s+["$\d])|\bexit\s+0/g)?.length ?? 0;
  if (ends(after) > ends(before)) return false;
  let depth = 0;
  const lines = after.split("\n").filter((line) => {
    const opened = line.match(OPENS)?.length ?? 0;
    const isOutside = depth === 0 && opened === 0;
    depth += opened - (line.match(CLOSES)?.length ?? 0);
    return isOutside && earlier.has(line);
  });
  return depth === 0 && commands.every((words) => lines.some((line) => line.includes(words.join(" "))));
}

const OPENS = /(?<=^|[;&|]\s*|\b(?:then|else|do)\s+)\s*(?:if|case|for|while|until)\s/g;
const CLOSES = /(?<=^|;\s*)\s*(?:fi|esac|done)(?=\s*(?:$|[;&|>)]))/g;
const ENDS = /^(?:exit(?:\s+0)?|true)\s*;?\s*$/;

/**
 * Compares what affects a whole script's exit code, and the options of compilers, which are not a check by themselves. `stopsAtFailure`: its shell is started with `-e`.
 */
export function lostShellSetting(before: string, after: string, stopsAtFailure: boolean): ScriptWeakness | null {
  const ends = (text: string) => text.split("\n").filter((line) => ENDS.test(line)).length;
  const isMultiline = before.trim().includes("\n");
  if (isMultiline && ends(after) > ends(before) && !ENDS.test(after.trim().split("\n").at(-1) ?? ""))
    return {level: "flag", what: "it ends before its last command"};
  const stops = (text: string) => /^\s*set\s+-\w*e|\bset\s+-o\s+errexit/m.test(text);
  const continues = (text: string) => /^\s*set\s+\+e/m.test(text);
  const isLost = !stops(after) && !stopsAtFailure;
  if ((stops(before) && isLost) || ((stops(before) || stopsAtFailure) && continues(after) && !continues(before)))
    return {level: "flag", what: "it does not stop at a failing command any more"};
  const exits = (text: string) => text.match(/\b(?:exit|return)\s+(?:[1-9]|"?\$)/g)?.length ?? 0;
  if (isMultiline && exits(after) < exits(before) && (stops(before) || !stops(after)))
    return {level: "flag", what: "it fails in fewer cases"};
  if (/\btrap\s.*\b(?:exit(?:\s+0)?|true|:)\b.*\bEXIT\b/.test(after) && !/\btrap\s.*\bEXIT\b/.test(before))
    return {level: "block", what: "a trap decides its exit code"};
  const kinds = (text: string) => new Set(text.match(/\*\.\w+(?=["'\s;)]|$)/gm) ?? []);
  const unread = [...kinds(before)].find((glob) => !kinds(after).has(glob) && !after.includes(glob.slice(1)));
  if (unread !== undefined && isMultiline) return {level: "flag", what: `it does not read \`${unread}\` any more`};
  const skips = (text: string) => text.match(/(?:^|[;&|]\s*|\bthen\s+)continue\b/gm)?.length ?? 0;
  if (isMultiline && skips(after) > skips(before)) return {level: "flag", what: "its loop leaves out some values"};
  const loops = (text: string) => text.match(/(?<=\bfor\s+\w+\s+in\s+)[^;\n]+/g) ?? [];
  const [lists, newLists] = [loops(before), loops(after)];
  const words = (text: string | undefined) => (text ?? "").trim().split(/\s+/);
  const smaller = newLists.find((text, index) => isSubset(words(lists[index]), words(text)));
  if (smaller !== undefined && lists.length === newLists.length)
    return {level: "flag", what: `its loop reads only \`${smaller.trim()}\``};
  const warnings = (text: string) => new Set(text.match(/(?<=\s)(?:-Werror|--Werror|-Wall)(?=\s|$)/g) ?? []);
  const lost = [...warnings(before)].find((word) => !warnings(after).has(word));
  return lost === undefined ? negatedCommand(before, after) : {level: "flag", what: `it loses \`${lost}\``};
}
