/** A `verify.json` that an agent proposed, and what one run of each entry on the base showed. */
import {z} from "zod";
import {objectId} from "./verification.ts";

const rowSchema = z.object({
  part: z.enum(["new check", "change to", "removal of", "set-up", "setting"]),
  name: z.string(),
  command: z.string(),
  isKept: z.boolean(),
  /** what was seen of it, as a part of a sentence */
  seen: z.string(),
});
export type ProposalRow = z.infer<typeof rowSchema>;

export const setupProposalSchema = z.object({
  file: z.string(),
  rows: z.array(rowSchema),
  /** the values that check less than before, for the title */
  weaker: z.array(z.string()),
  /** other paths that the agent changed: they are not in the pull request */
  otherPaths: z.array(z.string()),
  /** the tree of the commit that only adds the kept entries; null if nothing was proposed */
  tree: objectId.nullable(),
});
export type SetupProposal = z.infer<typeof setupProposalSchema>;
