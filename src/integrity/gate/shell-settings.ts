/** Compares what decides whether a script stops, and how it ends. */
import type {SimpleCommand} from "../../shell/split.ts";
import {isSubset} from "../settings/selected-tests.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import type {ScriptWeakness} from "./check-command.ts";
import {commandsIn, continuesIn, endsByTrap, fails, stopsIn} from "./shell-status.ts";

/** GitHub starts the shell of a step with `-e`, unless the step has a command of its own for it. */
export const stopsAtFailure = ({basePath, after}: InspectedFile): boolean =>
  /^\.github\/(?:workflows|actions)\/.+\.ya?ml$/.test(basePath) && !/^\s*(?:-\s*)?shell:.*\{0\}/m.test(after ?? "");

/** A command that has `!` in front of it now. With `-e`, a shell does not stop at it either. */
export function negatedCommand(before: string, after: string): ScriptWeakness | null {
  const count = (text: string, isNegated: boolean) => (line: string) =>
    commandsIn(text).filter((one) => one.isNegated === isNegated && one.words.join(" ") === line).length;
  const negated = commandsIn(after)
    .filter((one) => one.isNegated)
    .map(({words}) => words.join(" "))
    .find((line) => count(before, true)(line) === 0 && count(before, false)(line) > count(after, false)(line));
  return negated === undefined
    ? null
    : {level: "flag", what: `\`! ${negated.slice(0, 60)}\` turns the result of the command`};
}

const isEnd = ({words, inside, joint}: SimpleCommand): boolean =>
  inside.length === 0 && joint !== "||" && /^(?:(?:exit|return)(?: 0)?|true)$/.test(words.join(" "));

/**
 * Compares what affects a whole script's exit code, and the options of compilers, which are not a check by themselves. `stopsAtFailure`: its shell is started with `-e`.
 */
export function lostShellSetting(before: string, after: string, stopsAtFailure: boolean): ScriptWeakness | null {
  const [base, head] = [commandsIn(before), commandsIn(after)];
  const count = (commands: readonly SimpleCommand[], is: (one: SimpleCommand) => boolean) => commands.filter(is).length;
  const grows = (is: (one: SimpleCommand) => boolean) => count(head, is) > count(base, is);
  const flag = (what: string): ScriptWeakness => ({level: "flag", what});
  const isMultiline = before.trim().includes("\n");
  const isBeforeOthers = (one: SimpleCommand): boolean => isEnd(one) && ![base.at(-1), head.at(-1)].includes(one);
  if (grows(isBeforeOthers)) return flag("it ends before its last command");
  const [stopped, stops] = [stopsIn(before), stopsIn(after)];
  if (
    (stopped && !stops && !stopsAtFailure) ||
    ((stopped || stopsAtFailure) && continuesIn(after) && !continuesIn(before))
  )
    return flag("it does not stop at a failing command any more");
  if (isMultiline && count(head, fails) < count(base, fails) && (stopped || !stops))
    return flag("it fails in fewer cases");
  if (endsByTrap(after) && !endsByTrap(before)) return {level: "block", what: "a trap decides its exit code"};
  if (grows(({words}) => words[0] === "continue") && isMultiline) return flag("its loop leaves out some values");
  const kinds = (text: string) => new Set(text.match(/\*\.\w+(?=["'\s;)]|$)/gm) ?? []);
  const unread = [...kinds(before)].find((glob) => !kinds(after).has(glob) && !after.includes(glob.slice(1)));
  if (unread !== undefined && isMultiline) return flag(`it does not read \`${unread}\` any more`);
  const loops = (text: string) => text.match(/(?<=\bfor\s+\w+\s+in\s+)[^;\n]+/g) ?? [];
  const [lists, newLists] = [loops(before), loops(after)];
  const words = (text: string | undefined) => (text ?? "").trim().split(/\s+/);
  const smaller = newLists.find((text, index) => isSubset(words(lists[index]), words(text)));
  if (smaller !== undefined && lists.length === newLists.length)
    return flag(`its loop reads only \`${smaller.trim()}\``);
  const warnings = (text: string) => new Set(text.match(/(?<=\s)(?:-Werror|--Werror|-Wall)(?=\s|$)/g) ?? []);
  const lost = [...warnings(before)].find((word) => !warnings(after).has(word));
  return lost === undefined ? negatedCommand(before, after) : flag(`it loses \`${lost}\``);
}
