/** mise: the tasks of a mise.toml, by their commands. */
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {detectTasks} from "../proposals/task-runners.ts";
import {MISE} from "../scripts/mise-tasks.ts";

export const mise: Ecosystem = {
  name: "mise",
  title: "mise",
  manifests: MISE.files,
  where: "beside",
  detect: detectTasks(MISE),
};
