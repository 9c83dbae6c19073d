/** Finds commands of a shell test whose result is turned. */
import {commandsIn} from "../commands/command-fates.ts";

/** A command that has `!` in front of it now. With `-e`, a shell does not stop at it either. */
export function negatedCommand(before: string, after: string): string | null {
  const count = (text: string, isNegated: boolean) => (line: string) =>
    commandsIn(text).filter((one) => one.isNegated === isNegated && one.words.join(" ") === line).length;
  const negated = commandsIn(after)
    .filter((one) => one.isNegated)
    .map(({words}) => words.join(" "))
    .find((line) => count(before, true)(line) === 0 && count(before, false)(line) > count(after, false)(line));
  return negated === undefined ? null : `\`! ${negated.slice(0, 60)}\` turns the result of the command`;
}
