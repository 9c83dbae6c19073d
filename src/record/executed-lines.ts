/** Which of the changed lines a test ran. It never decides a verdict. */
import {z} from "zod";

const rangeSchema = z.object({path: z.string(), from: z.number().int(), to: z.number().int()});
export type LineRange = z.infer<typeof rangeSchema>;

export const executedLinesSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("measured"),
    /** the changed lines with code that the coverage tool counts, and those of them that a test ran */
    all: z.number().int(),
    run: z.number().int(),
    /** the first of the others */
    notRun: z.array(rangeSchema),
    /** true if all tests of the check ran, and not only those that are likely to run the changed lines */
    byAllTests: z.boolean(),
    /** changed files of which no report counts a changed line */
    unknown: z.array(z.string()),
    durationMs: z.number(),
  }),
  z.object({kind: z.literal("out-of-time"), durationMs: z.number()}),
]);
export type ExecutedLines = z.infer<typeof executedLinesSchema>;
