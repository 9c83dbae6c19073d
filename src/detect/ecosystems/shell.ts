/** Shell: projects whose language is the shell; elsewhere scripts are by-work, and CI says whether they are checked. */
import type {Origin} from "../../record/plan.ts";
import {quoteWords} from "../../shell/quote.ts";
import {folderOf, inside} from "../files/project.ts";
import {filesBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const SHELLCHECK = {name: "shellcheck", hint: "install shellcheck with the runner's package manager before Assay"};
const BATS = {name: "bats", hint: "add the step `bats-core/bats-action` before Assay"};
/** Manifests that show that a tree's language is another one. */
const OTHER =
  /^(package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|Package\.swift|CMakeLists\.txt|deno\.jsonc?|pubspec\.yaml|build\.sbt)$/;
const MAX_SCRIPTS = 60;

export const shell: Ecosystem = {
  name: "shell",
  title: "Shell",
  manifests: [".shellcheckrc", "*.bats", "*.sh"],
  where: "beside",
  detect({project, root}) {
    if (root !== "." || project.inFolder(".").some((path) => OTHER.test(path))) return EMPTY_PROPOSAL;
    const config = project.has(".shellcheckrc") ? ".shellcheckrc" : null;
    const suites = filesBelow(project, ".", /\.bats$/).filter(
      (path) => !/(^|\/)(fixtures?|libs?|vendor|node_modules)\//.test(path),
    );
    const scripts = filesBelow(project, ".", /\.(sh|bash)$/).filter(
      (path) => !/(^|\/)(vendor|third_party|fixtures?|testdata|node_modules)\//.test(path),
    );
    const stages: CandidateStage[] = [];
    if (config !== null && scripts.length > 0 && scripts.length <= MAX_SCRIPTS) {
      const origin: Origin = {file: config, key: ".shellcheckrc", why: "shellcheck is configured"};
      const draft = stageFactory({cwd: root, tool: SHELLCHECK, evidence: "tool"});
      stages.push(draft("lint", `shellcheck ${scripts.map(quoteWords).join(" ")}`, origin));
    }
    const [first] = suites;
    if (first !== undefined) {
      const folders = [...new Set(suites.map(folderOf))].filter(
        (one, _, all) => !all.some((other) => other !== one && one.startsWith(`${other}/`)),
      );
      const draft = stageFactory({cwd: root, tool: BATS, evidence: "tool"});
      const where = folders.length <= 5 ? folders.map(quoteWords).join(" ") : inside(".", ".");
      stages.push(draft("test", `bats --recursive ${where}`, {file: first, key: "@test", why: "tests of bats"}));
    }
    return {stages, setup: [], notes: []};
  },
};
