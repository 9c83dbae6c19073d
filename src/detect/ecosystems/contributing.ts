/** CONTRIBUTING and AGENTS files: the commands that they name. Weak evidence: it only selects between alternatives. */

import {kindOf} from "../../tools/stage-kind.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

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
  if (root !== ".") return {};
  const checks = FILES.flatMap((file): CheckRow[] =>
    commandsIn((project.text(file) ?? "").slice(0, MAX_TEXT)).flatMap((command) => {
      const kind = kindOf(command);
      const origin = originOf(file, "people are told to run it", command);
      return kind === null ? [] : [{kind, command, origin, priority: "hint"}];
    }),
  );
  return {checks};
}

/** The lines of fenced code blocks, and inline code. */
function commandsIn(markdown: string): string[] {
  const commands: string[] = [];
  let isInFence = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isInFence = !isInFence;
    else if (isInFence) commands.push(line.replace(/^\s*\$\s+/, "").trim());
    else for (const code of line.slice(0, 2000).matchAll(/`([^`]{3,200})`/g)) commands.push(code[1] ?? "");
  }
  return [...new Set(commands)].filter((command) => command !== "").slice(0, MAX_COMMANDS);
}
