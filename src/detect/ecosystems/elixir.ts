/** Elixir: mix projects and umbrellas. */
import {MIX_TOOLS} from "../../tools/mix.ts";
import {inside} from "../files/project.ts";
import {foldersBelow, hasFileBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const elixir: Ecosystem = {name: "elixir", title: "Elixir", manifests: ["mix.exs"], where: "anywhere", detect};

const ELIXIR_SOURCE = [".ex", "_test.exs"];
const MIX = {name: "mix", hint: "add the step `erlef/setup-beam` before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "mix.exs");
  const formatter = inside(root, ".formatter.exs");
  const credo = inside(root, ".credo.exs");
  const text = project.text(file) ?? "";
  if (!/\bproject\b/.test(text)) return {};
  // An Erlang library has a mix.exs for the Elixir projects that depend on it.
  const isForDependents = project.has(inside(root, "rebar.config")) && !hasFileBelow(project, root, ELIXIR_SOURCE);
  if (isForDependents) return {};
  const hasTests = hasFileBelow(project, root, ["_test.exs"]);
  // Compiler warnings are Elixir's type check. They count only if the workflows fail on them.
  const failsOnWarnings = isInWorkflows(project, /--warnings-as-errors/);
  const formatOrigin = project.has(formatter) ? originOf(formatter, "the formatter is configured", "[") : null;
  const strictCompile = "mix compile --warnings-as-errors";
  const hasCredo = text.includes(":credo");
  const credoOrigin = project.has(credo)
    ? originOf(credo, "credo is configured", "configs")
    : originOf(file, "credo is a dependency", ":credo");
  return {
    tool: MIX,
    origin: originOf(file, "a mix project", "project"),
    checks: [
      {kind: "typecheck", command: strictCompile, why: "a workflow fails on warnings", when: failsOnWarnings},
      {kind: "lint", command: "mix format --check-formatted", origin: formatOrigin, evidence: "tool", label: "format"},
      {kind: "lint", command: "mix credo", origin: credoOrigin, evidence: "tool", label: "credo", when: hasCredo},
      {kind: "test", command: "mix test", why: "a mix project with tests", when: hasTests},
      // The stricter compile is the same build.
      {kind: "build", command: "mix compile", when: !failsOnWarnings},
    ],
    installs: [
      {
        command: `${project.has(inside(root, "mix.lock")) ? MIX_TOOLS : ""}mix deps.get`,
        inputs: ["mix.exs", "mix.lock", ...(root === "." ? ["apps/*/mix.exs"] : [])],
        provides: ["deps"],
        origin: originOf(file, "dependencies of the mix project", "deps"),
        lock: {file: "mix.lock", key: "%{", option: "--check-locked"},
      },
    ],
    covers: /\bapps_path\b/.test(text) ? foldersBelow(project, root, ["mix.exs"]) : [],
  };
}
