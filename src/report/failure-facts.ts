/** The facts of a failure as text: its context, its message and its problems. The action loads this at its start. */
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {TURN_END} from "./failure-words.ts";
import {money} from "./format.ts";

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
      return {...NO_FACTS, about: failure.file, items: failure.mistakes.map(mistakeItem)};
    case "missing-key":
      return {...NO_FACTS, about: `${failure.provider}: ${failure.variable}`};
    case "program-missing":
      return {...NO_FACTS, items: [{where: failure.program, text: `needed by ${failure.check}: ${failure.message}`}]};
    case "missing-permission":
      return {...NO_FACTS, about: `${failure.workflow}, job ${failure.job}`};
    case "agent-broke":
      return {...NO_FACTS, about: TURN_END[failure.end.kind].text, message: turnMessage(failure.end)};
    case "candidate-refused":
    case "handover-refused":
      return listOf(failure.problems);
    case "job-without-result":
      return {...NO_FACTS, about: `job \`${failure.job}\``};
    case "judge-objects":
      return listOf(failure.objections);
    case "protected-paths":
      return listOf(failure.paths);
    case "could-not-search": {
      const hiddenCount = failure.count - failure.paths.length;
      return listOf([...failure.paths, ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : [])]);
    }
    case "secret-in-change": {
      const whereOf = (path: string, line: number | null) => (line === null ? path : `${path}:${line}`);
      return {
        ...NO_FACTS,
        items: failure.places.map(({path, line, what}) => ({where: whereOf(path, line), text: what})),
      };
    }
    case "undo-refused":
    case "update-refused":
      return {...listOf(failure.paths), message: failure.message};
    case "push-refused":
    case "push-lost":
      return {...NO_FACTS, about: failure.ref, message: failure.message};
    case "github-refused":
      return {...NO_FACTS, about: `${failure.request} (${failure.status})`, message: failure.message};
    case "spending-limit":
      return {...NO_FACTS, message: spendingSentence(failure)};
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

const mistakeItem = ({path, message, hint}: {path: string; message: string; hint: string}) => ({
  where: path,
  text: hint === "" ? message : `${message}${punctuationBefore(message, hint)} ${hint}`,
});

const listOf = (texts: readonly string[]): FailureFacts => ({
  ...NO_FACTS,
  items: texts.map((text) => ({where: "", text})),
});

function spendingSentence(failure: Extract<Failure, {kind: "spending-limit"}>): string {
  const {scope, period, limit, spent, reserved, wanted, renews} = failure;
  const rest = `${money(reserved)} are reserved by other runs, and this run may cost up to ${money(wanted)}`;
  return `Of this ${scope}'s ${money(limit)} a ${period}, ${money(spent)} are spent, ${rest}. The ${period} renews on ${renews} at 00:00 UTC.`;
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
