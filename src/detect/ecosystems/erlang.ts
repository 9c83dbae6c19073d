/** Erlang with rebar3. */
import {inside} from "../files/project.ts";
import {foldersBelow, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const erlang: Ecosystem = {
  name: "erlang",
  title: "Erlang",
  manifests: ["rebar.config"],
  where: "anywhere",
  detect,
};

const REBAR = {name: "rebar3", hint: "add the step `erlef/setup-beam` with `rebar3-version` before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  // Some libraries can also be built with mix, which is then the tool that they use.
  if (project.has(inside(root, "mix.exs")) && hasFileBelow(project, root, /_test\.exs$/)) return {};
  const hasSuites = hasFileBelow(project, root, /_SUITE\.erl$/);
  const hasUnitTests = hasFileBelow(project, root, /_tests?\.erl$/);
  return {
    tool: REBAR,
    origin: originOf(inside(root, "rebar.config"), "a rebar3 project"),
    checks: [
      {kind: "test", command: "rebar3 ct", label: "ct", when: hasSuites},
      {kind: "test", command: "rebar3 eunit", label: "eunit", when: hasUnitTests},
      {kind: "build", command: "rebar3 compile"},
    ],
    covers: foldersBelow(project, root, ["rebar.config"]),
  };
}
