/** What a run's failures say beside their wording: the message, the ref, the list of mistakes. All of it foreign text. */
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {TURN_END} from "./wording.ts";

export interface Facts {
  /** one line of context, or empty */
  readonly about: string;
  /** a program's or server's own words, or empty */
  readonly message: string;
  /** what has to be mended, one a line */
  readonly items: readonly {readonly where: string; readonly text: string}[];
}

const none: Facts = {about: "", message: "", items: []};

/** The facts of one failure. */
export function failureFacts(failure: Failure): Facts {
  switch (failure.kind) {
    case "config-invalid":
      return {
        about: failure.file,
        message: "",
        items: failure.mistakes.map(({path, message, hint}) => ({
          where: path,
          text: hint === "" ? message : `${message}${joint(message, hint)} ${hint}`,
        })),
      };
    case "missing-key":
      return {...none, about: `${failure.provider}: ${failure.variable}`};
    case "missing-permission":
      return {...none, about: `${failure.workflow}, job ${failure.job}`};
    case "agent-broke":
      return {...none, about: TURN_END[failure.end.kind], message: turnMessage(failure.end)};
    case "candidate-refused":
    case "handover-refused":
      return {...none, items: failure.problems.map((text) => ({where: "", text}))};
    case "protected-paths":
      return {...none, items: failure.paths.map((text) => ({where: "", text}))};
    case "could-not-search": {
      const more = failure.count - failure.paths.length;
      const rest = more > 0 ? [{where: "", text: `and ${more} more`}] : [];
      return {...none, items: [...failure.paths.map((text) => ({where: "", text})), ...rest]};
    }
    case "secret-in-change":
      return {
        ...none,
        items: failure.places.map(({path, line, what}) => ({
          where: line === null ? path : `${path}:${line}`,
          text: what,
        })),
      };
    case "push-refused":
    case "push-lost":
      return {...none, about: failure.ref, message: failure.message};
    case "github-refused":
      return {...none, about: `${failure.request} (${failure.status})`, message: failure.message};
    case "agent-unavailable":
    case "change-too-large":
    case "git-refused":
    case "head-moved":
    case "interrupted":
    case "no-sandbox":
    case "internal":
    case "signing-refused":
      return {...none, message: failure.message};
  }
}

/** A mistake is a fragment or a sentence, and so is its hint. */
function joint(message: string, hint: string): string {
  if (/[.?!]$/.test(message)) return "";
  return /^[A-Z]/.test(hint) ? "." : ";";
}

/** What a broken turn left as a message, in one line; empty when it said nothing. */
export function turnMessage(end: TurnEnd): string {
  switch (end.kind) {
    case "answered":
    case "cancelled":
      return "";
    case "model-failed":
    case "no-answer":
    case "not-started":
      return end.message;
    case "exited":
      return `exit code ${end.code}${end.message === "" ? "" : `: ${end.message}`}`;
    case "timed-out":
      return `after ${Math.round(end.afterMs / 1000)} s`;
    case "killed":
      return end.signal;
  }
}
