/** Decides what can be decided about an attempt without a model. */
import type {Attempt} from "../record/attempt.ts";
import type {Objection} from "../record/opinion.ts";
import {claimsSomething} from "../record/words.ts";

/**
 * True if an attempt should be judged: a green one with a change, even after a turn that broke off, because it is
 * published; with `always` also an answer without changes.
 */
export function shouldBeJudged({verdict, changes, turn}: Attempt, when: "verified" | "always"): boolean {
  if (turn === null || turn.end.kind === "cancelled") return false;
  if (claimsSomething(verdict)) return true;
  if (verdict.kind !== "nothing-to-verify") return false;
  return changes.length > 0 || (when === "always" && turn.end.kind === "answered");
}

/** How models begin a refusal. Later in an answer the same words describe code. */
const APOLOGY = /^(?:i'?m (?:very |really )?sorry|sorry,|i apologi[sz]e|as an ai\b)/;
const INABILITY = /^(?:i'm afraid )?i (?:can ?not|can't|won't|will not|am (?:not able|unable) to) (work on\b|\w+)/;
const REFUSED = new Set([
  ...["help", "assist", "do", "comply", "fulfil", "continue", "make", "complete", "perform", "provide", "work on"],
  "support",
]);

function isRefusal(answer: string): boolean {
  const text = answer.toLowerCase().replaceAll("’", "'");
  return APOLOGY.test(text) || REFUSED.has(INABILITY.exec(text)?.[1] ?? "");
}

/** An objection to an answer without changes, before any call: nothing was said, or the agent refused. */
export function objectToAnswer({changes, turn}: Attempt): Objection | null {
  if (changes.length > 0) return null;
  const answer = turn?.answer.trim() ?? "";
  const noResult = {reason: "The agent changed nothing and answered nothing.", quote: ""};
  if (answer === "") return {category: "goal_missed", ...noResult};
  if (!isRefusal(answer)) return null;
  return {category: "refusal", reason: "The agent refused the request.", quote: answer.slice(0, 200)};
}

/** An objection after the first call: the request asks for a change, and there is none. */
export function objectToNoChange({changes}: Attempt, asksFor: "change" | "answer"): Objection | null {
  if (changes.length > 0 || asksFor === "answer") return null;
  return {category: "goal_missed", reason: "The request asks for a change, and no file changed.", quote: ""};
}
