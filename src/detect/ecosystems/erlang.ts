/** Erlang with rebar3. */

import {inside} from "../files/project.ts";
import {filesBelow, foldersBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const REBAR = {name: "rebar3", hint: "add the step `erlef/setup-beam` with `rebar3-version` before Assay"};

export const erlang: Ecosystem = {
  name: "erlang",
  title: "Erlang",
  manifests: ["rebar.config"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "rebar.config");
    // Some libraries are built with mix as well, which then is the tool of the project.
    if (project.has(inside(root, "mix.exs")) && filesBelow(project, root, /_test\.exs$/).length > 0)
      return EMPTY_PROPOSAL;
    const draft = stageFactory({cwd: root, tool: REBAR});
    const origin = {file, key: "rebar.config", why: "a rebar3 project"};
    const common = filesBelow(project, root, /_SUITE\.erl$/).length > 0;
    const units = filesBelow(project, root, /_tests?\.erl$/).length > 0;
    return {
      stages: [
        ...(common ? [draft("test", "rebar3 ct", origin, {label: "ct"})] : []),
        ...(units ? [draft("test", "rebar3 eunit", origin, {label: "eunit"})] : []),
        draft("build", "rebar3 compile", origin),
      ],
      setup: [],
      notes: [],
      covers: foldersBelow(project, root, ["rebar.config"]),
    };
  },
};
