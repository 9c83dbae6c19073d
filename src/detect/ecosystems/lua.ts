/** Lua: rocks and plug-ins, by their configured tools. */
import type {StageKind} from "../../record/words.ts";
import {inside} from "../files/project.ts";
import {filesBelow, findFirst, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const TOOLS: readonly {
  kind: StageKind;
  program: string;
  command: string;
  configs: readonly string[];
  label?: string;
}[] = [
  {kind: "lint", program: "luacheck", command: "luacheck .", configs: [".luacheckrc"]},
  {kind: "lint", program: "selene", command: "selene .", configs: ["selene.toml"]},
  {
    kind: "lint",
    program: "stylua",
    command: "stylua --check .",
    configs: ["stylua.toml", ".stylua.toml"],
    label: "format",
  },
];

export const lua: Ecosystem = {
  name: "lua",
  title: "Lua",
  manifests: ["*.rockspec", ".busted", ".luacheckrc", "selene.toml", "stylua.toml", ".stylua.toml"],
  where: "anywhere",
  detect({project, root}) {
    if (filesBelow(project, root, /\.lua$/).length === 0) return EMPTY_PROPOSAL;
    const stages = TOOLS.flatMap((tool): CandidateStage[] => {
      const config = findFirst(project, root, tool.configs);
      if (config === null) return [];
      const draft = stageFactory({cwd: root, tool: {name: tool.program, hint: `install ${tool.program} before Assay`}});
      const origin = {
        file: config,
        key: config.slice(config.lastIndexOf("/") + 1),
        why: `${tool.program} is configured`,
      };
      return [
        draft(tool.kind, tool.command, origin, {
          evidence: "tool",
          ...(tool.label === undefined ? {} : {label: tool.label}),
        }),
      ];
    });
    const busted = findFirst(project, root, [".busted"]);
    const rock = project
      .inFolder(root)
      .find((path) => path.endsWith(".rockspec") && project.text(path)?.includes("busted"));
    const file = busted ?? rock;
    if (file !== undefined && file !== null && filesBelow(project, inside(root, "spec"), /_spec\.lua$/).length > 0) {
      const draft = stageFactory({
        cwd: root,
        tool: {name: "busted", hint: "install busted with luarocks before Assay"},
      });
      stages.push(
        draft(
          "test",
          "busted",
          {file, key: busted === null ? "busted" : ".busted", why: "busted is configured"},
          {evidence: "tool"},
        ),
      );
    }
    return {stages, setup: [], notes: []};
  },
};
