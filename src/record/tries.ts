/** The tries of one request, and the evidence by which one of them was chosen. The attempts of a record are those of the chosen one. */
import {z} from "zod";
import {usageSchema} from "./usage.ts";
import {candidateSchema, verdictSchema} from "./verification.ts";
import {TRY_MODES, UNSAVED_REASONS} from "./words.ts";

/** A part of a whole, such as executed lines. */
const shareSchema = z.object({part: z.number().int(), all: z.number().int()});

/** One try: a session from the base, with its fixes. */
const trySchema = z.object({
  number: z.number().int().positive(),
  /** null if it has no changes */
  candidate: candidateSchema.nullable(),
  verdict: verdictSchema,
  /** findings that block or that a person should read */
  findings: z.number().int(),
  /** other tries with tests that ran on this one, and of these those with a failing test; absent if not compared */
  foreignFailed: shareSchema.optional(),
  /** the numbers of the latter */
  failsTestsOf: z.array(z.number().int()).optional(),
  /** changed lines that a test runs, and injected faults that a test notices; absent if not measured */
  executed: shareSchema.optional(),
  noticed: shareSchema.optional(),
  /** held-out tests that pass */
  heldOut: shareSchema.optional(),
  /** added and removed lines; null if unknown */
  lines: z.number().int().nullable(),
  usage: usageSchema,
  durationMs: z.number(),
  /** the model, if the tries have several agents or models */
  model: z.string().optional(),
  /** where its work is, if another one was chosen */
  ref: z.string().optional(),
  /** why it is saved nowhere */
  unsaved: z.enum(UNSAVED_REASONS).optional(),
});
export type Try = z.infer<typeof trySchema>;

export const triesSchema = z.object({
  mode: z.enum(TRY_MODES),
  /** the number of the chosen one */
  chosen: z.number().int(),
  /** the numbers of those that the evidence does not tell apart from it */
  ties: z.array(z.number().int()),
  rows: z.array(trySchema),
});
export type Tries = z.infer<typeof triesSchema>;
