/** OpenSpec: the syntax of the specs, if the project depends on the program that checks it. */
import {textAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {INSTALLED, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const PACKAGE = "@fission-ai/openspec";

export const openSpec: Ecosystem = {
  name: "openspec",
  title: "OpenSpec",
  manifests: ["openspec/config.yaml", "openspec/project.md"],
  where: "beside",
  detect,
};

/**
 * Empty without the dependency: most projects use OpenSpec without its program, and Assay compares the specs anyway.
 */
function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "package.json");
  const key = ["devDependencies", "dependencies"].find((name) => textAt(project.json(file), name, PACKAGE) !== null);
  if (key === undefined) return {};
  return {
    tool: {name: "openspec", hint: INSTALLED},
    origin: originOf(file, `${PACKAGE} is a dependency`, key),
    shared: {path: [inside(root, "node_modules/.bin")]},
    checks: [{kind: "lint", command: "openspec validate --all --strict", evidence: "tool", label: "specs"}],
  };
}
