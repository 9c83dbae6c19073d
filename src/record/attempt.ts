/** An attempt: the agent's turn, and the verification after it. */
import {z} from "zod";
import {opinionSchema} from "./opinion.ts";
import {sensitivitySchema} from "./sensitivity.ts";
import {usageSchema} from "./usage.ts";
import {candidateSchema, changeSchema, verdictSchema, verificationSchema} from "./verification.ts";

/** The end of an agent's turn. Everything except `answered` is an incomplete turn: reported, but not fatal. */
export const turnEndSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("answered")}),
  z.object({kind: z.literal("model-failed"), message: z.string()}),
  z.object({kind: z.literal("no-answer"), message: z.string()}),
  z.object({kind: z.literal("timed-out"), afterMs: z.number()}),
  z.object({kind: z.literal("killed"), signal: z.string()}),
  z.object({kind: z.literal("exited"), code: z.number(), message: z.string()}),
  z.object({kind: z.literal("not-started"), message: z.string()}),
  z.object({kind: z.literal("cancelled")}),
]);
export type TurnEnd = z.infer<typeof turnEndSchema>;

/** One prompt to the agent, and its answer. */
const turnSchema = z.object({
  end: turnEndSchema,
  answer: z.string(),
  usage: usageSchema,
  model: z.string(),
  durationMs: z.number(),
  /** the tool calls as the log has them, each once; absent if the agent reports none, or too many */
  actions: z.array(z.string()).optional(),
});
export type Turn = z.infer<typeof turnSchema>;

/**
 * The agent's turn and the verification after it. The second and later attempts are fixes. `/verify` and the command
 * line have one attempt without a turn. The last attempt of a record counts: it has the highest number, unless work
 * after an objection of the judge or a request for tests did not pass.
 */
export const attemptSchema = z.object({
  number: z.number().int().positive(),
  turn: turnSchema.nullable(),
  candidate: candidateSchema.nullable(),
  changes: z.array(changeSchema),
  verification: verificationSchema.nullable(),
  verdict: verdictSchema,
  /**
   * present if formatters or linters changed the candidate; candidate, changes and verification then describe the
   * result
   */
  autofix: z.object({commands: z.array(z.string()), paths: z.array(z.string())}).optional(),
  /** absent without a judge, and if there was nothing to judge */
  opinion: opinionSchema.optional(),
  /** present if the agent should be asked for tests; `notNoticed` is then the reason for the next attempt */
  sensitivity: sensitivitySchema.optional(),
  /** how many held-out tests failed on it, if the next turn was about them */
  heldOutFailures: z.number().int().optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** The attempt whose work is published or parked: the last one with a candidate. Its verdict can be any. */
export function keptAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  const lastAttempt = attempts.at(-1);
  return lastAttempt?.candidate === null ? attempts.findLast(({candidate}) => candidate !== null) : lastAttempt;
}
