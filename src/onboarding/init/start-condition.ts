/** Writes the `if:` of the workflows, so that only comments with a request start a machine. */
import {OWN_MARK} from "../../request/admission.ts";
import {ANSWERED_WORDS, COMMAND_WORDS, triggerWords, WORD_ENDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {
  chosenName,
  isChosen,
  isWordless,
  startsWorkflow,
  TRIGGER_OPTIONS,
  triggerOf,
  triggersWith,
} from "../../request/triggers.ts";

const BY_A_PERSON = "github.event.sender.type != 'Bot'";
/** The token of an event from a fork's pull request can write nothing, so not even an answer. */
const SAME_REPOSITORY = [
  "(!github.event.pull_request ||",
  "github.event.pull_request.head.repo.full_name == github.event.repository.full_name) &&",
];

/** The text of the request; `on` are the optional triggers of the workflow. */
function textOf(on: readonly string[]): string {
  const texts = triggersWith(on).filter(({kind}) => !isWordless(kind) && !startsWorkflow(kind));
  return [...new Set(texts.map(({expression}) => expression))].join(" || ");
}

/** The conditions of triggers without words. In a called workflow, the names are its inputs. */
function wordlessConditions(on: readonly string[], isCalled: boolean): string[] {
  const name = (option: string, input: string) => (isCalled ? `inputs.${input}` : `'${chosenName(on, option)}'`);
  const conditions = {
    label: `github.event.label && github.event.label.name == ${name("label", "label")} ||`,
    assignment: `github.event.assignee && github.event.assignee.login == ${name("assignment", "assignee")} ||`,
  };
  return [
    ...Object.entries(conditions).flatMap(([option, condition]) => (isChosen(on, option) ? condition : [])),
    ...triggersWith(on).flatMap(({kind, expression}) =>
      startsWorkflow(kind) && kind !== "ci" ? `${expression} ||` : [],
    ),
  ];
}

/** The text of an issue is not a request when a user labels or assigns it. */
const ONLY_TEXT = "!github.event.label && !github.event.assignee &&";

/** One empty line may come before a command. In JSON, so that an expression can contain line breaks. */
const EMPTY_LINES = ["\\n", "\\r\\n"];

/**
 * The terms that are true for texts that begin with one of these words, with or without more letters. A word without a
 * slash has to end: in JSON, a quote is the end of the text, and a backslash begins each escape.
 */
function beginsWith(text: string, words: readonly string[], commands: readonly string[] | null): string[] {
  const isIn = (start: string) =>
    COMMAND_WORDS.includes(start) && commands === null ? `contains(inputs.commands, '${start}') && ` : "";
  const starts = words.flatMap((word) => (word.startsWith("/") ? [word] : [...WORD_ENDS].map((end) => word + end)));
  const inJson = (start: string) => `startsWith(toJSON(${text}), '"${start}')`;
  return joinTerms(
    [
      ...starts.map(
        (start) => isIn(start) + (start.startsWith("/") ? `startsWith(${text}, '${start}')` : inJson(start)),
      ),
      ...EMPTY_LINES.flatMap((line) => starts.map((start) => isIn(start) + inJson(line + start))),
    ],
    "||",
  );
}

const personConditions = (on: readonly string[]): string[] => [
  `${BY_A_PERSON} &&`,
  ...(isChosen(on, "reviews") ? SAME_REPOSITORY : []),
];

/** Joins `before` and `after` on one line if `after` begins with a parenthesis. */
const joinLines = (before: readonly string[], [first = "", ...after]: readonly string[]): string[] =>
  first === "!(" ? [...appendTo(before, first), ...after] : [...before, first, ...after];

const appendTo = (lines: readonly string[], end: string): string[] =>
  lines.map((line, at) => (at === lines.length - 1 ? `${line} ${end}` : line));

/**
 * True if the words of a phrase need no quoting in an expression in YAML. Only ASCII: GitHub ignores the case of all
 * letters, and `parseCommand` that of ASCII.
 */
export function isPlainPhrase(phrase: string): boolean {
  return /^[A-Za-z0-9 @/!#.+_-]*$/.test(phrase);
}

const joinTerms = (terms: readonly string[], operator: string): string[] =>
  terms.map((term, at) => (at === terms.length - 1 ? term : `${term} ${operator}`));

/**
 * The lines of an expression that is true for exactly the requests of `parseCommand`. GitHub's functions ignore case,
 * as the commands do. They have no patterns, so `/assayist` also starts a machine, which answers it. `or` is another
 * condition that starts a run, and `on` are the optional triggers of the workflow. The job `answer` has the texts that
 * begin with its commands, unless `withAnswers` is set.
 */
export function startCondition(
  phrase: string,
  options: {or?: string; withAnswers?: boolean; on?: readonly string[]; commands?: readonly string[]} = {},
): readonly string[] {
  const {or, withAnswers = false, on = [], commands = COMMAND_WORDS} = options;
  const events = wordlessConditions(on, or !== undefined);
  const texts = textCondition(phrase, {or, withAnswers, commands, text: textOf(on)});
  const asked =
    events.length === 0
      ? joinLines(personConditions(on), texts)
      : [...appendTo(personConditions(on), "("), ...events, ONLY_TEXT, ...texts, ")"];
  const rounds = [...(isChosen(on, "ci") ? RED_CI : []), ...(isChosen(on, "reviews") ? REVIEW_OF_BOT : [])];
  return rounds.length === 0 ? asked : ["(", ...rounds, ...asked, ")"];
}

/** A workflow that failed on a branch of Assay. The sender is the account that pushed, so it may be a bot. */
const RED_CI = [
  `${triggerOf("ci").expression} &&`,
  "github.event.workflow_run.head_repository.full_name == github.event.repository.full_name &&",
  "startsWith(github.event.workflow_run.head_branch, 'assay/') ||",
];

/** Assay itself reads which bots `verify.json` names. */
const REVIEW_OF_BOT = [
  "github.event.review && github.event.review.user.type == 'Bot' &&",
  "github.event.pull_request.head.repo.full_name == github.event.repository.full_name &&",
  "startsWith(github.event.pull_request.head.ref, 'assay/') ||",
];

function textCondition(
  phrase: string,
  options: {or: string | undefined; withAnswers: boolean; commands: readonly string[]; text: string},
): readonly string[] {
  const {or, withAnswers, commands, text} = options;
  const calls = triggerWords(phrase);
  const start = withAnswers ? [] : ["!(", ...beginsWith(text, ANSWERED_WORDS, commands), ") &&"];
  if (calls.length === 0) return [...start, `(${text}) != '' &&`, `!startsWith(${text}, '${OWN_MARK}')`];
  const words = commands.filter((word) => withAnswers || !ANSWERED_WORDS.includes(word));
  const terms = beginsWith(text, [...calls, ...words], or === undefined ? commands : null);
  return [...start, "(", ...(or === undefined ? [] : [`${or} ||`]), ...terms, ")"];
}

/** The condition of the called workflow. With another phrase, the caller's `if:` or Assay itself checks the comment. */
export const CALLED_CONDITION = startCondition(DEFAULT_PHRASE, {
  or: `inputs.trigger-phrase != '${DEFAULT_PHRASE}'`,
  on: TRIGGER_OPTIONS,
});

/** The condition of the job `answer`. In a called workflow, the commands are an input, and here null. */
export const answerCondition = (on: readonly string[], commands: readonly string[] | null): readonly string[] => {
  const words = ANSWERED_WORDS.filter((word) => commands?.includes(word) ?? true);
  if (words.length === 0) return ["false"];
  const conditions = [...personConditions(on), ...(wordlessConditions(on, false).length === 0 ? [] : [ONLY_TEXT])];
  return [...appendTo(conditions, "("), ...beginsWith(textOf(on), words, commands), ")"];
};
