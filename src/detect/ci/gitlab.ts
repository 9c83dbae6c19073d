/** GitLab CI: the jobs of `.gitlab-ci.yml` and of the files it includes from the same tree. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {detectScripts} from "./extract-checks.ts";
import type {CiScript} from "./jobs.ts";
import {keyIn, shellOf} from "./jobs.ts";
import {plainEnv} from "./step-variables.ts";

const FILE = ".gitlab-ci.yml";
const MAX_FILES = 30;
const MAX_JOBS = 300;
const MAX_EXTENDS = 4;
const NO_JOBS = new Set(
  "default include stages variables workflow image services before_script after_script cache spec pages".split(" "),
);

interface Job {
  readonly file: string;
  readonly content: unknown;
}

export const gitlab: Ecosystem = {
  name: "gitlab-ci",
  title: "GitLab CI",
  manifests: [FILE],
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  const jobs = new Map<string, Job>();
  collect(project, FILE, jobs, new Set());
  if (jobs.size > MAX_JOBS)
    notes.push({about: FILE, text: `only the first ${MAX_JOBS} of its ${jobs.size} jobs were looked at`});
  const pipeline = project.yaml(FILE);
  return [...jobs].slice(0, MAX_JOBS).flatMap(([name, job]): CiScript[] => {
    if (name.startsWith(".") || NO_JOBS.has(name)) return [];
    const reason = notACheck(name) ?? whyLeftOut(withExtendedJobs(jobs, name));
    if (reason !== null) {
      notes.push({about: `${job.file} ${name}`, text: `left out: ${reason}`});
      return [];
    }
    const allJobs = withExtendedJobs(jobs, name);
    const beforeScript =
      allJobs.get("before_script") ??
      valueAt(pipeline, "default", "before_script") ??
      valueAt(pipeline, "before_script");
    return [
      {
        file: job.file,
        key: keyIn(project, job.file, name, "script"),
        text: `${shellOf(beforeScript)}\n${shellOf(allJobs.get("script"))}`,
        cwd: ".",
        env: {...plainEnv(valueAt(pipeline, "variables")), ...plainEnv(allJobs.get("variables"))},
      },
    ];
  });
}

function collect(project: Project, file: string, jobs: Map<string, Job>, seen: Set<string>): void {
  if (seen.has(file) || seen.size >= MAX_FILES) return;
  seen.add(file);
  const content = project.yaml(file);
  const include = valueAt(content, "include");
  for (const entry of Array.isArray(include) ? include.slice(0, MAX_FILES) : [include]) {
    const local = typeof entry === "string" ? entry : textAt(entry, "local");
    if (local !== null && !/^https?:/.test(local)) collect(project, local.replace(/^\//, ""), jobs, seen);
  }
  for (const [name, job] of mapOf(content)) if (mapOf(job).size > 0) jobs.set(name, {file, content: job});
}

/** The keys of a job, with defaults from the jobs that it extends. */
function withExtendedJobs(jobs: ReadonlyMap<string, Job>, name: string, depth = 0): ReadonlyMap<string, unknown> {
  const jobKeys = mapOf(jobs.get(name)?.content);
  if (depth > MAX_EXTENDS) return jobKeys;
  const parent = jobKeys.get("extends");
  const parents = (typeof parent === "string" ? [parent] : textsOf(parent)).slice(0, 3);
  return new Map([...parents.flatMap((other) => [...withExtendedJobs(jobs, other, depth + 1)]), ...jobKeys]);
}

function whyLeftOut(job: ReadonlyMap<string, unknown>): string | null {
  if (Array.isArray(job.get("services")))
    return "CI starts services next to it; stages that need these fail without them";
  if (job.get("when") === "manual") return "somebody must start it";
  if (job.get("allow_failure") === true) return "CI goes on when it fails";
  if (job.has("environment") || job.has("release")) return "it deploys";
  const only = job.get("only");
  const kinds = Array.isArray(only) ? textsOf(only) : textsOf(valueAt(only, "refs"));
  const usual = new Set([
    "branches",
    "merge_requests",
    "pushes",
    "main",
    "master",
    "develop",
    "external_pull_requests",
  ]);
  if (kinds.length > 0 && !kinds.some((kind) => usual.has(kind))) return "no usual change starts it";
  const rules = job.get("rules");
  if (!Array.isArray(rules) || rules.length === 0) return null;
  const never = (rule: unknown): boolean => {
    const condition = textAt(rule, "when") ?? "";
    return (
      condition === "never" ||
      condition === "manual" ||
      /CI_COMMIT_TAG(?!\s*==\s*null)|"schedule"|"web"/.test(textAt(rule, "if") ?? "")
    );
  };
  return rules.every(never) ? "no usual change starts it" : null;
}
