/** What the scripted model answers when it plays the judge. */
import type {ScriptedTurn} from "./model.ts";

/** The first call: the points of the request. */
export function criteria(points: readonly string[], asksFor: "change" | "answer" = "change"): ScriptedTurn {
  return {when: /^You prepare the review[\s\S]*<request-/, say: JSON.stringify({asks_for: asksFor, points})};
}

/** The prompt of the second call. */
export const JUDGEMENT = /^You review a coding agent's work[\s\S]*<facts-/;

/** One point's answer, with a quote of what the judge was shown. */
export interface JudgeAnswer {
  readonly answer: "met" | "not met" | "cannot tell";
  readonly quote: string;
  readonly reason?: string;
  readonly category?: string;
}

/** The second call: an answer for each point. */
export function judgement(answers: readonly JudgeAnswer[], objections: readonly object[] = []): ScriptedTurn {
  const points = answers.map((one, at) => ({point: at + 1, reason: "The judge says so.", ...one}));
  return {when: JUDGEMENT, say: JSON.stringify({points, objections})};
}
