/** Azure Pipelines: the scripts of `azure-pipelines.yml` and of the templates that it includes from the same tree. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-lines.ts";
import {type CiScript, extractChecks} from "./extract-checks.ts";
import {keyIn} from "./jobs.ts";
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
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const file = FILES.find((path) => project.has(path));
  if (root !== "." || file === undefined) return EMPTY_PROPOSAL;
  const pipeline = project.yaml(file);
  // A pipeline with `pr: none` and `trigger: none` starts manually or by a schedule.
  if (valueAt(pipeline, "trigger") === "none" && valueAt(pipeline, "pr") === "none")
    return {...EMPTY_PROPOSAL, notes: [{about: file, text: "left out: no push and no pull request starts it"}]};
  const notes: Note[] = [];
  const look: AzureScope = {project, notes, budget: {nodes: MAX_NODES}};
  const scripts = scriptsIn(pipeline, {file, key: "steps", above: [file]}, look);
  if (look.budget.nodes <= 0) notes.push({about: file, text: `only ${MAX_NODES} of its steps and jobs were looked at`});
  const mined = extractChecks(project, scripts);
  return {...mined, notes: [...notes, ...mined.notes]};
}

interface AzureScope {
  readonly project: Project;
  readonly notes: Note[];
  readonly budget: {nodes: number};
}

interface AzureLocation {
  readonly file: string;
  readonly key: string;
  /** files that included this one, against cycles */
  readonly above: readonly string[];
}

/** Scripts of a pipeline, stage, job, step or template, whichever it is. */
function scriptsIn(node: unknown, place: AzureLocation, look: AzureScope): CiScript[] {
  if (look.budget.nodes-- <= 0 || place.above.length > MAX_DEPTH) return [];
  const name = textAt(node, "job") ?? textAt(node, "stage") ?? textAt(node, "displayName") ?? "";
  const reason =
    notACheck(textAt(node, "job"), textAt(node, "stage"), textAt(node, "displayName")) ??
    (node !== null && isElsewhere(valueAt(node, "pool")) ? "it runs on another system" : null) ??
    (textAt(node, "deployment") === null ? null : "it deploys");
  if (reason !== null) {
    look.notes.push({about: `${place.file} ${name}`.trim(), text: `left out: ${reason}`});
    return [];
  }
  const key = keyIn(look.project, place.file, name, place.key);
  const origin = {...place, key};
  const template = textAt(node, "template");
  if (template !== null) return templateScripts(template, origin, look);
  const text = textAt(node, "script") ?? textAt(node, "bash");
  if (text !== null) {
    const cwd = enter(".", textAt(node, "workingDirectory") ?? ".");
    if (
      cwd === null ||
      valueAt(node, "continueOnError") === true ||
      /Agent\.OS.*Windows|failed\(\)/.test(textAt(node, "condition") ?? "")
    )
      return [];
    // `$(name)` is filled in by Azure before any shell sees it.
    return [
      {
        file: place.file,
        key,
        text: text.replace(/\$\((\w[\w.]*)\)/g, (_, variable: string) => `\${${variable.replaceAll(".", "_")}}`),
        cwd,
        env: {},
      },
    ];
  }
  return ["stages", "jobs", "steps"].flatMap((list) => {
    const items = mapOf(node).get(list);
    return Array.isArray(items) ? items.slice(0, 200).flatMap((item: unknown) => scriptsIn(item, origin, look)) : [];
  });
}

function templateScripts(template: string, place: AzureLocation, look: AzureScope): CiScript[] {
  const path = template.startsWith("/") ? template.slice(1) : inside(folderOf(place.file), template);
  const file = enter(".", path);
  if (template.includes("@") || file === null || !look.project.has(file) || place.above.includes(file)) {
    look.notes.push({
      about: `${place.file} ${place.key}`,
      text: "a template is left out: it is not in this tree, or uses itself",
    });
    return [];
  }
  return scriptsIn(look.project.yaml(file), {file, key: "steps", above: [...place.above, file]}, look);
}
