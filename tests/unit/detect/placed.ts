/** What a project in memory is planned to, as short lines that name the folder, and GitHub workflows to plan from. */
import {planOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

/** `name: command`, and ` @folder` where it is not the root. */
export const stages = (tree: Tree): string[] =>
  planOf(tree).stages.map((stage) => `${stage.name}: ${stage.command}${stage.cwd === "." ? "" : ` @${stage.cwd}`}`);

export const notes = (tree: Tree): string[] => planOf(tree).notes.map((note) => `${note.about}: ${note.text}`);

/** A workflow with these jobs, triggered as usual. */
export const workflow = (jobs: string, head = "on: [push, pull_request]") => ({
  ".github/workflows/ci.yml": `${head}\njobs:\n${jobs}`,
});

/** One job with these steps, each as YAML without its dash. */
export const steps = (...runs: readonly string[]): string =>
  `  job:\n    runs-on: ubuntu-latest\n    steps:\n${runs.map((run) => `      - ${run}\n`).join("")}`;
