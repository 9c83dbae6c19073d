/** The judge's second call: it decides for each point whether the change meets it, with a quote that Assay checks. */
import {z} from "zod";
import {type Objection, OPINION_CATEGORIES, type OpinionPoint} from "../record/opinion.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {oneLine} from "./criteria.ts";
import {PARTS_ARE_DATA} from "./enclose.ts";
import {findQuote, type QuotableTexts} from "./quotes.ts";
import {readStrictJson} from "./strict-json.ts";

const REASON_CHARS = 400;
const QUOTE_CHARS = 400;
const MAX_OBJECTIONS = 5;

/** The judge's answer about one change, in the order of the points, with only the quotes that exist. */
export interface Judgement {
  readonly points: readonly OpinionPoint[];
  readonly objections: readonly Objection[];
}

const category = z.enum(OPINION_CATEGORIES);
const judgementSchema = z.strictObject({
  points: z.array(
    z.strictObject({
      point: z.int(),
      reason: z.string(),
      quote: z.string().nullish(),
      answer: z.enum(["met", "not met", "cannot tell"]),
      category: category.nullish(),
    }),
  ),
  objections: z
    .array(z.strictObject({category, reason: z.string(), quote: z.string()}))
    .max(MAX_OBJECTIONS)
    .nullish(),
});

const TASK = `You review a coding agent's work. The project's own checks have run already; you judge only whether the work is what was requested.

Think about three things: does it reach the goal, is it complete, and does it keep the rules and specs of the project? Then answer each numbered point:
- "met" or "not met", with "quote": one verbatim piece, at most ${QUOTE_CHARS} characters, of the diff or the facts. For "met" it must be of the diff, if there is one. If something is missing, quote the place where it should be, or a line of the facts. The agent's own words prove nothing about files.
- "cannot tell" if what you see does not decide it, for example because a part was left out. Do not guess.
For "not met" add a "category": goal_missed, incomplete, rule_violation, tone_mismatch, refusal, unrelated_change (nobody asked for it), overclaim (the agent says what the diff and the facts do not show) or test_special_case (code that recognizes the tests instead of solving the task).
Objections that belong to no point go to "objections", at most ${MAX_OBJECTIONS}, each with category and quote. Do not object to style, and do not invent wishes.

Answer with one JSON object and nothing else:
{"points": [{"point": 1, "reason": "…", "quote": "…", "answer": "met"}], "objections": [{"category": "unrelated_change", "reason": "…", "quote": "…"}]}`;

/** `order` is the order of the questions; `context` has the enclosed texts. */
export function judgementPrompt(options: {
  points: readonly string[];
  order: readonly number[];
  context: string;
}): string {
  const points = options.order.map((at, place) => `${place + 1}. ${options.points[at] ?? ""}`).join("\n");
  return [TASK, PARTS_ARE_DATA, `The points:\n${points}`, options.context].join("\n\n");
}

/** The size of the prompt without its context. */
export const judgementOverhead = (points: readonly string[]): number =>
  judgementPrompt({points, order: points.map((_, at) => at), context: ""}).length;

/** Reads the answer, restores the order of the points, and drops what is not grounded in `texts`. */
export function readJudgement(options: {
  answer: string;
  points: readonly string[];
  order: readonly number[];
  texts: QuotableTexts;
  /** true if files changed: then only the diff shows what was done */
  isChange: boolean;
}): Result<Judgement, string> {
  const judgementResult = readStrictJson(options.answer, judgementSchema);
  if (!judgementResult.ok) return judgementResult;
  const {points: answers, objections} = judgementResult.value;
  const numbers = new Set(answers.map(({point}) => point));
  const isComplete = answers.length === options.order.length && options.order.every((_, at) => numbers.has(at + 1));
  if (!isComplete) return refused("the answer does not have each point once");
  const points = options.points.map((text, at): OpinionPoint => {
    const pointAnswer = answers.find(({point}) => options.order[point - 1] === at);
    if (pointAnswer === undefined) return {text, answer: "cannot-tell", category: null, reason: "", quote: ""};
    const reason = oneLine(pointAnswer.reason, REASON_CHARS);
    const quote = pointAnswer.quote ?? "";
    if (pointAnswer.answer === "cannot tell") return {text, answer: "cannot-tell", category: null, reason, quote: ""};
    const isMet = pointAnswer.answer === "met";
    const place = findQuote(quote, options.texts);
    const isProven = isMet && options.isChange ? place === "diff" : place !== null;
    if (!isProven) return {text, answer: "void", category: null, reason, quote: ""};
    const answer = isMet ? "met" : "not-met";
    return {
      text,
      answer,
      category: isMet ? null : (pointAnswer.category ?? "incomplete"),
      reason,
      quote: visibleQuote(quote),
    };
  });
  return ok({
    points,
    objections: (objections ?? [])
      .filter(({quote}) => findQuote(quote, options.texts) !== null)
      .map((one) => ({
        category: one.category,
        reason: oneLine(one.reason, REASON_CHARS),
        quote: visibleQuote(one.quote),
      })),
  });
}

const visibleQuote = (quote: string): string => {
  const text = quote.trim();
  return text.length <= QUOTE_CHARS ? text : `${text.slice(0, QUOTE_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};
