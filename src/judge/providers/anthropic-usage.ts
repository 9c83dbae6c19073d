/** The token counts in answers of Anthropic's API, which Claude Code's events and the judge's endpoint both contain. */
import {z} from "zod";
import type {Usage} from "../../record/usage.ts";

const count = z.number().nonnegative().catch(0);

/** Null if the answer has no counts. */
export const anthropicUsageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .nullish()
  .catch(null);

export function anthropicTokens(usage: z.infer<typeof anthropicUsageSchema>): Omit<Usage, "costUsd"> {
  return {
    input: usage?.input_tokens ?? 0,
    output: usage?.output_tokens ?? 0,
    cacheRead: usage?.cache_read_input_tokens ?? 0,
    cacheWrite: usage?.cache_creation_input_tokens ?? 0,
  };
}
