/** CircleCI: the jobs that the workflows of `.circleci/config.yml` start, with the commands they are made of. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-lines.ts";
import {type CiScript, extractChecks} from "./extract-checks.ts";
import {keyIn} from "./jobs.ts";
import {plainEnv} from "./steps.ts";

const FILES = [".circleci/config.yml", ".circleci/config.yaml"];
const MAX_JOBS = 200;
const MAX_STEPS = 2000;
const MAX_DEPTH = 5;

export const circleci: Ecosystem = {name: "circleci", title: "CircleCI", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = FILES.find((path) => project.has(path));
  if (root !== "." || file === undefined) return EMPTY_PROPOSAL;
  const config = project.yaml(file);
  const notes: Note[] = [];
  const budget = {steps: MAX_STEPS};
  const jobs = [...mapOf(valueAt(config, "jobs"))];
  if (jobs.length > MAX_JOBS)
    notes.push({about: file, text: `only the first ${MAX_JOBS} of its ${jobs.length} jobs were looked at`});
  const scripts = jobs.slice(0, MAX_JOBS).flatMap(([name, job]): CiScript[] => {
    const reason = notACheck(name) ?? leftOut(job);
    if (reason !== null) notes.push({about: `${file} ${name}`, text: `left out: ${reason}`});
    if (reason !== null) return [];
    const cwd = folderOfCheckout(textAt(job, "working_directory") ?? ".");
    return cwd === null
      ? []
      : scriptsOf(
          valueAt(job, "steps"),
          {project, file, config, key: name, cwd, env: plainEnv(valueAt(job, "environment")), budget},
          0,
        );
  });
  if (budget.steps <= 0) notes.push({about: file, text: `only the first ${MAX_STEPS} steps were looked at`});
  const mined = extractChecks(project, scripts);
  return {...mined, notes: [...notes, ...mined.notes]};
}

interface CircleLocation {
  readonly project: Project;
  readonly file: string;
  readonly config: unknown;
  readonly key: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly budget: {steps: number};
}

/** The second and later images of a job are services. */
function leftOut(job: unknown): string | null {
  const images = valueAt(job, "docker");
  if (Array.isArray(images) && images.length > 1)
    return "CI starts services next to it; stages that need these fail without them";
  return mapOf(valueAt(job, "macos")).size > 0 || /win\//.test(JSON.stringify(valueAt(job, "executor") ?? ""))
    ? "it runs on another system"
    : null;
}

/** The checkout is the working folder itself, whatever its path on the machine. */
const folderOfCheckout = (folder: string): string | null =>
  /^(~|\/)/.test(folder) && folder.split("/").length <= 4 ? "." : enter(".", folder);

function scriptsOf(steps: unknown, here: CircleLocation, depth: number): CiScript[] {
  if (!Array.isArray(steps) || depth > MAX_DEPTH) return [];
  return steps.slice(0, 100).flatMap((step: unknown): CiScript[] => {
    if (here.budget.steps-- <= 0) return [];
    const run = valueAt(step, "run");
    const text = typeof run === "string" ? run : textAt(run, "command");
    if (text !== null) {
      const name = textAt(run, "name") ?? "";
      const condition = textAt(run, "when");
      const cwd = enter(here.cwd, textAt(run, "working_directory") ?? ".");
      if (cwd === null || condition === "on_fail" || valueAt(run, "background") === true || notACheck(name) !== null)
        return [];
      // The value of a command's or job's parameter is set by its caller.
      const filled = text.replace(/<<\s*(?:pipeline\.)?parameters\.[\w.-]+\s*>>/g, "$PARAMETER");
      const env = {...here.env, ...plainEnv(valueAt(run, "environment"))};
      return [{file: here.file, key: keyIn(here.project, here.file, name, here.key), text: filled, cwd, env}];
    }
    const [name] = typeof step === "string" ? [step] : [...mapOf(step).keys()];
    const command = valueAt(here.config, "commands", name ?? "");
    return command === undefined ? [] : scriptsOf(valueAt(command, "steps"), here, depth + 1);
  });
}
