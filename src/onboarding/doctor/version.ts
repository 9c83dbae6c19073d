/** Says which version of Assay the workflow runs, by the file's own words, and whether this version would write another. */
import type {Project} from "../../detect/files/project.ts";
import {type Finding, okFinding} from "../finding.ts";
import {ownPins, pinsIn} from "../init/pins.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";

/** Empty without a workflow. */
export function pinFindings(project: Project): Finding[] {
  const file = findWorkflow(project);
  const pins = pinsIn(project.text(file ?? "") ?? "");
  if (file === null || pins.length === 0) return [];
  const own = ownPins();
  const short = ({ref, label}: (typeof pins)[number]) =>
    label === "" ? ref.slice(0, 12) : `${label} (${ref.slice(0, 12)})`;
  const words = `runs Assay at ${pins.map(short).join(", ")}`;
  if (pins.some(({ref}) => !/^[0-9a-f]{40,64}$/.test(ref))) {
    const next = "run `assay init --update` to write a commit, which Dependabot and Renovate update";
    return [{about: file, state: "advice", text: `${words}, which can move to other code`, next}];
  }
  if (pins.every(({ref}) => own.some((one) => one.ref === ref))) return [okFinding(file, words)];
  // A job that calls Assay's workflow names that workflow's commit; written jobs name the action's.
  const written = callsAssay(project, file) ? own.slice(-1) : own.slice(0, 1);
  const text = `${words}; this version writes ${written.map(short).join(", ")}`;
  return [{about: file, state: "advice", text, next: "run `assay init --update`, which shows the differences first"}];
}
