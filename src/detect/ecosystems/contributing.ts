/** CONTRIBUTING and AGENTS files: the commands that they name. Weak evidence: it only selects between alternatives. */

import {kindOf} from "../../shell/stage-kind.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";

const FILES = ["CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "AGENTS.md"];
const MAX_TEXT = 100_000;
const MAX_COMMANDS = 100;

export const contributing: Ecosystem = {
  name: "contributing",
  title: "CONTRIBUTING",
  manifests: ["CONTRIBUTING.md", "AGENTS.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"],
  where: "beside",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  if (root !== ".") return EMPTY_PROPOSAL;
  const stages = FILES.flatMap((file): CandidateStage[] =>
    commandsIn((project.text(file) ?? "").slice(0, MAX_TEXT)).flatMap((command) => {
      const kind = kindOf(command);
      return kind === null
        ? []
        : [
            {
              kind,
              command,
              cwd: ".",
              evidence: "default",
              tools: [],
              origin: {file, key: command, why: "people are told to run it"},
              priority: "hint",
            },
          ];
    }),
  );
  return {stages, setup: [], notes: []};
}

/** Lines of fenced blocks, and short code in the text. */
function commandsIn(markdown: string): string[] {
  const commands: string[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    else if (fenced) commands.push(line.replace(/^\s*\$\s+/, "").trim());
    else for (const code of line.slice(0, 2000).matchAll(/`([^`]{3,200})`/g)) commands.push(code[1] ?? "");
  }
  return [...new Set(commands)].filter((command) => command !== "").slice(0, MAX_COMMANDS);
}
