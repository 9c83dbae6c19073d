/** Vite+: one program for the tools around Vite. Its `test` is Vitest, which ends by itself here. */
import type {ToolCommand} from "./tool-command.ts";

export const vitePlusCommand: ToolCommand = {
  programs: ["vp"],
  traits: ["node package", "never a script", "subcommands"],
  kinds: {lint: ["vp lint", "vp fmt", "vp check"], test: ["vp test"], build: ["vp build", "vp pack"]},
  starts: {"vp test": ["vitest"], "vp lint": ["oxlint"]},
  unsafe: [
    {match: "vp test watch", kind: "watch"},
    {match: "vp build|pack -w|--watch", kind: "watch"},
    {match: "vp dev|preview", kind: "server"},
    {match: "vp fmt !--check", add: ["--check"]},
    {match: "vp install|i|add|remove|update|up|dlx|create|env|upgrade", kind: "download"},
    {match: "vp migrate|config|staged|implode|link|unlink"},
  ],
};
