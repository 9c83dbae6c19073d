/** spec-sync (also read by the Merlin agent): one spec per module, with the files that it owns in its front matter. */
import type {SpecFormat} from "./format.ts";

export const specSync: SpecFormat = {
  name: "spec-sync",
  title: "spec-sync",
  folders: ["specs"],
  // `_template.spec.md` is a template to copy.
  spec: /^specs\/(?:.*\/)?(?<name>[^/_][^/]*)\.spec\.md$/,
  isLiving: true,
  sections: /^(?:purpose|invariants|public api|error cases)$/i,
  newSpec: "specs/<module>/<module>.spec.md",
};
