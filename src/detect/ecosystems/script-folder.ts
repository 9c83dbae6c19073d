/** Scripts of known names (`script/test`, `scripts/lint.sh`, `bin/ci`), where nothing else gives such a check. */

import {splitShell} from "../../shell/split.ts";
import {kindOfName, kindOfWords} from "../../shell/stage-kind.ts";
import {shellBody} from "../ci/shell-file.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";

const FOLDERS = ["script", "scripts", "bin", "ci"];
const NAME = /^(test|tests|lint|check|checks|ci|cibuild|typecheck|verify|unit|unit-tests|test-unit)(\.sh|\.bash)?$/;

const TEST_FILE = /^(tests?|spec)\/\S/;

export const scriptFolder: Ecosystem = {
  name: "scripts",
  title: "Script folders",
  manifests: FOLDERS.flatMap((folder) => [`${folder}/*`]),
  where: "beside",
  detect({project, root}) {
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
      // Whatever runs it, what is given a file of the tests runs those.
      const given = runs.flatMap((line) => (splitShell(line) ?? []).flatMap((command) => command.words.slice(1)));
      if (promised === "test" && given.some((word) => TEST_FILE.test(word) && project.has(word))) kinds.add("test");
      const [only] = kinds;
      // A script that only sets up, or of which nothing can be told, is no evidence by its name alone.
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
  },
};
