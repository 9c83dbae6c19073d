/** mise: the tasks of a mise.toml, by their commands. */

import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import type {Task, TaskFile} from "../proposals/task-runners.ts";
import {enter} from "./shell-values.ts";

const FILES = ["mise.toml", ".mise.toml"];
const MAX_TASKS = 500;

export const MISE: TaskFile = {
  name: "mise",
  files: FILES,
  hint: "add the step `jdx/mise-action` before Assay",
  command: "mise run",
  starts: /^mise (?:run|r) ([\w:.-]+)$/,
  readTasks: (project, file, root) => {
    const tasks = [...mapOf(valueAt(project.toml(file), "tasks"))].slice(0, MAX_TASKS);
    return new Map(tasks.map(([name, task]) => [name, taskOf(task, root)]));
  },
};

function taskOf(task: unknown, root: string): Task {
  const many = (value: unknown): string[] => (typeof value === "string" ? [value] : textsOf(value));
  const lines = many(Array.isArray(task) || typeof task === "string" ? task : valueAt(task, "run"));
  const folder = textAt(task, "dir");
  const cwd = folder === null ? null : enter(root, folder.replace(/^\{\{\s*config_root\s*\}\}/, "."));
  return {
    lines: lines.flatMap((line) => line.split("\n").map((part) => part.trim())).filter((line) => line !== ""),
    needs: many(valueAt(task, "depends")),
    ...(folder !== null && cwd === null && {unfit: "its folder cannot be known"}),
    ...(cwd !== null && {cwd}),
  };
}
