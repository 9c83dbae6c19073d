/** What one run of a line on the untouched base showed: the proof of a stage, or the reason why it is none. */
import {z} from "zod";
import {testCountsSchema} from "./evidence.ts";

/** Only `proved` makes a stage: it ended by itself with 0, its evidence counts, and it left the files as they were. */
export const proofOutcomeSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("proved")}),
  z.object({kind: z.literal("changed-files"), files: z.array(z.string())}),
  z.object({kind: z.literal("no-evidence"), why: z.string()}),
  z.object({kind: z.literal("failed"), why: z.string()}),
  z.object({kind: z.literal("wanted-network"), why: z.string()}),
  z.object({kind: z.literal("tools-missing"), tools: z.array(z.string())}),
  z.object({kind: z.literal("timed-out"), seconds: z.number()}),
  z.object({kind: z.literal("not-run"), why: z.string()}),
]);
export type ProofOutcome = z.infer<typeof proofOutcomeSchema>;

export const lineProofSchema = z.object({
  /** the stage that the line is, or would become */
  name: z.string(),
  command: z.string(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  outcome: proofOutcomeSchema,
  /** null unless it ended by itself */
  exitCode: z.number().int().nullable(),
  tests: testCountsSchema.nullable(),
  /** tracked paths that it changed, and new paths that git does not ignore */
  changedFiles: z.array(z.string()),
  missingTools: z.array(z.string()),
  /** packets to another machine that had no route; null if that was not observed, or the network was on */
  networkAttempts: z.number().int().min(0).nullable(),
  durationMs: z.number(),
  excerpt: z.string(),
});
export type LineProof = z.infer<typeof lineProofSchema>;
