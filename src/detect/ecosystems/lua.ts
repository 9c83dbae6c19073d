/** Lua: rocks and plug-ins, by their configured tools. */
import {inside} from "../files/project.ts";
import {findFirst, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const lua: Ecosystem = {
  name: "lua",
  title: "Lua",
  manifests: ["*.rockspec", ".busted", ".luacheckrc", "selene.toml", "stylua.toml", ".stylua.toml"],
  where: "anywhere",
  detect,
};

const BUSTED = {name: "busted", hint: "install busted with luarocks before Assay"};
const TOOLS: readonly CheckRow[] = [
  {kind: "lint", command: "luacheck .", configs: [".luacheckrc"], tools: [programOf("luacheck")]},
  {kind: "lint", command: "selene .", configs: ["selene.toml"], tools: [programOf("selene")]},
  {
    kind: "lint",
    command: "stylua --check .",
    configs: ["stylua.toml", ".stylua.toml"],
    tools: [programOf("stylua")],
    label: "format",
  },
];

function programOf(name: string): {name: string; hint: string} {
  return {name, hint: `install ${name} before Assay`};
}

function detect({project, root}: ProjectFolder): Proposal {
  if (!hasFileBelow(project, root, /\.lua$/)) return {};
  const busted = findFirst(project, root, [".busted"]);
  const rock = project
    .inFolder(root)
    .find((path) => path.endsWith(".rockspec") && project.text(path)?.includes("busted"));
  const file = busted ?? rock;
  const hasSpecs = hasFileBelow(project, inside(root, "spec"), /_spec\.lua$/);
  const origin = originOf(file ?? "", "busted is configured", busted === null ? "busted" : ".busted");
  const test: CheckRow = {kind: "test", command: "busted", evidence: "tool", when: file !== undefined && hasSpecs};
  return {tool: BUSTED, origin, checks: [...TOOLS, test]};
}
