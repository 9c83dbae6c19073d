/** A failure as lines for a terminal or a log. */
import type {Failure} from "../record/failure.ts";
import {failureFacts} from "../report/failure-facts.ts";
import {FAILURES} from "../report/failure-words.ts";
import {plainNextStep} from "../report/plain-next-step.ts";

/** What it is, its facts, and what to do next. */
export function failureLines(failure: Failure, place: "terminal" | "workflow" = "terminal"): string[] {
  const {headline} = FAILURES[failure.kind];
  const {about, message, items} = failureFacts(failure);
  return [
    `${headline}${about === "" ? "" : ` (${about})`}`,
    ...(message === "" ? [] : [message]),
    ...items.map(({where, text}) => `  ${where === "" ? text : `${where}: ${text}`}`),
    plainNextStep(failure, place),
  ];
}
