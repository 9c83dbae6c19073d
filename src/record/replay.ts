/** The document of `assay replay` (`assay.replay/1`): a recorded verification, run again and compared. */
import {z} from "zod";
import {testCountsSchema} from "./evidence.ts";
import {STAGE_OUTCOMES} from "./words.ts";

const agreementSchema = z.enum(["reproduced", "differs", "not-replayed"]);
export type Agreement = z.infer<typeof agreementSchema>;

/** Why nothing was run, and why a check is not reproduced. */
const REPLAY_REASONS = [
  ...(["no-verification", "no-files", "other-files", "no-base", "foreign-base", "foreign-command"] as const),
  ...(["no-sandbox", "not-started", "outcome", "tests", "only-recorded", "only-here", "part-only"] as const),
  ...(["chance", "not-run-here", "verdict-only"] as const),
] as const;
export type ReplayReason = (typeof REPLAY_REASONS)[number];

/** Something around the checks, such as the files or the version of a tool; null if it is unknown. */
const circumstanceSchema = z.strictObject({
  name: z.string(),
  recorded: z.string().nullable(),
  here: z.string().nullable(),
});
export type Circumstance = z.infer<typeof circumstanceSchema>;

const seenCheckSchema = z.strictObject({
  outcome: z.enum(STAGE_OUTCOMES),
  exitCode: z.number().int().nullable(),
  tests: testCountsSchema.nullable(),
});
export type SeenCheck = z.infer<typeof seenCheckSchema>;

const seenTest = z.enum(["passed", "failed", "skipped"]).nullable();
const differingTestSchema = z.strictObject({name: z.string(), recorded: seenTest, here: seenTest});
export type DifferingTest = z.infer<typeof differingTestSchema>;

const replayedCheckSchema = z.strictObject({
  name: z.string(),
  recorded: seenCheckSchema.nullable(),
  here: seenCheckSchema.nullable(),
  agreement: agreementSchema,
  reason: z.enum(REPLAY_REASONS).nullable(),
  /** by name; null if one of the two runs does not name its tests. `differing`: the first 200 */
  tests: z.strictObject({reproduced: z.number().int(), differing: z.array(differingTestSchema)}).nullable(),
});
export type ReplayedCheck = z.infer<typeof replayedCheckSchema>;

const commandSchema = z.strictObject({name: z.string(), command: z.string(), cwd: z.string()});
export type NamedCommand = z.infer<typeof commandSchema>;

export const replaySchema = z.strictObject({
  schema: z.literal("assay.replay/1"),
  /** the run that the record says it is of */
  run: z.string(),
  /** true if it comes with a signature, which only `assay check` verifies */
  hasSignature: z.boolean(),
  result: z.enum(["reproduced", "differs", "refused", "undecided"]),
  /** why nothing was run, and what was found instead; null if the checks were run */
  reason: z.enum(REPLAY_REASONS).nullable(),
  detail: z.string(),
  circumstances: z.array(circumstanceSchema),
  /** the commands of the record that are not in the plan of this clone's base */
  foreignCommands: z.array(commandSchema),
  checks: z.array(replayedCheckSchema),
  verdict: z.strictObject({recorded: z.string(), here: z.string().nullable(), agreement: agreementSchema}),
  next: z.string(),
});
export type ReplayDocument = z.infer<typeof replaySchema>;
