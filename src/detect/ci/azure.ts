/** Azure Pipelines: the scripts of `azure-pipelines.yml` and of the templates that it includes from the same tree. */
import type {Note} from "../../record/plan.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-values.ts";
import {detectScripts} from "./extract-checks.ts";
import type {CiScript} from "./jobs.ts";
import {type CiLocation, keyIn} from "./jobs.ts";
import {isElsewhere} from "./matrix.ts";

const FILES = [
  "azure-pipelines.yml",
  "azure-pipelines.yaml",
  ".azure-pipelines.yml",
  ".azure-pipelines/azure-pipelines.yml",
];
const MAX_NODES = 2000;
const MAX_DEPTH = 12;

export const azure: Ecosystem = {
  name: "azure-pipelines",
  title: "Azure Pipelines",
  manifests: [...FILES.slice(0, 3), ".azure-pipelines/*.yml"],
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  const file = FILES.find((path) => project.has(path));
  if (file === undefined) return [];
  const pipeline = project.yaml(file);
  // A pipeline with `pr: none` and `trigger: none` starts manually or by a schedule.
  if (valueAt(pipeline, "trigger") === "none" && valueAt(pipeline, "pr") === "none") {
    notes.push({about: file, text: "left out: no push and no pull request starts it"});
    return [];
  }
  const budget = {steps: MAX_NODES};
  const scripts = scriptsIn(pipeline, {project, notes, file, key: "steps", above: [file], budget});
  if (budget.steps <= 0) notes.push({about: file, text: `only ${MAX_NODES} of its steps and jobs were looked at`});
  return scripts;
}

/** The scripts of a node, which may be a pipeline, stage, job, step or template. */
function scriptsIn(node: unknown, place: CiLocation): CiScript[] {
  const {project, notes, file, above, budget} = place;
  if (budget.steps-- <= 0 || above.length > MAX_DEPTH) return [];
  const names = ["job", "stage", "displayName"].map((name) => textAt(node, name));
  const name = names.find((one) => one !== null) ?? "";
  const reason =
    notACheck(...names) ??
    (node !== null && isElsewhere(valueAt(node, "pool")) ? "it runs on another system" : null) ??
    (textAt(node, "deployment") === null ? null : "it deploys");
  if (reason !== null) {
    notes.push({about: `${file} ${name}`.trim(), text: `left out: ${reason}`});
    return [];
  }
  const key = keyIn(project, file, name, place.key);
  const stepPlace = {...place, key};
  const template = textAt(node, "template");
  if (template !== null) return templateScripts(template, stepPlace);
  const script = textAt(node, "script") ?? textAt(node, "bash");
  if (script !== null) {
    const cwd = enter(".", textAt(node, "workingDirectory") ?? ".");
    const isExtra = /Agent\.OS.*Windows|failed\(\)/.test(textAt(node, "condition") ?? "");
    if (cwd === null || isExtra || valueAt(node, "continueOnError") === true) return [];
    // Azure replaces `$(name)` before a shell runs the script.
    const text = script.replace(/\$\((\w[\w.]*)\)/g, (_, variable: string) => `\${${variable.replaceAll(".", "_")}}`);
    return [{file, key, text, cwd, env: {}}];
  }
  const items = ["stages", "jobs", "steps"].flatMap((list) => listOf(mapOf(node).get(list)).slice(0, 200));
  return items.flatMap((item) => scriptsIn(item, stepPlace));
}

function templateScripts(template: string, place: CiLocation): CiScript[] {
  const {project, notes, above} = place;
  const path = template.startsWith("/") ? template.slice(1) : inside(folderOf(place.file), template);
  const file = enter(".", path);
  if (template.includes("@") || file === null || !project.has(file) || above.includes(file)) {
    const text = "a template is left out: it is not in this tree, or uses itself";
    notes.push({about: `${place.file} ${place.key}`, text});
    return [];
  }
  return scriptsIn(project.yaml(file), {...place, file, key: "steps", above: [...above, file]});
}
