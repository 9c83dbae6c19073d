/** The commands of a line of shell text, and which of them belong together. */
import type {SimpleCommand} from "../../shell/split.ts";

/** A command of a line, with the others of that line. */
export interface LinePart {
  readonly text: string;
  readonly commands: readonly SimpleCommand[];
  readonly i: number;
}

/** True for a command that belongs to the one before it. */
export const isContinued = ({joint}: SimpleCommand): boolean => joint === "|" || joint === "||";

/** The text of a command with those that belong to it. */
export function wholeText({text: line, commands, i}: LinePart): string {
  let last = i;
  for (let next = commands[i + 1]; next !== undefined && isContinued(next); next = commands[last + 1]) last++;
  return line.slice(commands[i]?.start ?? 0, commands[last]?.end ?? line.length);
}

/** True for a command whose result the one after it decides. */
export const isPiped = ({commands, i}: LinePart): boolean => {
  const next = commands[i + 1];
  return next !== undefined && isContinued(next);
};

/** Words of the shell that a command may follow, and those that begin a construct. */
const KEYWORDS = new Set("if then else elif while until do ! { time".split(" "));
const CONSTRUCTS = new Set("for case select function fi done esac } ;;".split(" "));

/** The words of a command after keywords of the shell, and as written. */
export function withoutKeywords({words, raws}: SimpleCommand): [readonly string[], readonly string[]] {
  let start = 0;
  while (KEYWORDS.has(words[start] ?? "")) start++;
  return CONSTRUCTS.has(words[start] ?? "") ? [[], []] : [words.slice(start), raws.slice(start)];
}
