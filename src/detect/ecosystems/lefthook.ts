/** lefthook: hook commands that check the whole project, used only if nothing else gives such a check. */
import type {Note} from "../../record/plan.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {requiredTools} from "../proposals/task-runners.ts";

const FILES = ["lefthook", ".lefthook"].flatMap((name) => [".yml", ".yaml"].map((end) => `${name}${end}`));
const HOOKS = ["pre-commit", "pre-push"];
const MAX_COMMANDS = 100;

export const lefthook: Ecosystem = {name: "lefthook", title: "lefthook", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  if (file === null) return {};
  const content = project.yaml(file);
  const checks: CheckRow[] = [];
  const notes: Note[] = [];
  const commands = HOOKS.flatMap((hook) => {
    const jobs = listOf(valueAt(content, hook, "jobs"));
    const namedJobs = jobs.map((job): [string, unknown] => [textAt(job, "name") ?? "jobs", job]);
    return [...mapOf(valueAt(content, hook, "commands")), ...namedJobs];
  });
  for (const [name, hook] of commands.slice(0, MAX_COMMANDS)) {
    const command = (textAt(hook, "run") ?? "").trim();
    const kind = kindOf(command);
    if (kind === null || textAt(hook, "root") !== null) continue;
    const isPartial = /\{[\w ]+\}/.test(command);
    if (isPartial || valueAt(hook, "stage_fixed") === true) {
      const why = isPartial ? "it looks only at the files of one commit" : "it rewrites files";
      notes.push({about: `${file} ${name}`, text: `skipped: ${why}`});
      continue;
    }
    const origin = originOf(file, `the hook \`${name}\` of lefthook, and nothing else gives such a check`, name);
    const tools = requiredTools(command);
    checks.push({kind, command, origin, evidence: "named", tools, priority: "last-resort"});
  }
  return {checks, notes};
}
