/** Linters and formatters of which the settings, or the command that fixes, are known. */
import type {Tool, ToolFiles} from "./tool.ts";

export const tyFiles: ToolFiles = {
  kind: "typecheck",
  files: /^ty\.toml$/,
  programs: ["ty"],
};

export const luacheckFiles: ToolFiles = {
  kind: "lint",
  files: /^\.luacheckrc$/,
  programs: ["luacheck"],
};

export const seleneFiles: ToolFiles = {
  kind: "lint",
  files: /^selene\.toml$/,
  programs: ["selene"],
};

export const terraform: Tool = {
  name: "terraform",
  fixes: [{check: /(?<tool>terraform|tofu) fmt\b.* -check\b/, fix: "fmt", files: /\.(?:tf|tfvars)$/}],
};
