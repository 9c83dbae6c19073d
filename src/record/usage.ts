/** The tokens and the cost of calls to a model. */
import {z} from "zod";

export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costUsd: z.number(),
  /** true if some of the calls reported tokens without a cost: `costUsd` is then only a part */
  hasUnknownCost: z.boolean().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const NO_USAGE: Usage = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0};

/** The sum of any number of usages. */
export function addUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, usage) => ({
      input: sum.input + usage.input,
      output: sum.output + usage.output,
      cacheRead: sum.cacheRead + usage.cacheRead,
      cacheWrite: sum.cacheWrite + usage.cacheWrite,
      costUsd: sum.costUsd + usage.costUsd,
      ...((sum.hasUnknownCost || usage.hasUnknownCost) && {hasUnknownCost: true}),
    }),
    NO_USAGE,
  );
}
