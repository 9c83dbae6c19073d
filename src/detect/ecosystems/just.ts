/** just: the recipes of a justfile, by their commands. */
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {detectTasks} from "../proposals/task-runners.ts";
import {JUST} from "../scripts/just-recipes.ts";

export const just: Ecosystem = {
  name: "just",
  title: "just",
  manifests: JUST.files,
  where: "beside",
  detect: detectTasks(JUST),
};
