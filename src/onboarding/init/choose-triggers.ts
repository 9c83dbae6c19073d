/** Reads `assay init --on`: the optional triggers of the workflow. */
import {ok, type Result, refused} from "../../record/words.ts";
import {DEFAULT_LABEL} from "../../request/default-phrase.ts";
import {isChosen, TRIGGER_OPTIONS} from "../../request/triggers.ts";

const NAMED: Readonly<Record<string, string>> = {label: "NAME", assignment: "LOGIN", schedule: "CRON"};
/** One field of a cron expression: `*`, a number or a range, with a step, in a list. */
const CRON_FIELD = /^(?:(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,2})?(?:,(?!$)|$))+$/;
/**
 * The smallest and the largest number of each field. GitHub refuses the whole file for another one:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#schedule
 */
const CRON_RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** Such names need no quoting in an expression in YAML. */
const PLAIN_NAME = /^[\p{L}\p{N} @/!#.+_-]*$/u;

/** `reviews,label` as `["reviews", "label:assay"]`; the failure is a sentence about the mistake. */
export function chooseTriggers(text: string): Result<string[], string> {
  // in a list of a cron expression, a digit follows the comma
  const parts = text.split(/,(?!\d)/).map((part) => part.trim());
  const triggers: string[] = [];
  for (const part of parts.filter((one) => one !== "")) {
    const [word = "", ...names] = part.split(":");
    const name = names.length > 0 ? names.join(":") : word === "label" ? DEFAULT_LABEL : "";
    if (!TRIGGER_OPTIONS.includes(word)) return refused(`--on accepts ${TRIGGER_OPTIONS.join(", ")}, and not ${part}`);
    if (!(word in NAMED) && part !== word) return refused(`--on ${word} takes no name, so write \`${word}\``);
    if (word in NAMED && name.trim() === "") return refused(`--on ${word} needs a name: \`${word}:${NAMED[word]}\``);
    if (word === "schedule" && !isCron(name))
      return refused("--on schedule:CRON needs the five fields of a cron expression, such as `schedule:0 5 * * 1`");
    if (word !== "schedule" && !PLAIN_NAME.test(name))
      return refused("--on accepts only names of letters, digits, spaces and @ / ! # . + _ -");
    if (isChosen(triggers, word))
      return refused(`--on accepts ${word} once; add further names and cron expressions to the workflow yourself`);
    triggers.push(name === "" ? word : `${word}:${name}`);
  }
  return ok(triggers);
}

function isCron(text: string): boolean {
  const fields = text.split(" ");
  return fields.length === CRON_RANGES.length && CRON_RANGES.every((range, at) => isField(fields[at] ?? "", range));
}

function isField(field: string, [min, max]: readonly [number, number]): boolean {
  const numbers = [...field.matchAll(/\d+/g)].map(({0: digits, index}) => {
    const smallest = field[index - 1] === "/" ? 1 : min;
    return Number(digits) >= smallest && Number(digits) <= max;
  });
  return CRON_FIELD.test(field) && numbers.every(Boolean);
}
