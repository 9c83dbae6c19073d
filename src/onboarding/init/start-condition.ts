/** The `if:` of the workflows, which decides the comments that start a machine. */
import {OWN_MARK} from "../../request/admission.ts";
import {ANSWERED_WORDS, COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";

const TEXT = "github.event.comment.body || github.event.issue.body";
const BY_A_PERSON = "github.event.sender.type != 'Bot'";
/** These comments start the job `answer`, which does not wait for other runs. */
const ASKS = ANSWERED_WORDS.map((word) => `startsWith(${TEXT}, '${word}')`);

/** True if the words of a phrase need no quoting in an expression in YAML. */
export function isPlainPhrase(phrase: string): boolean {
  return /^[\p{L}\p{N}\s@/!#.+_-]*$/u.test(phrase);
}

const joinTerms = (terms: readonly string[], operator: string): string[] =>
  terms.map((term, at) => (at === terms.length - 1 ? term : `${term} ${operator}`));

/**
 * The lines of an expression that is true for every request of `parseCommand` and for few other texts. GitHub's
 * functions ignore case, as the commands do. They have no patterns, so `/assayist` also starts a machine. In JSON, a
 * text with a leading line break starts with a backslash. `or` is another condition that starts a run. The job `answer`
 * has the texts that begin with its commands, unless `withAnswers` is set.
 */
export function startCondition(phrase: string, options: {or?: string; withAnswers?: boolean} = {}): readonly string[] {
  const {or, withAnswers = false} = options;
  const calls = phrase.split(/\s+/).filter((word) => word !== "");
  const start = withAnswers ? [`${BY_A_PERSON} &&`] : [`${BY_A_PERSON} && !(`, ...joinTerms(ASKS, "||"), ") &&"];
  if (calls.length === 0) return [...start, `!startsWith(${TEXT}, '${OWN_MARK}')`];
  const words = [...calls, ...COMMAND_WORDS];
  const first = withAnswers ? words : words.filter((word) => !ANSWERED_WORDS.includes(word));
  return [
    ...start,
    "(",
    ...(or === undefined ? [] : [`${or} ||`]),
    ...first.map((word) => `startsWith(${TEXT}, '${word}') ||`),
    `(startsWith(toJSON(${TEXT}), '"\\') ||`,
    `startsWith(${TEXT}, ' ')) && (`,
    ...words.map((word, at) => `${at === 0 ? "" : "|| "}contains(toJSON(${TEXT}), '\\n${word}')`),
    "))",
  ];
}

/** The condition of the called workflow. With another phrase, the caller's `if:` or Assay itself checks the comment. */
export const CALLED_CONDITION = startCondition(DEFAULT_PHRASE, {or: `inputs.trigger-phrase != '${DEFAULT_PHRASE}'`});

/** The condition of the job `answer`. */
export const ANSWER_CONDITION: readonly string[] = [`${BY_A_PERSON} && (`, ...joinTerms(ASKS, "||"), ")"];
