/** GitHub's spec-kit: a constitution, and one spec per feature, written before the feature and not kept up to date. */
import type {SpecFormat} from "./format.ts";

export const specKit: SpecFormat = {
  name: "spec-kit",
  title: "spec-kit",
  folders: [".specify", "specs"],
  spec: /^(?:\.specify\/)?specs\/\d+-(?<name>[^/]+)\/spec\.md$/,
  always: /^\.specify\/memory\/constitution\.md$/,
  isLiving: false,
  sections: /./,
  // functional requirements, success criteria and acceptance scenarios
  lines: /\b(?:FR|NFR|SC)-\d+|\*\*(?:Given|When|Then)\*\*/,
  newSpec: "specs/<number>-<feature>/spec.md",
};
