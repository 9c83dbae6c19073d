/** pre-commit: its hooks as a linter, where nothing else lints. Many of them rewrite files, so a rewrite is a failure, not a fix. */

import {textAt, valueAt} from "../files/manifest-values.ts";
import {firstOf} from "../proposals/candidate-stages.ts";
import {type Ecosystem, NOTHING} from "../proposals/ecosystem.ts";

const FILES = [".pre-commit-config.yaml", ".pre-commit-config.yml"];

export const preCommit: Ecosystem = {
  name: "pre-commit",
  title: "pre-commit",
  manifests: FILES,
  where: "beside",
  detect({project, root}) {
    const file = firstOf(project, root, FILES);
    const repositories = file === null ? undefined : valueAt(project.yaml(file), "repos");
    if (file === null || !Array.isArray(repositories)) return NOTHING;
    const hooks = repositories.flatMap((repository: unknown) => {
      const list = valueAt(repository, "hooks");
      return Array.isArray(list) ? list.map((hook: unknown) => textAt(hook, "id")) : [];
    });
    if (!hooks.some((hook) => hook !== null)) return NOTHING;
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
          claim: "last-resort",
        },
      ],
      setup: [],
      notes: [],
    };
  },
};
