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
  ["/undo", (line) => ({kind: "undo", ...reasonOf(line)})],
  ["/update", (line, below) => ({kind: "update", conflicts: [], hint: `${line}\n${below}`.trim()})],
  ["/review", () => ({kind: "review"})],
  ["/plan", () => ({kind: "plan"})],
  ["/setup", () => ({kind: "setup"})],
  ["/remember", (line, below) => ({kind: "remember", text: `${line}\n${below}`.trim()})],
  ["/help", () => ({kind: "help"})],
  ["/status", () => ({kind: "status"})],
  ["/stop", () => ({kind: "stop"})],
]);

/** The workflows start a run for these words. */
export const COMMAND_WORDS: readonly string[] = [...COMMANDS.keys()];

/** The commands of a list such as the input `commands`. */
export const commandsIn = (list: string): readonly string[] =>
  COMMAND_WORDS.filter((word) =>
    list
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(word),
  );

/**
 * These commands are answered at once, next to a run of the same thread. The workflows have a separate job for them.
 */
export const ANSWERED_WORDS: readonly string[] = ["/help", "/status", "/stop"];

/** True for the texts of that job. All other requests wait in the queue, also those that are only answered. */
export const isForAnswerJob = (text: string): boolean =>
  ANSWERED_WORDS.some((word) => lowerCase(text.replace(/^\r?\n/, "")).startsWith(word));

const ANSWERED_KINDS: ReadonlySet<Request["kind"]> = new Set(["remember", "help", "status", "stop", "unknown"]);

/** True if the request needs only an answer, and no run. */
export const isAnswered = ({kind}: Request): boolean => ANSWERED_KINDS.has(kind);

/**
 * These characters end a trigger word that has no slash, like a control character and the end of the text: `@assay-bot`
 * is another account. The conditions of the workflows use the same list.
 */
export const WORD_ENDS = ' ,.:!?"\\';

/** Besides control characters, GitHub's `toJSON` escapes these line ends. */
const ESCAPED = "\u0085\u2028\u2029";

/** The words of a trigger phrase. */
export const triggerWords = (phrase: string): string[] => phrase.split(/\s+/).filter((word) => word !== "");

/** What is wrong with such words. */
export const TAKEN_WORD = "words that begin with /help, /status or /stop are commands already; choose another word";

/** The words of the phrase that the job `answer` would take for a command of its own, such as `/helper`. */
export const takenWords = (phrase: string): string[] =>
  triggerWords(phrase).filter((word) => ANSWERED_WORDS.some((answered) => lowerCase(word).startsWith(answered)));

/**
 * Returns the request in a comment's text, or null if it is not for Assay. `phrase` has the trigger words, separated by
 * spaces; without any, every comment is a request. The longest of these words at the start of the text counts; one
 * empty line may come first. Quotes (`>`), code (a fence or backtick) and indented lines are not commands. The `if:` of
 * the workflows accepts exactly these texts (`startCondition`). Words that are not in `commands` belong to other bots,
 * as do options, and arguments of `/approve` that are no tree.
 */
export function parseCommand(
  text: string,
  {phrase, commands = COMMAND_WORDS}: {phrase: string; commands?: readonly string[]},
): Request | null {
  const lines = text.replace(/^\r?\n/, "").replace(/\r\n?/g, "\n");
  const triggers = triggerWords(phrase).map(lowerCase);
  const calledWord = [...COMMANDS.keys(), ...triggers]
    .filter((word) => lowerCase(lines.slice(0, word.length)) === word && (word.startsWith("/") || endsAt(lines, word)))
    .reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  const rest = lines.slice(calledWord.length);
  const isOurs = triggers.includes(calledWord) || !COMMANDS.has(calledWord) || commands.includes(calledWord);
  if (!isOurs || isForeign(calledWord, rest)) return null;
  const isWholeWord = !calledWord.startsWith("/") || /^(?:[\s,:;!?]|\.+(?:\s|$)|$)/.test(rest);
  if (calledWord !== "" && !isWholeWord) {
    const [word = ""] = /^\S{1,100}/.exec(lines) ?? [];
    // With an empty phrase, a path at the start of a comment is part of the request.
    const isPath = triggers.length === 0 && !ANSWERED_WORDS.includes(calledWord) && !/^\/[a-z-]{1,40}$/i.test(word);
    return isPath ? workRequest(lines) : {kind: "unknown", word: lowerCase(word), like: calledWord};
  }
  if (calledWord === "") return triggers.length > 0 || lines.trim() === "" ? null : workRequest(lines);
  // People write punctuation after a name or a command: "@assay, please …".
  const [line = "", ...below] = rest.replace(/^[.,:;!?]+/, "").split("\n");
  const command = COMMANDS.get(calledWord);
  if (command !== undefined) return command(line, below.join("\n"));
  const request = [line, ...below].join("\n").trim();
  return request === "" || lowerCase(request) === "help" ? {kind: "help"} : workRequest(request);
}

/** Other bots have the same words: prow's `/approve no-issue`, pr-agent's `/review -i`. */
function isForeign(word: string, rest: string): boolean {
  const [argument = ""] = /^[ \t]+(\S+)/.exec(rest)?.slice(1) ?? [];
  if (word === "/approve") return argument !== "" && !/^`?[0-9a-f]{7}/i.test(argument);
  return COMMANDS.has(word) && word !== "/continue" && /^--?[a-z]/i.test(argument);
}

function endsAt(text: string, word: string): boolean {
  const next = text.charAt(word.length);
  return next < " " || `${WORD_ENDS}${ESCAPED}`.includes(next);
}

/** The work in a text that a person wrote for Assay, with the agent and the model that it names. */
export const workRequest = (text: string): Request => ({kind: "work", ...splitChoice(text.trim())});

/** The id of a tree, with at least the 12 characters that a report shows; otherwise an empty string. */
function treeOf(line: string): string {
  return /^`?([0-9a-f]{12,64})`?(?:\s|$)/i.exec(line.trim())?.[1]?.toLowerCase() ?? "";
}

/** The words behind "because": why the undone change was rejected. */
function reasonOf(line: string): {reason?: string} {
  const [because = "", ...words] = line.trim().split(/\s+/);
  return lowerCase(because) === "because" && words.length > 0 ? {reason: words.join(" ")} : {};
}

function stageNames(line: string): string[] {
  const names = line.split(/[\s,]+/).filter((name) => name !== "");
  return [...new Set(names)].slice(0, MAX_STAGES);
}

/** ASCII only, because Unicode's rules turn look-alikes such as the Kelvin sign into plain letters. */
function lowerCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
