/** Task: the tasks of a Taskfile, by their commands. */

import {mapOf, textAt, textEntries, valueAt} from "../files/manifest-values.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";
import {proposeTasks, type Task} from "../proposals/task-runners.ts";
import {enter} from "../scripts/shell-lines.ts";

const FILES = ["Taskfile", "taskfile"].flatMap((name) =>
  [".yml", ".yaml", ".dist.yml", ".dist.yaml"].map((end) => `${name}${end}`),
);
const MAX_TASKS = 500;

export const taskfile: Ecosystem = {name: "taskfile", title: "Task", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return EMPTY_PROPOSAL;
  const content = project.yaml(file);
  const variables = textEntries(valueAt(content, "vars"));
  const tasks = new Map<string, Task>();
  for (const [name, task] of [...mapOf(valueAt(content, "tasks"))].slice(0, MAX_TASKS))
    tasks.set(name, taskOf(task, variables, root));
  const runner = {
    name: "task",
    file,
    cwd: root,
    tools: [{name: "task", hint: "add the step `arduino/setup-task` before Assay"}],
    start: (task: string) => `task ${task}`,
    starts: /^task ([\w:.-]+)$/,
  };
  return {stages: proposeTasks(runner, tasks), setup: [], notes: []};
}

function taskOf(task: unknown, variables: ReadonlyMap<string, string>, root: string): Task {
  const all = new Map([...variables, ...textEntries(valueAt(task, "vars"))]);
  const singleCommand = typeof task === "string" ? task : textAt(task, "cmd");
  const list = Array.isArray(task) ? task : valueAt(task, "cmds");
  const commands = singleCommand === null ? (Array.isArray(list) ? list : []) : [singleCommand];
  const lines = commands.map((command: unknown) => {
    const startedTask = textAt(command, "task");
    return startedTask === null
      ? filled(typeof command === "string" ? command : (textAt(command, "cmd") ?? ""), all)
      : `task ${startedTask}`;
  });
  const needs = valueAt(task, "deps");
  const cwd = textAt(task, "dir") === null ? null : enter(root, filled(textAt(task, "dir") ?? "", all));
  const unfit =
    valueAt(task, "watch") === true
      ? "it watches"
      : mapOf(valueAt(task, "requires")).size > 0
        ? "it wants variables"
        : null;
  return {
    lines,
    needs: (Array.isArray(needs) ? needs : []).map((need: unknown) =>
      typeof need === "string" ? need : (textAt(need, "task") ?? ""),
    ),
    ...(unfit === null ? {} : {unfit}),
    ...(cwd === null ? {} : {cwd}),
  };
}

function filled(text: string, variables: ReadonlyMap<string, string>): string {
  return text
    .replace(/\{\{\s*\.(\w+)\s*\}\}/g, (whole, name: string) =>
      name === "CLI_ARGS" ? "" : (variables.get(name) ?? whole),
    )
    .trim();
}
