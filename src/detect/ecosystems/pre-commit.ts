/** pre-commit: its hooks as a linter if nothing else lints. Many hooks rewrite files; a rewrite counts as a failure. */

import {listOf, textAt, valueAt} from "../files/manifest-values.ts";
import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const FILES = [".pre-commit-config.yaml", ".pre-commit-config.yml"];
export const preCommit: Ecosystem = {
  name: "pre-commit",
  title: "pre-commit",
  manifests: FILES,
  where: "beside",
  detect,
};

const PRE_COMMIT = {name: "pre-commit", hint: "install pre-commit in a step before Assay: `pipx install pre-commit`"};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null || !hooksOf(project.yaml(file)).some((hook) => textAt(hook, "id") !== null)) return {};
  const origin = originOf(file, "its hooks are configured, and nothing else lints here", "repos");
  const check = {kind: "lint", command: "pre-commit run --all-files", evidence: "tool", label: "pre-commit"} as const;
  return {tool: PRE_COMMIT, origin, checks: [{...check, priority: "last-resort"}]};
}

/** The hooks of a parsed configuration. */
export function hooksOf(config: unknown): unknown[] {
  return listOf(valueAt(config, "repos")).flatMap((repository) => listOf(valueAt(repository, "hooks")));
}
