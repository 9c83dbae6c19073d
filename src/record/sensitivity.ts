/** The result of injecting faults into the changed lines: which of them made a test fail. It never decides a verdict. */
import {z} from "zod";

const mutantSchema = z.object({
  path: z.string(),
  line: z.number().int(),
  /** the code before and after the fault, each a part of one line */
  from: z.string(),
  to: z.string(),
});
export type InjectedFault = z.infer<typeof mutantSchema>;

export const sensitivitySchema = z.object({
  /** faults that made a test fail, and those that did not; faults that do not compile count in neither */
  noticed: z.number().int(),
  notNoticed: z.array(mutantSchema),
  /** faults that were not tried, because the time was up */
  left: z.number().int(),
  durationMs: z.number(),
});
export type Sensitivity = z.infer<typeof sensitivitySchema>;
