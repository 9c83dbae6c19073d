/** The few numbers of a run that its comment keeps in a hidden place, so that `assay stats` needs no record. */
import {z} from "zod";
import {FAILURE_KINDS, FINDING_LEVELS, INTEGRITY_CHECK_NAMES, STAGE_OUTCOMES} from "./words.ts";

const count = z.int().nonnegative();
/** The checks are those of the last verification. */
export const runFactsSchema = z.object({
  attempts: count,
  /** name, outcome, kind of failure or "", whole seconds */
  checks: z.array(
    z.tuple([z.string(), z.enum(STAGE_OUTCOMES), z.enum([...FAILURE_KINDS, ""]), z.number().nonnegative()]),
  ),
  /** names of tests that failed and passed on the same files */
  flaky: z.array(z.string()),
  findings: z.array(z.tuple([z.enum(INTEGRITY_CHECK_NAMES), z.enum(FINDING_LEVELS), count])),
  /** kinds of what failed outside of the checks */
  failures: z.array(z.string()),
  /** why the run is unverified, or had nothing to verify */
  why: z.string().optional(),
  /** the pull request that has the change */
  pull: count.optional(),
  /** a person accepted the findings */
  approved: z.literal(true).optional(),
});
export type RunFacts = z.infer<typeof runFactsSchema>;
