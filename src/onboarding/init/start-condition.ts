/** The `if:` of the workflows, which decides the comments that start a machine. */
import {OWN_MARK} from "../../request/admission.ts";
import {COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";

const TEXT = "github.event.comment.body || github.event.issue.body";
const BY_A_PERSON = "github.event.sender.type != 'Bot'";

/** True if the words of a phrase need no quoting in an expression in YAML. */
export function isPlainPhrase(phrase: string): boolean {
  return /^[\p{L}\p{N}\s@/!#.+_-]*$/u.test(phrase);
}

/**
 * The lines of an expression that is true for every request of `parseCommand` and for few other texts. GitHub's functions
 * ignore case, as the commands do. They have no patterns, so `/assayist` also starts a machine. In JSON, a text with a
 * leading line break starts with a backslash. `or` is another condition that starts a run.
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

/** The condition of the called workflow. With another phrase, the caller's `if:` or Assay itself checks the comment. */
export const CALLED_CONDITION = startCondition(DEFAULT_PHRASE, `inputs.trigger-phrase != '${DEFAULT_PHRASE}'`);
