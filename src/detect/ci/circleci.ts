/** CircleCI: the jobs that the workflows of `.circleci/config.yml` start, with the commands they are made of. */
import type {Note} from "../../record/plan.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-values.ts";
import {detectScripts} from "./extract-checks.ts";
import type {CiScript} from "./jobs.ts";
import {type CiLocation, keyIn} from "./jobs.ts";
import {plainEnv} from "./step-variables.ts";

const FILES = [".circleci/config.yml", ".circleci/config.yaml"];
const MAX_JOBS = 200;
const MAX_STEPS = 2000;
const MAX_DEPTH = 5;

export const circleci: Ecosystem = {
  name: "circleci",
  title: "CircleCI",
  manifests: FILES,
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  const file = FILES.find((path) => project.has(path));
  if (file === undefined) return [];
  const config = project.yaml(file);
  const budget = {steps: MAX_STEPS};
  const jobs = [...mapOf(valueAt(config, "jobs"))];
  if (jobs.length > MAX_JOBS)
    notes.push({about: file, text: `only the first ${MAX_JOBS} of its ${jobs.length} jobs were looked at`});
  const scripts = jobs.slice(0, MAX_JOBS).flatMap(([key, job]): CiScript[] => {
    const reason = notACheck(key) ?? whyLeftOut(job);
    if (reason !== null) notes.push({about: `${file} ${key}`, text: `left out: ${reason}`});
    const cwd = folderOfCheckout(textAt(job, "working_directory") ?? ".");
    if (reason !== null || cwd === null) return [];
    const env = plainEnv(valueAt(job, "environment"));
    return scriptsOf(valueAt(job, "steps"), {project, notes, file, key, above: [], budget, config, cwd, env});
  });
  if (budget.steps <= 0) notes.push({about: file, text: `only the first ${MAX_STEPS} steps were looked at`});
  return scripts;
}

interface CircleLocation extends CiLocation {
  readonly config: unknown;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The second and later images of a job are services. */
function whyLeftOut(job: unknown): string | null {
  if (listOf(valueAt(job, "docker")).length > 1)
    return "CI starts services next to it; stages that need these fail without them";
  return mapOf(valueAt(job, "macos")).size > 0 || JSON.stringify(valueAt(job, "executor") ?? "").includes("win/")
    ? "it runs on another system"
    : null;
}

/** The checkout is the working folder itself, whatever its path on the machine. */
const folderOfCheckout = (folder: string): string | null =>
  /^(~|\/)/.test(folder) && folder.split("/").length <= 4 ? "." : enter(".", folder);

function scriptsOf(steps: unknown, here: CircleLocation): CiScript[] {
  if (here.above.length > MAX_DEPTH) return [];
  return listOf(steps)
    .slice(0, 100)
    .flatMap((step): CiScript[] => {
      if (here.budget.steps-- <= 0) return [];
      const run = valueAt(step, "run");
      const text = typeof run === "string" ? run : textAt(run, "command");
      if (text !== null) {
        const name = textAt(run, "name") ?? "";
        const cwd = enter(here.cwd, textAt(run, "working_directory") ?? ".");
        const isExtra = textAt(run, "when") === "on_fail" || valueAt(run, "background") === true;
        if (cwd === null || isExtra || notACheck(name) !== null) return [];
        // The value of a command's or job's parameter is set by its caller.
        const filledText = text.replace(/<<\s*(?:pipeline\.)?parameters\.[\w.-]+\s*>>/g, "$PARAMETER");
        const env = {...here.env, ...plainEnv(valueAt(run, "environment"))};
        return [{file: here.file, key: keyIn(here.project, here.file, name, here.key), text: filledText, cwd, env}];
      }
      const [name = ""] = typeof step === "string" ? [step] : mapOf(step).keys();
      const inner = valueAt(here.config, "commands", name, "steps");
      return scriptsOf(inner, {...here, above: [...here.above, name]});
    });
}
