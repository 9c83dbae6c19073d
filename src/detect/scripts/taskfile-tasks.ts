/** Task: the tasks of a Taskfile, by their commands. */

import {listOf, mapOf, textAt, textEntries, valueAt} from "../files/manifest-values.ts";
import type {Task, TaskFile} from "../proposals/task-runners.ts";
import {enter} from "./shell-values.ts";

const FILES = ["Taskfile", "taskfile"].flatMap((name) =>
  [".yml", ".yaml", ".dist.yml", ".dist.yaml"].map((end) => `${name}${end}`),
);
const MAX_TASKS = 500;

export const TASK: TaskFile = {
  name: "taskfile",
  title: "Task",
  files: FILES,
  hint: "add the step `arduino/setup-task` before Assay",
  command: "task",
  starts: /^task ([\w:.-]+)$/,
  readTasks: (project, file, root) => {
    const content = project.yaml(file);
    const variables = textEntries(valueAt(content, "vars"));
    const tasks = [...mapOf(valueAt(content, "tasks"))].slice(0, MAX_TASKS);
    return new Map(tasks.map(([name, task]) => [name, taskOf(task, variables, root)]));
  },
};

function taskOf(task: unknown, variables: ReadonlyMap<string, string>, root: string): Task {
  const allVariables = new Map([...variables, ...textEntries(valueAt(task, "vars"))]);
  const only = typeof task === "string" ? task : textAt(task, "cmd");
  const commands = only === null ? listOf(Array.isArray(task) ? task : valueAt(task, "cmds")) : [only];
  const lines = commands.map((command) => {
    const startedTask = textAt(command, "task");
    if (startedTask !== null) return `task ${startedTask}`;
    return fillText(typeof command === "string" ? command : (textAt(command, "cmd") ?? ""), allVariables);
  });
  const needs = listOf(valueAt(task, "deps")).map((need) =>
    typeof need === "string" ? need : (textAt(need, "task") ?? ""),
  );
  const folder = textAt(task, "dir");
  const cwd = folder === null ? null : enter(root, fillText(folder, allVariables));
  const wantsVariables = mapOf(valueAt(task, "requires")).size > 0;
  const unfit = valueAt(task, "watch") === true ? "it watches" : wantsVariables ? "it wants variables" : null;
  return {lines, needs, ...(unfit !== null && {unfit}), ...(cwd !== null && {cwd})};
}

function fillText(text: string, variables: ReadonlyMap<string, string>): string {
  return text
    .replace(/\{\{\s*\.(\w+)\s*\}\}/g, (whole, name: string) =>
      name === "CLI_ARGS" ? "" : (variables.get(name) ?? whole),
    )
    .trim();
}
