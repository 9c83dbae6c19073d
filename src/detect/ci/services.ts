/** Lists the services that CI starts for a job, such as a database. Stages that need one fail without it. */
import {mapOf, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {workflowFiles} from "../proposals/candidate-stages.ts";

export interface CiService {
  readonly name: string;
  /** the workflow file */
  readonly file: string;
  /** the definition as written in the workflow */
  readonly definition: unknown;
}

const MAX_WORKFLOWS = 60;

/** The services of all jobs of GitHub's workflows, each name once. */
export function servicesOfCi(project: Project): CiService[] {
  const services = new Map<string, CiService>();
  for (const file of workflowFiles(project).slice(0, MAX_WORKFLOWS)) {
    for (const job of mapOf(valueAt(project.yaml(file), "jobs")).values()) {
      for (const [name, definition] of mapOf(valueAt(job, "services")))
        if (!services.has(name)) services.set(name, {name, file, definition});
    }
  }
  return [...services.values()];
}
