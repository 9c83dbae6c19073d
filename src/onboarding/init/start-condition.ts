/** The `if:` of the workflows: which comments start a machine. Made from the trigger phrase and the commands. */
import {OWN_MARK} from "../../request/admission.ts";
import {COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";

const TEXT = "github.event.comment.body || github.event.issue.body";
const BY_A_PERSON = "github.event.sender.type != 'Bot'";

/** True for a phrase whose words can be part of an expression in YAML as they are. */
export function isPlainPhrase(phrase: string): boolean {
  return /^[\p{L}\p{N}\s@/!#.+_-]*$/u.test(phrase);
}

/**
 * The lines of an expression that is true for every text that `parseCommand` takes for a request, and for few others.
 * GitHub's functions ignore case, as the commands do; they know no pattern, so `/assayist` starts a machine in vain. In
 * JSON, a text that begins with a line break begins with a backslash. `or` is one more reason to start.
 */
export function startCondition(phrase: string, or?: string): readonly string[] {
  const calls = phrase.split(/\s+/).filter((word) => word !== "");
  if (calls.length === 0) return [`${BY_A_PERSON} &&`, `!startsWith(${TEXT}, '${OWN_MARK}')`];
  const words = [...calls, ...COMMAND_WORDS];
  return [
    `${BY_A_PERSON} && (`,
    ...(or === undefined ? [] : [`${or} ||`]),
    ...words.map((word) => `startsWith(${TEXT}, '${word}') ||`),
    `(startsWith(toJSON(${TEXT}), '"\\') ||`,
    `startsWith(${TEXT}, ' ')) && (`,
    ...words.map((word, at) => `${at === 0 ? "" : "|| "}contains(toJSON(${TEXT}), '\\n${word}')`),
    "))",
  ];
}

/** The condition of the workflow that others call: a phrase of their own is looked at by their `if:`, or by Assay itself. */
export const CALLED_CONDITION = startCondition(DEFAULT_PHRASE, `inputs.trigger-phrase != '${DEFAULT_PHRASE}'`);
