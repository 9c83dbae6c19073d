/** Finds features of a workflow that servers other than github.com lack. */

import type {Project} from "../../detect/files/project.ts";
import {NO_ARTIFACTS} from "../../github/server.ts";
import type {Finding} from "../finding.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";

/** Keys that github.com supports since 2026. Older servers refuse the whole file. */
const NEW_KEYS = /^\s*(queue|deployment):/gm;

/** No findings without a workflow, or for github.com (`server` is null). */
export function serverFindings({project, server}: {project: Project; server: string | null}): Finding[] {
  const file = findWorkflow(project);
  if (server === null || file === null) return [];
  const about = `${file} on ${server}`;
  const next = `delete this file, then run \`assay init --mode single\` with \`origin\` on ${server}; see docs/supported.md`;
  const text = project.text(file) ?? "";
  if (callsAssay(project, file) || /\bjob:\s*["']?hand-over\b/.test(text))
    return [{about, state: "missing", text: NO_ARTIFACTS, next}];
  const keys = [...new Set([...text.matchAll(NEW_KEYS)].map(([, key = ""]) => `\`${key}\``))];
  if (keys.length === 0) return [];
  return [
    {
      about,
      state: "unknown",
      text: `uses ${keys.join(" and ")}; a server that does not support it refuses the file`,
      next,
    },
  ];
}
