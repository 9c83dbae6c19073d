/** Elixir: mix projects and umbrellas. */

import {inside} from "../files/project.ts";
import {filesBelow, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const MIX = {name: "mix", hint: "add the step `erlef/setup-beam` before Assay"};

export const elixir: Ecosystem = {
  name: "elixir",
  title: "Elixir",
  manifests: ["mix.exs"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "mix.exs");
    const text = project.text(file) ?? "";
    if (!/\bproject\b/.test(text)) return EMPTY_PROPOSAL;
    const formatter = inside(root, ".formatter.exs");
    const credo = inside(root, ".credo.exs");
    const lock = inside(root, "mix.lock");
    const draft = stageFactory({cwd: root, tool: MIX});
    const tests = filesBelow(project, root, /_test\.exs$/);
    const warned = isInWorkflows(project, /--warnings-as-errors/);
    return {
      stages: [
        // Warnings of the compiler are what Elixir has of a type check; they only count where the workflows count them.
        ...(warned
          ? [
              draft("typecheck", "mix compile --warnings-as-errors", {
                file,
                key: "project",
                why: "a workflow lets no warning pass",
              }),
            ]
          : []),
        ...(project.has(formatter)
          ? [
              draft(
                "lint",
                "mix format --check-formatted",
                {file: formatter, key: "[", why: "the formatter is configured"},
                {
                  evidence: "tool",
                  label: "format",
                },
              ),
            ]
          : []),
        ...(text.includes(":credo")
          ? [
              draft(
                "lint",
                "mix credo",
                project.has(credo)
                  ? {file: credo, key: "configs", why: "credo is configured"}
                  : {file, key: ":credo", why: "credo is a dependency"},
                {
                  evidence: "tool",
                  label: "credo",
                },
              ),
            ]
          : []),
        ...(tests.length > 0
          ? [draft("test", "mix test", {file, key: "project", why: "a mix project with tests"})]
          : []),
        // The stricter compile is the same build.
        ...(warned ? [] : [draft("build", "mix compile", {file, key: "project", why: "a mix project"})]),
      ],
      setup: [
        {
          command: project.has(lock) ? "mix deps.get --check-locked" : "mix deps.get",
          cwd: root,
          inputs: [file, lock, ...(root === "." ? ["apps/*/mix.exs"] : [])],
          provides: [inside(root, "deps")],
          tools: [MIX],
          origin: project.has(lock)
            ? {file: lock, key: "%{", why: "fetched as the lock file says"}
            : {file, key: "deps", why: "dependencies of the mix project"},
        },
      ],
      notes: [],
      covers: /\bapps_path\b/.test(text) ? foldersBelow(project, root, ["mix.exs"]) : [],
    };
  },
};
