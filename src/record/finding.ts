/** A finding: one result of an integrity check, that is, one way in which a change weakens its own checks. */
import {z} from "zod";
import {FINDING_LEVELS, INTEGRITY_CHECK_NAMES} from "./words.ts";

export const findingSchema = z.object({
  check: z.enum(INTEGRITY_CHECK_NAMES),
  level: z.enum(FINDING_LEVELS),
  path: z.string(),
  /** in the candidate's file; null if the place no longer exists */
  line: z.number().int().positive().nullable(),
  message: z.string(),
  fix: z.string(),
});
export type IntegrityFinding = z.infer<typeof findingSchema>;
