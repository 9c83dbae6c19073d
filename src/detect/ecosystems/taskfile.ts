/** Task: the tasks of a Taskfile, by their commands. */
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {detectTasks} from "../proposals/task-runners.ts";
import {TASK} from "../scripts/taskfile-tasks.ts";

export const taskfile: Ecosystem = {
  name: "taskfile",
  title: "Task",
  manifests: TASK.files,
  where: "beside",
  detect: detectTasks(TASK),
};
