/** Checks that a run has the services that CI starts. */

import {servicesOfCi} from "../../detect/ci/services.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {type Finding, okFinding} from "../finding.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";

/** No findings if CI starts no services. */
export function serviceFindings(project: Project): Finding[] {
  const file = findWorkflow(project);
  const services = servicesOfCi(project).filter((service) => service.file !== file);
  if (services.length === 0) return [];
  const jobs = file === null ? [] : [...mapOf(valueAt(project.yaml(file), "jobs")).values()];
  const startedServices = new Set(jobs.flatMap((job) => [...mapOf(valueAt(job, "services")).keys()]));
  const missingServices = services.filter(({name}) => !startedServices.has(name));
  const about = "services";
  if (missingServices.length === 0)
    return [okFinding(about, `the workflow starts ${services.map(({name}) => name).join(", ")}`)];
  const serviceNames = missingServices.map((one) => `${one.name} (${one.file})`).join(", ");
  return [
    {
      about,
      state: "advice",
      text: `CI starts ${serviceNames}; checks that need it fail without it`,
      next:
        file !== null && callsAssay(project, file)
          ? `start it here; for runs, delete ${file} and run \`assay init\`, which writes the jobs with their services`
          : "start it here; for runs, add its `services:` to the jobs that run stages, and its address to `env` of the stage in verify.json",
    },
  ];
}
