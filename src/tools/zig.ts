/** Zig: its compiler, its build system and its formatter. */
import type {ToolCommand} from "./tool-command.ts";

export const zigCommand: ToolCommand = {
  kinds: {lint: ["zig fmt"], test: ["zig build test", "zig test"], build: ["zig build"]},
  unsafe: [{match: "zig fmt !--check", add: ["--check"]}],
};
