/** Terraform and OpenTofu: only the checks that need no account and no state. */
import {posix} from "node:path";
import {inside} from "../files/project.ts";
import {filesBelow, foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const terraform: Ecosystem = {
  name: "terraform",
  title: "Terraform",
  manifests: ["*.tf"],
  where: "anywhere",
  detect,
};

const TERRAFORM = {name: "terraform", hint: "add the step `hashicorp/setup-terraform` before Assay"};
const BLOCK = /^\s*(terraform|module|resource|variable|provider|locals|output|data)\b/m;

function detect({project, root}: ProjectFolder): Proposal {
  const file = project.inFolder(root).find((path) => path.endsWith(".tf"));
  const key = BLOCK.exec(project.text(file ?? "") ?? "")?.[1];
  if (file === undefined || key === undefined) return {};
  const names = filesBelow(project, root, /\.tf$/).map((path) => posix.basename(path));
  const isLocked = project.has(inside(root, ".terraform.lock.hcl"));
  return {
    tool: TERRAFORM,
    origin: originOf(file, "Terraform files", key),
    checks: [
      {kind: "lint", command: "terraform fmt -check -recursive", label: "format"},
      // In a project with another language, infrastructure must not block a change if the runner has no Terraform.
      {kind: "typecheck", command: "terraform validate", ...(root === "." ? {} : {optional: true})},
    ],
    installs: [
      {
        command: `terraform init -backend=false -input=false${isLocked ? " -lockfile=readonly" : ""}`,
        inputs: ["**/*.tf", ".terraform.lock.hcl"],
        provides: [".terraform"],
      },
    ],
    covers: foldersBelow(project, root, names),
  };
}
