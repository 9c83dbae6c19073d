/** CONTRIBUTING and AGENTS files: commands that people are told to run. Weak: they only choose between candidates. */

import {kindOf} from "../../shell/stage-kind.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const FILES = ["CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "AGENTS.md"];
const MAX_TEXT = 100_000;
const MAX_COMMANDS = 100;

export const contributing: Ecosystem = {
  name: "contributing",
  title: "CONTRIBUTING",
  manifests: ["CONTRIBUTING.md", "AGENTS.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"],
  where: "beside",
  detect({project, root}) {
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
  },
};

/** Lines of fenced blocks, and short code in the text. */
function commandsIn(markdown: string): string[] {
  const found: string[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    else if (fenced) found.push(line.replace(/^\s*\$\s+/, "").trim());
    else for (const code of line.slice(0, 2000).matchAll(/`([^`]{3,200})`/g)) found.push(code[1] ?? "");
  }
  return [...new Set(found)].filter((command) => command !== "").slice(0, MAX_COMMANDS);
}
