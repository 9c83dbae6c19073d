/** Scripts with well-known names (`script/test`, `bin/ci`), used if nothing else gives such a check. */

import {posix} from "node:path";
import {splitShell} from "../../shell/split.ts";
import {kindOfName, kindsOf} from "../../tools/stage-kind.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
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
  if (root !== ".") return {};
  const checks = FOLDERS.flatMap((folder) => project.inFolder(folder)).flatMap((file): CheckRow[] => {
    const name = posix.basename(file);
    const kindByName = NAME.test(name) ? kindOfName(name.replace(/\.\w+$/, "").replace("cibuild", "ci")) : null;
    const runs = kindByName === null ? null : shellBody(project, {path: file, cwd: ".", words: []});
    if (kindByName === null || runs === null || runs.length === 0) return [];
    const kinds = new Set(runs.flatMap(kindsOf));
    // A command with a test file as its argument runs tests.
    const words = runs.flatMap((line) => (splitShell(line) ?? []).flatMap((command) => command.words.slice(1)));
    if (kindByName === "test" && words.some((word) => TEST_FILE.test(word) && project.has(word))) kinds.add("test");
    const [only] = kinds;
    // The name alone is not evidence: the script may only set up, or be unreadable.
    if (only === undefined || !runs.every((line) => !("instead" in screen(line)))) return [];
    const kind = kindByName === "check" && kinds.size === 1 ? only : kindByName;
    const command = `${/^#!.*bash/.test(project.text(file) ?? "") ? "bash" : "sh"} ${file}`;
    const origin = originOf(file, `the script \`${file}\`, and nothing else gives such a check`);
    return [{kind, command, origin, evidence: "named", runs, priority: "last-resort"}];
  });
  return {checks};
}
