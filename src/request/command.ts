/** Finds the request in a comment: its command is the first word of the first line, outside quotes and code. */
import type {Request} from "../record/record.ts";

/** More than people name by hand. */
const MOST_STAGES = 20;

/** These commands do not depend on the trigger phrase. */
const COMMANDS = new Map<string, (line: string, below: string) => Request>([
  ["/verify", (line) => ({kind: "verify", only: stageNames(line)})],
  ["/continue", (line, below) => ({kind: "continue", hint: `${line}\n${below}`.trim()})],
  ["/approve", (line) => ({kind: "approve", tree: treeOf(line)})],
  ["/help", () => ({kind: "help"})],
]);

/** The workflows start a run for these words. */
export const COMMAND_WORDS: readonly string[] = [...COMMANDS.keys()];

/**
 * Returns the request in a comment's text, or null if it is not for Assay. `phrase` has the trigger words, separated by
 * spaces; without any, every comment is a request. Leading blank lines are ignored, because the page does not show them.
 * Quotes (`>`), code (a fence or backtick) and indented lines are no command.
 */
export function parseCommand(text: string, {phrase}: {phrase: string}): Request | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/^(?:[^\S\n]*\n)+/, "");
  const end = lines.indexOf("\n");
  const firstLine = end < 0 ? lines : lines.slice(0, end);
  const below = end < 0 ? "" : lines.slice(end + 1);
  const [, word = "", line = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(firstLine) ?? [];

  const command = COMMANDS.get(lowerCase(word));
  if (command !== undefined) return command(line, below);

  const triggers = phrase.split(/\s+/).filter((trigger) => trigger !== "");
  if (triggers.length === 0) return lines.trim() === "" ? null : {kind: "work", text: lines.trim()};
  // People write a comma or colon after a name: "@assay, please …".
  const name = lowerCase(word).replace(/[,:]$/, "");
  if (!triggers.some((trigger) => lowerCase(trigger) === name)) return null;
  const request = `${line}\n${below}`.trim();
  return request === "" || lowerCase(request) === "help" ? {kind: "help"} : {kind: "work", text: request};
}

/** At least the 12 characters that a report shows, or "" . */
function treeOf(line: string): string {
  return /^`?([0-9a-f]{12,64})`?(?:\s|$)/i.exec(line.trim())?.[1]?.toLowerCase() ?? "";
}

function stageNames(line: string): string[] {
  const names = line.split(/[\s,]+/).filter((name) => name !== "");
  return [...new Set(names)].slice(0, MOST_STAGES);
}

/** ASCII only, because Unicode's rules turn look-alikes such as the Kelvin sign into plain letters. */
function lowerCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
