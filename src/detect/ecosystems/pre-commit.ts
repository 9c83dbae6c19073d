/** pre-commit: its hooks as a linter if nothing else lints. Many hooks rewrite files; a rewrite counts as a failure. */

import {textAt, valueAt} from "../files/manifest-values.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";

const FILES = [".pre-commit-config.yaml", ".pre-commit-config.yml"];

export const preCommit: Ecosystem = {
  name: "pre-commit",
  title: "pre-commit",
  manifests: FILES,
  where: "beside",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  const repositories = file === null ? undefined : valueAt(project.yaml(file), "repos");
  if (file === null || !Array.isArray(repositories)) return EMPTY_PROPOSAL;
  const hooks = repositories.flatMap((repository: unknown) => {
    const list = valueAt(repository, "hooks");
    return Array.isArray(list) ? list.map((hook: unknown) => textAt(hook, "id")) : [];
  });
  if (!hooks.some((hook) => hook !== null)) return EMPTY_PROPOSAL;
  return {
    stages: [
      {
        kind: "lint",
        command: "pre-commit run --all-files",
        cwd: root,
        evidence: "tool",
        tools: [{name: "pre-commit", hint: "install pre-commit in a step before Assay: `pipx install pre-commit`"}],
        origin: {file, key: "repos", why: "its hooks are configured, and nothing else lints here"},
        label: "pre-commit",
        priority: "last-resort",
      },
    ],
    setup: [],
    notes: [],
  };
}
