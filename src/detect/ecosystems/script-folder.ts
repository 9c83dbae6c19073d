/** Scripts with well-known names (`script/test`, `scripts/lint.sh`, `bin/ci`), used if nothing else gives such a check. */

import {splitShell} from "../../shell/split.ts";
import {kindOfName, kindOfWords} from "../../shell/stage-kind.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {shellBody} from "../scripts/shell-file.ts";

const FOLDERS = ["script", "scripts", "bin", "ci"];
const NAME = /^(test|tests|lint|check|checks|ci|cibuild|typecheck|verify|unit|unit-tests|test-unit)(\.sh|\.bash)?$/;

const TEST_FILE = /^(tests?|spec)\/\S/;

export const scriptFolder: Ecosystem = {
  name: "scripts",
  title: "Script folders",
  manifests: FOLDERS.flatMap((folder) => [`${folder}/*`]),
  where: "beside",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  if (root !== ".") return EMPTY_PROPOSAL;
  const stages = FOLDERS.flatMap((folder) => project.inFolder(folder)).flatMap((file): CandidateStage[] => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    const promised = NAME.test(name) ? kindOfName(name.replace(/\.\w+$/, "").replace("cibuild", "ci")) : null;
    const runs = promised === null ? null : shellBody(project, file, ".");
    if (promised === null || runs === null || runs.length === 0) return [];
    const kinds = new Set(
      runs.flatMap((line) => (splitShell(line) ?? []).map((command) => kindOfWords(command.words))),
    );
    kinds.delete(null);
    // A command that is given a test file runs tests, whatever the command is.
    const words = runs.flatMap((line) => (splitShell(line) ?? []).flatMap((command) => command.words.slice(1)));
    if (promised === "test" && words.some((word) => TEST_FILE.test(word) && project.has(word))) kinds.add("test");
    const [only] = kinds;
    // The name alone is not evidence: the script may only set up, or be unreadable.
    if (only === undefined || only === null || !runs.every((line) => !("instead" in screen(line)))) return [];
    return [
      {
        kind: promised === "check" && kinds.size === 1 ? only : promised,
        command: `${/^#!.*bash/.test(project.text(file) ?? "") ? "bash" : "sh"} ${file}`,
        cwd: ".",
        evidence: "named",
        tools: [],
        origin: {file, key: name, why: `the script \`${file}\`, and nothing else gives such a check`},
        runs,
        priority: "last-resort",
      },
    ];
  });
  return {stages, setup: [], notes: []};
}
