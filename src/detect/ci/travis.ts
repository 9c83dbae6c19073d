/** Travis CI: the scripts of `.travis.yml` and of the jobs it lists. */

import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {detectScripts} from "./extract-checks.ts";
import type {CiScript} from "./jobs.ts";
import {shellOf} from "./jobs.ts";

const FILE = ".travis.yml";
const MAX_JOBS = 100;

export const travis: Ecosystem = {
  name: "travis",
  title: "Travis CI",
  manifests: [FILE],
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project): CiScript[] {
  const config = project.yaml(FILE);
  const jobEntries = [valueAt(config, "jobs", "include"), valueAt(config, "matrix", "include")].flatMap(
    (jobs): unknown[] => (Array.isArray(jobs) ? jobs.slice(0, MAX_JOBS) : []),
  );
  const env = environmentOf(valueAt(config, "env"));
  return [config, ...jobEntries].flatMap((job): CiScript[] => {
    const elsewhere = /osx|windows/.test(String(valueAt(job, "os") ?? ""));
    const isForTags = /tag\s+IS\s+present|type\s*(=|IN)\s*\(?\s*cron/i.test(textAt(job, "if") ?? "");
    const text = shellOf(valueAt(job, "script"));
    if (text === "" || elsewhere || isForTags || notACheck(textAt(job, "name"), textAt(job, "stage")) !== null)
      return [];
    return [{file: FILE, key: "script", text, cwd: ".", env: {...env, ...environmentOf(valueAt(job, "env"))}}];
  });
}

/** Variables for all jobs; matrix variables differ per job and stay unknown. */
function environmentOf(env: unknown): Record<string, string> {
  const lines = mapOf(env).size > 0 ? valueAt(env, "global") : env;
  const texts = (Array.isArray(lines) ? (mapOf(env).size > 0 || lines.length === 1 ? lines : []) : [lines]).filter(
    (line): line is string => typeof line === "string",
  );
  const variables: Record<string, string> = {};
  for (const match of texts.join(" ").matchAll(/(\w+)=("[^"]*"|'[^']*'|\S+)/g))
    variables[match[1] ?? ""] = (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2");
  return variables;
}
