/** Shell: projects written in shell. In other projects, CI shows whether scripts are checked. */
import {quoteWords} from "../../shell/quote.ts";
import {SHELL} from "../../tools/file-kinds.ts";
import {folderOf} from "../files/project.ts";
import {filesBelow, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MANIFESTS = [".shellcheckrc", "*.bats", "*.sh"];
export const shell: Ecosystem = {name: "shell", title: "Shell", manifests: MANIFESTS, where: "beside", detect};

const SHELLCHECK = {name: "shellcheck", hint: "install shellcheck with the runner's package manager before Assay"};
const BATS = {name: "bats", hint: "add the step `bats-core/bats-action` before Assay"};
/** Manifests that show that a tree is written in another language. */
const OTHER_LANGUAGE = new Set([
  ..."package.json pyproject.toml setup.py Cargo.toml go.mod pom.xml build.gradle build.gradle.kts Gemfile".split(" "),
  ..."composer.json mix.exs Package.swift CMakeLists.txt deno.json deno.jsonc pubspec.yaml build.sbt".split(" "),
]);
const MAX_SCRIPTS = 60;
/** Folders whose files belong to other projects or are test data. */
const FOREIGN_FOLDER = /(^|\/)(vendor|third_party|fixtures?|testdata|node_modules)\//;

function detect({project, root}: ProjectFolder): Proposal {
  if (root !== "." || project.inFolder(".").some((path) => OTHER_LANGUAGE.has(path))) return {};
  const scripts = filesBelow(project, ".", SHELL).filter((path) => !FOREIGN_FOLDER.test(path));
  const suites = filesBelow(project, ".", [".bats"]).filter(
    (path) => !/(^|\/)(fixtures?|libs?|vendor|node_modules)\//.test(path),
  );
  const folders = [...new Set(suites.map(folderOf))].filter(
    (one, _, all) => !all.some((other) => other !== one && one.startsWith(`${other}/`)),
  );
  const suiteFolders = folders.length <= 5 ? folders.map(quoteWords).join(" ") : ".";
  return {
    tool: SHELLCHECK,
    origin: originOf(suites[0] ?? "", "tests of bats", "@test"),
    checks: [
      {
        kind: "lint",
        command: `shellcheck ${scripts.map(quoteWords).join(" ")}`,
        configs: [".shellcheckrc"],
        when: scripts.length > 0 && scripts.length <= MAX_SCRIPTS,
      },
      {
        kind: "test",
        command: `bats --recursive ${suiteFolders}`,
        evidence: "tool",
        tools: [BATS],
        when: suites.length > 0,
      },
    ],
  };
}
