/** Finds what a comment asks for: the trigger is the first word of the first line, outside quotes and code. */
import type {Request} from "../record/record.ts";

/** Nobody names more stages than this by hand. */
const MOST_STAGES = 20;

/** Commands with a meaning of their own, whatever the phrase is. */
const COMMANDS = new Map<string, (line: string, below: string) => Request>([
  ["/verify", (line) => ({kind: "verify", only: stageNames(line)})],
  ["/continue", (line, below) => ({kind: "continue", hint: `${line}\n${below}`.trim()})],
  ["/help", () => ({kind: "help"})],
]);

/** The words of those commands; the workflows start a run for them. */
export const COMMAND_WORDS: readonly string[] = [...COMMANDS.keys()];

/**
 * Takes a comment's text and the trigger words (separated by spaces; none: every comment is a request) and gives the
 * request, or null when Assay is not meant. Blank lines at the top do not count, because nobody sees them. Anything else
 * in front of the first word does: `>` quotes, a fence or backtick opens code, and indented lines are code too.
 */
export function parseCommand(text: string, {phrase}: {phrase: string}): Request | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/^(?:[^\S\n]*\n)+/, "");
  const end = lines.indexOf("\n");
  const first = end < 0 ? lines : lines.slice(0, end);
  const below = end < 0 ? "" : lines.slice(end + 1);
  const [, word = "", line = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(first) ?? [];

  const command = COMMANDS.get(lowerCase(word));
  if (command !== undefined) return command(line, below);

  const calls = phrase.split(/\s+/).filter((call) => call !== "");
  if (calls.length === 0) return lines.trim() === "" ? null : {kind: "work", text: lines.trim()};
  // "@assay, please …": a comma or colon after the name is how people write to each other
  const called = lowerCase(word).replace(/[,:]$/, "");
  if (!calls.some((call) => lowerCase(call) === called)) return null;
  const asked = `${line}\n${below}`.trim();
  return asked === "" || lowerCase(asked) === "help" ? {kind: "help"} : {kind: "work", text: asked};
}

function stageNames(line: string): string[] {
  const names = line.split(/[\s,]+/).filter((name) => name !== "");
  return [...new Set(names)].slice(0, MOST_STAGES);
}

/** ASCII only: Unicode's case rules turn look-alikes such as the Kelvin sign into plain letters. */
function lowerCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
