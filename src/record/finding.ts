/** A finding: one result of an integrity check, that is, one way in which a change weakens its own checks. */
import {z} from "zod";

/**
 * `block`: not verified until a person approves. `flag`: shown at the top of the report. `note`: shown in the details.
 */
export const FINDING_LEVELS = ["block", "flag", "note"] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** The checks, in the order of their findings in a report. */
export const INTEGRITY_CHECK_NAMES = [
  "removed-tests",
  "disabled-tests",
  "weakened-tests",
  "mocked-subject",
  "runner-tricks",
  "scripts",
  "settings",
  "replaced-tools",
  "suppressions",
  "test-detection",
  "dependencies",
  "snapshots",
  "new-tests",
  "lost-tests",
  "unnoticed-failures",
  "base-replay",
  "not-inspected",
] as const;
export type IntegrityCheckName = (typeof INTEGRITY_CHECK_NAMES)[number];

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
