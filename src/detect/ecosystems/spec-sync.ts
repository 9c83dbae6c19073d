/** spec-sync: checks that the specs of the modules match the exports of the code. */

import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

/** In spec-sync's own search order. */
const FILES = [".specsync/config.toml", ".specsync/config.json", ".specsync.toml", "specsync.json"];
export const specSync: Ecosystem = {name: "spec-sync", title: "spec-sync", manifests: FILES, where: "beside", detect};

const SPECSYNC = {name: "specsync", hint: "install it in a step before Assay: `cargo install specsync`"};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return {};
  const origin = originOf(file, "spec-sync is configured");
  return {
    tool: SPECSYNC,
    origin,
    checks: [{kind: "lint", command: "specsync check", evidence: "tool", label: "specs"}],
  };
}
