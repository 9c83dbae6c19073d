/** The results of a candidate's new and changed tests on the sources of the base. */
import {z} from "zod";

/**
 * Why a test fails on the base. `assertion`: it asserts something else. `missing`: it calls code that the base lacks.
 * `error`: another error. `not-loaded`: its file, or a file that it is compiled with, cannot be loaded without the
 * change.
 */
const BITE_REASONS = ["assertion", "missing", "error", "not-loaded"] as const;
export type BiteReason = (typeof BITE_REASONS)[number];

const biteTestSchema = z.object({
  path: z.string(),
  /** with its groups */
  name: z.string(),
  line: z.number().int(),
  isNew: z.boolean(),
  onBase: z.discriminatedUnion("kind", [
    z.object({kind: z.literal("fails"), why: z.enum(BITE_REASONS), message: z.string()}),
    z.object({kind: z.literal("passes")}),
    z.object({kind: z.literal("unknown"), why: z.string()}),
  ]),
});
export type BiteTest = z.infer<typeof biteTestSchema>;

export const biteSchema = z.object({
  /** the first 200 */
  tests: z.array(biteTestSchema),
  durationMs: z.number(),
  /** faults in the changed lines that the new tests were run with, if they all pass on the base but one must not */
  faults: z.object({noticed: z.number().int(), notNoticed: z.number().int()}).optional(),
});
export type Bite = z.infer<typeof biteSchema>;

/** True for a test that fails without the change: with a clear reason, or because it cannot be loaded. */
export const failsOnBase = ({onBase}: BiteTest): boolean => onBase.kind === "fails";
