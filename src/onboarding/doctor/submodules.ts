/** Whether runs get the files of submodules, without which nothing is claimed. */

import type {Project} from "../../detect/files/project.ts";
import {callsOurs, findWorkflow} from "../init/workflow-file.ts";
import {type Finding, fine} from "./finding.ts";

/** None where the tree has no submodules, or no workflow runs Assay. */
export function submoduleFindings(project: Project): Finding[] {
  const file = findWorkflow(project);
  if (!project.has(".gitmodules") || file === null) return [];
  const about = "submodules";
  if (/\bsubmodules:\s*["']?(?:true|recursive)/.test(project.text(file) ?? ""))
    return [fine(about, "the workflow's checkout brings their files")];
  return [
    {
      about,
      state: "missing",
      text: `${file} does not bring their files: each run would end as unverified`,
      next: callsOurs(project, file)
        ? `the workflow that it calls has no option for that: remove ${file}, then run \`assay init\`; it writes one that does`
        : "set `submodules: recursive` under `with:` of each `actions/checkout`",
    },
  ];
}
