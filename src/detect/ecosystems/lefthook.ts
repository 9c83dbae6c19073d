/** lefthook: hook commands that check the whole project, used only if nothing else gives such a check. */
import type {Note} from "../../record/plan.ts";
import {kindOf} from "../../shell/stage-kind.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";
import {requiredTools} from "../proposals/task-runners.ts";

const FILES = ["lefthook", ".lefthook"].flatMap((name) => [".yml", ".yaml"].map((end) => `${name}${end}`));
const HOOKS = ["pre-commit", "pre-push"];
const MAX_COMMANDS = 100;

export const lefthook: Ecosystem = {name: "lefthook", title: "lefthook", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return EMPTY_PROPOSAL;
  const content = project.yaml(file);
  const stages: CandidateStage[] = [];
  const notes: Note[] = [];
  const commands = HOOKS.flatMap((hook) => {
    const jobs = valueAt(content, hook, "jobs");
    const hookJobs = Array.isArray(jobs)
      ? jobs.map((job: unknown): [string, unknown] => [textAt(job, "name") ?? "jobs", job])
      : [];
    return [...mapOf(valueAt(content, hook, "commands")), ...hookJobs];
  });
  for (const [name, command] of commands.slice(0, MAX_COMMANDS)) {
    const run = (textAt(command, "run") ?? "").trim();
    const kind = kindOf(run);
    if (kind === null || textAt(command, "root") !== null) continue;
    const why = /\{[\w ]+\}/.test(run)
      ? "it looks only at the files of one commit"
      : valueAt(command, "stage_fixed") === true
        ? "it rewrites files"
        : null;
    if (why !== null) notes.push({about: `${file} ${name}`, text: `passed over: ${why}`});
    else
      stages.push({
        kind,
        command: run,
        cwd: root,
        evidence: "named",
        tools: requiredTools(run),
        origin: {file, key: name, why: `the hook \`${name}\` of lefthook, and nothing else gives such a check`},
        priority: "last-resort",
      });
  }
  return {stages, setup: [], notes};
}
