/** Recognizes checks of generated files: commands that rewrite files, and then let git compare them. */
import type {SimpleCommand} from "../../shell/split.ts";
import {splitShell} from "../../shell/split.ts";

/** Git's commands that fail, or print something, if a tracked file has changed. */
const COMPARES =
  /\bgit (?:-\S+ )*(?:diff(?:-index|-files)?\b[^|;&]* (?:--exit-code|--quiet)\b|status\b[^|;&]* (?:--porcelain|--short|-s)\b)/;

/** True for a line in which git tells whether files have changed. */
export const comparesFiles = (line: string): boolean => COMPARES.test(line);

/** The index of the last line that compares files; -1 if there is none. What is rewritten before it is compared. */
export const lastComparison = (lines: readonly string[]): number => lines.findLastIndex(comparesFiles);

/** The end of the last command of a line that compares files; -1 if there is none. */
export function endOfComparison(line: string, commands: readonly SimpleCommand[]): number {
  if (!comparesFiles(line)) return -1;
  const at = commands.findLastIndex(({start, end}) => comparesFiles(line.slice(start, end)));
  return commands[at]?.end ?? -1;
}

/** True for lines that rewrite files, and then let git compare them: they check that generated files are up to date. */
export function checksGenerated(lines: readonly string[]): boolean {
  const commands = lines.flatMap((line) => (splitShell(line) ?? []).map(({start, end}) => line.slice(start, end)));
  const last = lastComparison(commands);
  return last > 0 && commands.slice(0, last).some((command) => !comparesFiles(command));
}
