/** mise: the tasks of a mise.toml, by their commands. */

import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";
import {proposeTasks, type Task} from "../proposals/task-runners.ts";
import {enter} from "../scripts/shell-lines.ts";

const FILES = ["mise.toml", ".mise.toml"];
const MAX_TASKS = 500;

export const mise: Ecosystem = {name: "mise", title: "mise", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return EMPTY_PROPOSAL;
  const tasks = new Map<string, Task>();
  for (const [name, task] of [...mapOf(valueAt(project.toml(file), "tasks"))].slice(0, MAX_TASKS))
    tasks.set(name, taskOf(task, root));
  const runner = {
    name: "mise",
    file,
    cwd: root,
    tools: [{name: "mise", hint: "add the step `jdx/mise-action` before Assay"}],
    start: (task: string) => `mise run ${task}`,
    starts: /^mise (?:run|r) ([\w:.-]+)$/,
  };
  return {stages: proposeTasks(runner, tasks), setup: [], notes: []};
}

function taskOf(task: unknown, root: string): Task {
  const many = (value: unknown): string[] => (typeof value === "string" ? [value] : textsOf(value));
  const lines = many(Array.isArray(task) || typeof task === "string" ? task : valueAt(task, "run"));
  const folder = textAt(task, "dir");
  const cwd = folder === null ? null : enter(root, folder.replace(/^\{\{\s*config_root\s*\}\}/, "."));
  return {
    lines: lines.flatMap((line) => line.split("\n").map((part) => part.trim())).filter((line) => line !== ""),
    needs: many(valueAt(task, "depends")),
    ...(folder !== null && cwd === null ? {unfit: "its folder cannot be known"} : {}),
    ...(cwd === null ? {} : {cwd}),
  };
}
