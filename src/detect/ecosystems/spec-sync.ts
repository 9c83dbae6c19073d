/** spec-sync: checks that the specs of the modules match the exports of the code, alone or as a part of fledge. */

import {inside} from "../files/project.ts";
import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

/** In the order in which spec-sync searches for them; the last one is fledge's. */
const FILES = [".specsync/config.toml", ".specsync/config.json", ".specsync.toml", "specsync.json", "fledge.toml"];
export const specSync: Ecosystem = {name: "spec-sync", title: "spec-sync", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  const isFledge = file?.endsWith("fledge.toml") === true;
  const hasSpecs = () => project.below(inside(root, "specs")).some((path) => path.endsWith(".spec.md"));
  if (file === null || (isFledge && !hasSpecs())) return {};
  const name = isFledge ? "fledge" : "specsync";
  return {
    tool: {name, hint: `install it in a step before Assay: \`cargo install ${name}\``},
    origin: originOf(file, `${isFledge ? "fledge" : "spec-sync"} is configured`),
    checks: [
      {kind: "lint", command: isFledge ? "fledge spec check" : "specsync check", evidence: "tool", label: "specs"},
    ],
  };
}
