/** The facts of a failure as text: its context, its message and its problems. The action loads this at its start. */
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {TURN_END} from "./failure-words.ts";

/** All of it is foreign text. */
interface FailureFacts {
  /** one line of context, or empty */
  readonly about: string;
  /** the message of a program or server, or empty */
  readonly message: string;
  /** the problems to fix */
  readonly items: readonly {readonly where: string; readonly text: string}[];
}

const NO_FACTS: FailureFacts = {about: "", message: "", items: []};

/** The facts of one failure. */
export function failureFacts(failure: Failure): FailureFacts {
  switch (failure.kind) {
    case "config-invalid":
      return {
        ...NO_FACTS,
        about: failure.file,
        items: failure.mistakes.map(({path, message, hint}) => ({
          where: path,
          text: hint === "" ? message : `${message}${punctuationBefore(message, hint)} ${hint}`,
        })),
      };
    case "missing-key":
      return {...NO_FACTS, about: `${failure.provider}: ${failure.variable}`};
    case "missing-permission":
      return {...NO_FACTS, about: `${failure.workflow}, job ${failure.job}`};
    case "agent-broke":
      return {...NO_FACTS, about: TURN_END[failure.end.kind].text, message: turnMessage(failure.end)};
    case "candidate-refused":
    case "handover-refused":
      return {...NO_FACTS, items: failure.problems.map((text) => ({where: "", text}))};
    case "job-without-result":
      return {...NO_FACTS, about: `job \`${failure.job}\``};
    case "judge-objects":
      return {...NO_FACTS, items: failure.objections.map((text) => ({where: "", text}))};
    case "protected-paths":
      return {...NO_FACTS, items: failure.paths.map((text) => ({where: "", text}))};
    case "could-not-search": {
      const hiddenCount = failure.count - failure.paths.length;
      const remainder = hiddenCount > 0 ? [{where: "", text: `and ${hiddenCount} more`}] : [];
      return {...NO_FACTS, items: [...failure.paths.map((text) => ({where: "", text})), ...remainder]};
    }
    case "secret-in-change":
      return {
        ...NO_FACTS,
        items: failure.places.map(({path, line, what}) => ({
          where: line === null ? path : `${path}:${line}`,
          text: what,
        })),
      };
    case "undo-refused":
    case "update-refused":
      return {...NO_FACTS, message: failure.message, items: failure.paths.map((text) => ({where: "", text}))};
    case "push-refused":
    case "push-lost":
      return {...NO_FACTS, about: failure.ref, message: failure.message};
    case "github-refused":
      return {...NO_FACTS, about: `${failure.request} (${failure.status})`, message: failure.message};
    case "agent-unavailable":
    case "approval-refused":
    case "change-too-large":
    case "git-refused":
    case "grown":
    case "head-moved":
    case "interrupted":
    case "no-sandbox":
    case "internal":
    case "signing-refused":
      return {...NO_FACTS, message: failure.message};
  }
}

/** The punctuation between a mistake and its hint. Each is a fragment or a sentence. */
function punctuationBefore(message: string, hint: string): string {
  if (/[.?!]$/.test(message)) return "";
  return /^[A-Z]/.test(hint) ? "." : ";";
}

/** The message of a turn that did not end normally, in one line; may be empty. */
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
