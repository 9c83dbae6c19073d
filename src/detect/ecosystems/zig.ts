/** Zig: the steps of its build file, and its formatter. */
import {inside} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const zig: Ecosystem = {
  name: "zig",
  title: "Zig",
  manifests: ["build.zig"],
  where: "anywhere",
  detect,
};

const ZIG = {name: "zig", hint: "add the step `mlugg/setup-zig` before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "build.zig");
  const hasTests = /\bstep\(\s*"test"/.test(project.text(file) ?? "");
  return {
    tool: ZIG,
    origin: originOf(file, "a Zig build file"),
    checks: [
      {kind: "lint", command: "zig fmt --check .", label: "format"},
      // Without the summary, Zig prints nothing about tests that pass.
      {kind: "test", command: "zig build test --summary all", when: hasTests},
      {kind: "build", command: "zig build"},
    ],
  };
}
