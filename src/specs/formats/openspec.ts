/** OpenSpec: one spec per capability, made of requirements with scenarios. Proposed changes bind nothing yet. */
import type {SpecFormat} from "./format.ts";

export const openSpec: SpecFormat = {
  name: "openspec",
  title: "OpenSpec",
  folders: ["openspec"],
  spec: /^openspec\/specs\/(?<name>.+)\/spec\.md$/,
  always: /^openspec\/project\.md$/,
  isLiving: true,
  sections: /^(?:purpose|requirement:.*)$/i,
  newSpec: "openspec/specs/<capability>/spec.md",
};
