/** Findings on files of git filters, such as Git LFS. */

import type {Project} from "../../detect/files/project.ts";
import {type Finding, okFinding} from "../finding.ts";
import {findWorkflow} from "../init/workflow-file.ts";

/** One finding for each filter in the `.gitattributes` files. */
export function filterFindings(project: Project): Finding[] {
  const texts = project.named(".gitattributes").map((path) => project.text(path) ?? "");
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^\s*[^#\s].*?\sfilter=([\w.-]+)/gm)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].map((name) => (name === "lfs" ? lfs(project) : otherFilterFinding(name)));
}

function lfs(project: Project): Finding {
  const about = "Git LFS";
  const file = findWorkflow(project);
  if (file !== null && /\blfs:\s*["']?true/.test(project.text(file) ?? ""))
    return okFinding(about, "the workflow's checkout fetches the content; Assay does not accept changes of LFS files");
  return {
    about,
    state: "advice",
    text: "checks see LFS content only if the machine has it; runs do not accept changes of LFS files, because they upload no content",
    next: "run `git lfs pull` here, and set `lfs: true` under `with:` of `actions/checkout` in the workflow",
  };
}

function otherFilterFinding(name: string): Finding {
  return {
    about: `filter ${name}`,
    state: "advice",
    text: "Assay runs no filters: it verifies and commits files as they are in the folder, and refuses files that a filter encrypts",
    next: "commit changes to these files yourself",
  };
}
