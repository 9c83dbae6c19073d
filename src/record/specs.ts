/** The specs that the agent got, and why. */
import {z} from "zod";

const givenSpecSchema = z.object({
  path: z.string(),
  name: z.string(),
  /** how relevant it is for the task; comparable within one run */
  score: z.number(),
  /** the words of the task with the most weight */
  words: z.array(z.string()),
  /** how many of its characters are in the prompt */
  chars: z.number().int(),
});

export const givenSpecsSchema = z.object({
  scorer: z.enum(["tf-idf", "names"]),
  /** the number of available specs */
  of: z.number().int(),
  /** files that every run gets, such as a constitution */
  always: z.array(z.string()),
  /** best first */
  given: z.array(givenSpecSchema),
});
export type GivenSpecs = z.infer<typeof givenSpecsSchema>;

/** The output of `assay plan --task`. It also has the best of the specs that the agent would not get. */
export const specRankingSchema = givenSpecsSchema.extend({
  others: z.array(givenSpecSchema),
  /** why no spec is ranked; null if one is */
  noneBecause: z.enum(["specs-off", "no-match", "no-specs", "no-shared-words"]).nullable(),
});
export type SpecRanking = z.infer<typeof specRankingSchema>;
