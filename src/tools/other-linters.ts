/** Linters and formatters whose settings, or whose fix command, are known. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const terraform: Tool = {
  name: "terraform",
  fixes: [{commands: ["terraform fmt", "tofu fmt"], with: ["-check"], fix: "fmt", files: [".tf", ".tfvars"]}],
};

export const otherLinterCommands: readonly ToolCommand[] = [
  {
    kinds: {lint: ["luacheck"]},
    actions: {"lunarmodules/luacheck": "luacheck {args=.}"},
  },
  {
    kinds: {lint: ["selene"]},
  },
  {
    programs: ["terraform"],
    traits: ["command version"],
    kinds: {lint: ["terraform fmt", "terraform validate"]},
    unsafe: [
      {match: "terraform|tofu apply|plan|destroy|import|refresh", kind: "service"},
      {match: "terraform|tofu fmt !-check", add: ["-check"]},
    ],
  },
];
