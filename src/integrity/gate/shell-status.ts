/** Compares which commands of a shell script can make it fail, and what a variable records of that. */
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {commandsIn, endsByTrap, fails, fateOf, isLast, modeOf, PASSES, stopsIn} from "../commands/command-fates.ts";

const COMPARES = /^(?:\[{1,2}|test|\(\(|command|which|type)$/;

/** A command that can fail, and whether the script then fails. */
interface Fate {
  readonly text: string;
  readonly decides: boolean;
  /** no other command runs after it */
  readonly isAtEnd: boolean;
  /** a comparison of values, or the condition of others */
  readonly isQuestion: boolean;
}

function fatesIn(text: string): Fate[] {
  const commands = commandsIn(text);
  const mode = modeOf({text}, commands);
  return commands.flatMap((command, i) => {
    const [name = ""] = command.words;
    if (name === "" || PASSES.test(name) || (["exit", "return"].includes(name) && !fails(command))) return [];
    return [
      {
        text: command.words.join(" "),
        decides: fails(command) || fateOf(commands, i, mode) === "decides",
        isAtEnd: isLast(commands, command),
        isQuestion: COMPARES.test(name) || command.inside.some(({part}) => part === "condition"),
      },
    ];
  });
}

/** Why a failure is lost that the script reported before; null if nothing is. */
export function lostFailure(before: string, after: string): string | null {
  if (before === after || splitShell(before) === null) return null;
  if (endsByTrap(after) && !endsByTrap(before)) return "a trap decides its exit code";
  const [base, head] = [fatesIn(before), fatesIn(after)];
  const endsFailing = (fates: readonly Fate[]) => fates.some(({decides, isAtEnd}) => decides && isAtEnd);
  if ((stopsIn(before) || endsFailing(base)) && !stopsIn(after) && !endsFailing(head))
    return "its last command always passes, so a failure before it is lost";
  const counted = (fates: readonly Fate[], decides: boolean, text: string) =>
    fates.filter((one) => one.decides === decides && one.text === text).length;
  const lost = base.find(
    ({text, decides, isQuestion}) =>
      decides &&
      !isQuestion &&
      counted(head, true, text) < counted(base, true, text) &&
      counted(head, false, text) > counted(base, false, text),
  );
  if (lost !== undefined) return `a failure of \`${lost.text.slice(0, 60)}\` does not fail it any more`;
  const swallowed = (fates: readonly Fate[]) => fates.filter(({decides, isQuestion}) => !decides && !isQuestion).length;
  if (stopsIn(after) && swallowed(head) > swallowed(base)) return "it continues after a failing command";
  const results = resultsOf(before);
  const isLost = results.some(
    (name) =>
      recordsOf(name, after).length < recordsOf(name, before).length || resetsOf(name, after) > resetsOf(name, before),
  );
  // Another variable, or a command, decides now.
  return isLost && resultsOf(after).every((name) => results.includes(name) || recordsOf(name, after).length === 0)
    ? "it records a failure in fewer places"
    : null;
}

/** The variables that decide how the last command ends: `exit $failed`, `[ $failed -eq 0 ]`. */
function resultsOf(text: string): string[] {
  const last = commandsIn(text).at(-1);
  if (!/^(?:exit|return|\[{1,2}|test|\(\()$/.test(last?.words[0] ?? "")) return [];
  const names = last?.words.slice(1).flatMap((word) => word.match(/(?<![-\w])[A-Za-z_]\w*/g) ?? []) ?? [];
  return [...new Set(names.filter((name) => !["exit", "true", "false"].includes(name)))];
}

/** The places where a variable becomes something else than 0, in this shell: what a pipe or `( … )` sets is lost (POSIX, 2.12). */
function recordsOf(name: string, text: string): SimpleCommand[] {
  const commands = commandsIn(text);
  const isRecord = ({words, env}: SimpleCommand): boolean =>
    (env[name] !== undefined && !/^0?$/.test(env[name] ?? "")) ||
    ((words[0] === "((" || words[0] === "let") &&
      new RegExp(`\\b${name}\\s*(?:\\+\\+|[-+|]?=(?!=))|\\+\\+\\s*${name}\\b`).test(words[1] ?? ""));
  const isPiped = (end: number) => commands.find(({start}) => start >= end)?.joint === "|";
  return commands.filter(
    (one) =>
      isRecord(one) &&
      !one.inside.some(({kind, joint, node}) => kind === "subshell" || joint === "|" || isPiped(node.end)),
  );
}

const resetsOf = (name: string, text: string): number =>
  commandsIn(text).filter(({words, env}) => words.length === 0 && /^0?$/.test(env[name] ?? "-")).length;
