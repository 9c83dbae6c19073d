/** spec-sync: checks that the specs of the modules match the exports of the code. */

import {findFirst} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";

/** In spec-sync's own search order. */
const FILES = [".specsync/config.toml", ".specsync/config.json", ".specsync.toml", "specsync.json"];

export const specSync: Ecosystem = {name: "spec-sync", title: "spec-sync", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return EMPTY_PROPOSAL;
  return {
    stages: [
      {
        kind: "lint",
        command: "specsync check",
        cwd: root,
        evidence: "tool",
        tools: [{name: "specsync", hint: "install it in a step before Assay: `cargo install specsync`"}],
        origin: {file, key: file.slice(file.lastIndexOf("/") + 1), why: "spec-sync is configured"},
        label: "specs",
      },
    ],
    setup: [],
    notes: [],
  };
}
