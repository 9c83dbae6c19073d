/** The judge's opinion on an attempt: whether it does what was requested. An opinion is never a verdict. */
import {z} from "zod";
import {usageSchema} from "./usage.ts";

/** Why the judge objects. The first five are about the request, the others about the change and the answer. */
export const OPINION_CATEGORIES = [
  "goal_missed",
  "incomplete",
  "rule_violation",
  "tone_mismatch",
  "refusal",
  "unrelated_change",
  "overclaim",
  "test_special_case",
] as const;
const categorySchema = z.enum(OPINION_CATEGORIES);

/** Why there is no opinion. */
const NOT_JUDGED_REASONS = [
  "missing-key",
  "unavailable",
  "timed-out",
  "model-failed",
  "malformed",
  "too-long",
  "out-of-budget",
  "judge-failed",
  "no-judge-job",
  "cancelled",
] as const;
export type NotJudgedReason = (typeof NOT_JUDGED_REASONS)[number];

/** The subject of the note that explains why `/review` has no opinion. */
export const NO_OPINION = "second opinion";

/** One point of the request. */
const opinionPointSchema = z.object({
  text: z.string(),
  /** `void`: the quote occurs nowhere, so the answer does not count. `split`: the samples disagree */
  answer: z.enum(["met", "not-met", "cannot-tell", "void", "split"]),
  category: categorySchema.nullable(),
  reason: z.string(),
  quote: z.string(),
});
export type OpinionPoint = z.infer<typeof opinionPointSchema>;

/** An objection that belongs to no point, such as a change that was not requested. */
const objectionSchema = z.object({category: categorySchema, reason: z.string(), quote: z.string()});
export type Objection = z.infer<typeof objectionSchema>;

const circumstances = {
  /** true if the agent's own job made or passed on the opinion */
  isAdvisory: z.boolean().optional(),
  usage: usageSchema,
  durationMs: z.number(),
};

export const opinionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("judged"),
    /** `unclear`: no objection, and not every point is met. `split`: the samples disagree on a point */
    outcome: z.enum(["met", "not-met", "unclear", "split"]),
    points: z.array(opinionPointSchema),
    objections: z.array(objectionSchema),
    /** `provider/model`; empty if a rule of Assay decided without a model */
    model: z.string(),
    /** true if the agent's model is of the same family; null if that is unknown */
    isSameFamily: z.boolean().nullable(),
    /** parts that did not fit into the judge's context */
    cut: z.array(z.string()),
    ...circumstances,
  }),
  z.object({kind: z.literal("not-judged"), why: z.enum(NOT_JUDGED_REASONS), detail: z.string(), ...circumstances}),
]);
export type Opinion = z.infer<typeof opinionSchema>;
export type JudgedOpinion = Extract<Opinion, {kind: "judged"}>;
