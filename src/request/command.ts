/** Finds the request in a comment: its command is the first word of the first line, outside quotes and code. */
import type {Request} from "../record/record.ts";
import {splitChoice} from "./chosen-agent.ts";

/** People list fewer stages by hand. */
const MAX_STAGES = 20;

/** These commands do not depend on the trigger phrase. */
const COMMANDS = new Map<string, (line: string, below: string) => Request>([
  ["/verify", (line) => ({kind: "verify", only: stageNames(line)})],
  ["/continue", (line, below) => ({kind: "continue", hint: `${line}\n${below}`.trim()})],
  ["/approve", (line) => ({kind: "approve", tree: treeOf(line)})],
  ["/undo", () => ({kind: "undo"})],
  ["/review", () => ({kind: "review"})],
  ["/plan", () => ({kind: "plan"})],
  ["/help", () => ({kind: "help"})],
  ["/status", () => ({kind: "status"})],
  ["/stop", () => ({kind: "stop"})],
]);

/** The workflows start a run for these words. */
export const COMMAND_WORDS: readonly string[] = [...COMMANDS.keys()];

/**
 * These commands are answered at once, next to a run of the same thread. The workflows have a separate job for them.
 */
export const ANSWERED_WORDS: readonly string[] = ["/help", "/status", "/stop"];
const ANSWERED_KINDS: ReadonlySet<Request["kind"]> = new Set(["help", "status", "stop", "unknown"]);

/** True if the request needs only an answer, and no run. */
export const isAnswered = ({kind}: Request): boolean => ANSWERED_KINDS.has(kind);

/**
 * Returns the request in a comment's text, or null if it is not for Assay. `phrase` has the trigger words, separated by
 * spaces; without any, every comment is a request. Leading blank lines are ignored, because the page does not show
 * them. Quotes (`>`), code (a fence or backtick) and indented lines are not commands.
 */
export function parseCommand(text: string, {phrase}: {phrase: string}): Request | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/^(?:[^\S\n]*\n)+/, "");
  const end = lines.indexOf("\n");
  const firstLine = end < 0 ? lines : lines.slice(0, end);
  const followingLines = end < 0 ? "" : lines.slice(end + 1);
  const [, word = "", line = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(firstLine) ?? [];

  const command = COMMANDS.get(lowerCase(word));
  if (command !== undefined) return command(line, followingLines);

  const triggers = phrase.split(/\s+/).filter((trigger) => trigger !== "");
  const unknown = unknownCommand(word, triggers);
  if (unknown !== null) return unknown;
  if (triggers.length === 0) return lines.trim() === "" ? null : workRequest(lines);
  // People write a comma or colon after a name: "@assay, please …".
  const name = lowerCase(word).replace(/[,:]$/, "");
  if (!triggers.some((trigger) => lowerCase(trigger) === name)) return null;
  const request = `${line}\n${followingLines}`.trim();
  return request === "" || lowerCase(request) === "help" ? {kind: "help"} : workRequest(request);
}

/** The work in a text that a person wrote for Assay, with the agent and the model that it names. */
export const workRequest = (text: string): Request => ({kind: "work", ...splitChoice(text.trim())});

/**
 * A word such as `/verifyy`: the conditions of the workflows have no patterns, so a machine has started for it already.
 * Paths such as `/help/me` are not commands.
 */
function unknownCommand(word: string, triggers: readonly string[]): Request | null {
  const name = lowerCase(word);
  const like = [...COMMANDS.keys(), ...triggers.map(lowerCase)].find((one) => name.startsWith(one) && name !== one);
  return like !== undefined && /^\/[a-z-]{1,40}$/.test(name) ? {kind: "unknown", word: name, like} : null;
}

/** The id of a tree, with at least the 12 characters that a report shows; otherwise an empty string. */
function treeOf(line: string): string {
  return /^`?([0-9a-f]{12,64})`?(?:\s|$)/i.exec(line.trim())?.[1]?.toLowerCase() ?? "";
}

function stageNames(line: string): string[] {
  const names = line.split(/[\s,]+/).filter((name) => name !== "");
  return [...new Set(names)].slice(0, MAX_STAGES);
}

/** ASCII only, because Unicode's rules turn look-alikes such as the Kelvin sign into plain letters. */
function lowerCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
