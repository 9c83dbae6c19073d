/** What holds for files whose content a git filter makes, such as those of Git LFS. */

import type {Project} from "../../detect/files/project.ts";
import {findWorkflow} from "../init/workflow-file.ts";
import {type Finding, fine} from "./finding.ts";

/** One finding for each filter that the attributes of this tree name. */
export function filterFindings(project: Project): Finding[] {
  const texts = project.named(".gitattributes").map((path) => project.text(path) ?? "");
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^\s*[^#\s].*?\sfilter=([\w.-]+)/gm)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].map((name) => (name === "lfs" ? lfs(project) : other(name)));
}

function lfs(project: Project): Finding {
  const about = "Git LFS";
  const file = findWorkflow(project);
  if (file !== null && /\blfs:\s*["']?true/.test(project.text(file) ?? ""))
    return fine(
      about,
      "the workflow's checkout brings the content; Assay refuses changes of LFS files, and does not upload",
    );
  return {
    about,
    state: "advice",
    text: "checks see LFS content only if it is on the machine; in a run, changes of LFS files are refused, not uploaded",
    next: "here `git lfs pull` brings it, in the workflow `lfs: true` under `with:` of `actions/checkout`",
  };
}

function other(name: string): Finding {
  return {
    about: `filter ${name}`,
    state: "advice",
    text: "Assay runs no filter: files are verified and committed as they are in the folder; to be encrypted, they are refused",
    next: "commit changes of these files yourself",
  };
}
