/** Checks that runs get the files of submodules, because every run without them is unverified. */

import type {Project} from "../../detect/files/project.ts";
import {type Finding, okFinding} from "../finding.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";

/** No findings without submodules, or without a workflow that runs Assay. */
export function submoduleFindings(project: Project): Finding[] {
  const file = findWorkflow(project);
  if (!project.has(".gitmodules") || file === null) return [];
  const about = "submodules";
  if (/\bsubmodules:\s*["']?(?:true|recursive)/.test(project.text(file) ?? ""))
    return [okFinding(about, "the workflow's checkout fetches their files")];
  return [
    {
      about,
      state: "missing",
      text: `${file} does not fetch their files, so every run ends as unverified`,
      next: callsAssay(project, file)
        ? `the workflow that it calls cannot fetch submodules: delete ${file}, then run \`assay init\` to write one that can`
        : "set `submodules: recursive` under `with:` of each `actions/checkout`",
    },
  ];
}
