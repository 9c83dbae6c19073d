/** Tests of a reported case that pass on the base: the agent changed nothing else. They do not show that no bug exists. */
import {z} from "zod";

export const reproductionSchema = z.object({
  tests: z.array(z.object({path: z.string(), line: z.number().int(), name: z.string(), text: z.string()})),
  /** the code that the request names and that these tests ran */
  ran: z.array(z.object({path: z.string(), name: z.string(), line: z.number().int()})),
});
export type Reproduction = z.infer<typeof reproductionSchema>;
