/** Kiro: requirements per feature as EARS sentences ("WHEN … THE SYSTEM SHALL …"), and steering files. */
import type {SpecFormat} from "./format.ts";

export const kiro: SpecFormat = {
  name: "kiro",
  title: "Kiro",
  folders: [".kiro"],
  spec: /^\.kiro\/specs\/(?<name>[^/]+)\/requirements\.md$/,
  always: /^\.kiro\/steering\/[^/]+\.md$/,
  isLiving: false,
  sections: /./,
  lines: /\bSHALL\b/i,
  // Kiro itself loads a steering file with another inclusion only for some files, or by hand.
  isInForce: (text) => !/^---\r?\n[\s\S]*?^inclusion:\s*["']?(?!always)\w[\s\S]*?^---/m.test(text.slice(0, 1_000)),
  newSpec: ".kiro/specs/<feature>/requirements.md",
};
