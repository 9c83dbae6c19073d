/** Specs that the owner names in verify.json and that no known format claims: Markdown with any sections. */
import type {SpecFormat} from "./format.ts";

export const configured: SpecFormat = {
  name: "configured",
  title: "verify.json",
  folders: [],
  spec: /(?<name>[^/]+?)(?:\.spec)?(?:\.\w+)?$/,
  isLiving: true,
  sections: /^(?:purpose|invariants|public api|error cases|requirements?|constraints|rules)\b/i,
  newSpec: "a file next to the other specs",
};
