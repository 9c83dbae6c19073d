/** What a workflow uses that servers other than github.com lack. */

import type {Project} from "../../detect/files/project.ts";
import {NO_ARTIFACTS} from "../../github/server.ts";
import {callsOurs, findWorkflow} from "../init/workflow-file.ts";
import type {Finding} from "./finding.ts";

/** Keys that github.com has since 2026. A server that does not know one refuses the whole file. */
const NEW_KEYS = /^\s*(queue|deployment):/gm;

/** None for github.com, where `server` is null, and without a workflow. */
export function serverFindings({project, server}: {project: Project; server: string | null}): Finding[] {
  const file = findWorkflow(project);
  if (server === null || file === null) return [];
  const about = `${file} on ${server}`;
  const next = `run \`assay init --mode single\` without this file, with \`origin\` on ${server}; see docs/supported.md`;
  const text = project.text(file) ?? "";
  if (callsOurs(project, file) || /\bjob:\s*["']?hand-over\b/.test(text))
    return [{about, state: "missing", text: NO_ARTIFACTS, next}];
  const keys = [...new Set([...text.matchAll(NEW_KEYS)].map(([, key = ""]) => `\`${key}\``))];
  if (keys.length === 0) return [];
  return [
    {about, state: "unknown", text: `has ${keys.join(" and ")}: a server that does not know it refuses the file`, next},
  ];
}
