/** Terraform and OpenTofu: only what needs no account and no state. */

import {inside} from "../files/project.ts";
import {filesBelow, foldersBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const TERRAFORM = {name: "terraform", hint: "add the step `hashicorp/setup-terraform` before Assay"};

export const terraform: Ecosystem = {
  name: "terraform",
  title: "Terraform",
  manifests: ["*.tf"],
  where: "anywhere",
  detect({project, root}) {
    const files = project.inFolder(root).filter((path) => path.endsWith(".tf"));
    const [file] = files;
    if (file === undefined) return EMPTY_PROPOSAL;
    const key = /^\s*(terraform|module|resource|variable|provider|locals|output|data)\b/m.exec(
      project.text(file) ?? "",
    )?.[1];
    if (key === undefined) return EMPTY_PROPOSAL;
    const draft = stageFactory({cwd: root, tool: TERRAFORM});
    const origin = {file, key, why: "Terraform files"};
    const lock = inside(root, ".terraform.lock.hcl");
    const covers = foldersBelow(
      project,
      root,
      filesBelow(project, root, /\.tf$/).map((path) => path.slice(path.lastIndexOf("/") + 1)),
    );
    return {
      stages: [
        draft("lint", "terraform fmt -check -recursive", origin, {label: "format"}),
        // Beside another language, infrastructure must not hold up a change on a runner without Terraform.
        draft("typecheck", "terraform validate", origin, root === "." ? {} : {optional: true}),
      ],
      setup: [
        {
          command: `terraform init -backend=false -input=false${project.has(lock) ? " -lockfile=readonly" : ""}`,
          cwd: root,
          inputs: [inside(root, "**/*.tf"), lock],
          provides: [inside(root, ".terraform")],
          tools: [TERRAFORM],
          origin,
        },
      ],
      notes: [],
      covers,
    };
  },
};
