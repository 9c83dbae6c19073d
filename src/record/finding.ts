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
  /** the tests of the base that notice less, or fail; absent if the finding may be about any test of its file */
  tests: z.array(z.object({file: z.string().nullable(), name: z.string()})).optional(),
  /** further files that the finding is about, such as those of the failed tests */
  files: z.array(z.string()).optional(),
});
export type IntegrityFinding = z.infer<typeof findingSchema>;
