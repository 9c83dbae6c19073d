/** The judge's first call: turns the request into points that can be checked, before it sees the change. */
import {z} from "zod";
import type {Result} from "../record/words.ts";
import {encloseParts, PARTS_ARE_DATA, type PromptPart} from "./enclose.ts";
import {readStrictJson} from "./strict-json.ts";

const MAX_POINTS = 8;
const POINT_CHARS = 300;

export interface Criteria {
  /** whether the request asks for changed files, or only for an answer */
  readonly asksFor: "change" | "answer";
  readonly points: readonly string[];
}

const criteriaSchema = z.strictObject({
  asks_for: z.enum(["change", "answer"]),
  points: z.array(z.string().trim().min(1)).min(1).max(MAX_POINTS),
});

const TASK = `You prepare the review of a coding agent's work. You see the request, and on purpose not the work.

List what the work must do to fulfil the request, as 1 to ${MAX_POINTS} points. Each point is one short sentence about one thing that a reviewer can check in the changed files or in the answer. Include what the rules and specs of the project require for this request. Leave out what nobody asked for, matters of taste, and whether tests and builds pass: a machine checks those.

Answer with one JSON object and nothing else:
{"asks_for": "change" or "answer", "points": ["…"]}
"asks_for" is "answer" if the request is a question that needs no changed file.`;

/**
 * `parts` are the request and its surroundings. They contain nothing of the change, because the points would follow it.
 */
export function criteriaPrompt(parts: readonly PromptPart[]): string {
  return [TASK, PARTS_ARE_DATA, encloseParts(parts)].join("\n\n");
}

/** The points of a criteria answer, or why it is malformed. */
export function readCriteria(answer: string): Result<Criteria, string> {
  const criteriaResult = readStrictJson(answer, criteriaSchema);
  if (!criteriaResult.ok) return criteriaResult;
  const {asks_for: asksFor, points} = criteriaResult.value;
  return {ok: true, value: {asksFor, points: points.map((text) => oneLine(text, POINT_CHARS))}};
}

/** A text of the model as one line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (max <= 0) return "";
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
