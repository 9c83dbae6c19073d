/** Lists configuration files of check tools that no stage runs, each with the reason and the fix. */

import type {NotRun} from "../../record/plan.ts";
import {baseName} from "../../shell/program.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {namesTest} from "../../tools/names.ts";
import type {ToolConfig} from "../../tools/tool-command.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {finalTools, PROJECT_SCRIPT, startedTools} from "./stage-tools.ts";

const MAX_LISTED = 50;

const CONFIGURED_TOOLS = COMMANDS.flatMap(({config}) =>
  config === undefined ? [] : [{...config, isOwn: namesTest(...config.files)}],
);

/** Runners whose own configuration selects the tools that they start. Assay does not read it. */
const RUNNERS = /^(pre-commit|prek|tox|nox|hatch|invoke|trunk|bazel|ant|gradle|mvn|sbt)\b/;

/** Lists the configured tools of these folders that none of the candidates runs. */
export function listUnusedConfigs(
  project: Project,
  folders: Iterable<string>,
  candidates: readonly CandidateStage[],
): NotRun[] {
  const unusedConfigs = [...new Set(folders)].flatMap((folder) => {
    // The configuration files of the folders below may extend this one.
    const stages = candidates.filter(({cwd}) => isBelow(folder, cwd) || isBelow(cwd, folder));
    return project.inFolder(folder).flatMap((path): NotRun[] => {
      const basename = baseName(path);
      const tool = CONFIGURED_TOOLS.find(({isOwn}) => isOwn(basename));
      if (tool === undefined || tool.isInUse?.(project.jsonc(path)) === false) return [];
      return stages.some((stage) => mayRun(stage, tool)) ? [] : [explain(project, path, tool)];
    });
  });
  return unusedConfigs.slice(0, MAX_LISTED);
}

/** True if the candidate runs the tool, or a script, target or runner that may start it. */
function mayRun(candidate: CandidateStage, {readers, kind}: ToolConfig): boolean {
  // A tool may include its subcommand, such as `biome check`.
  const isProgram = (tool: string): boolean => readers.some((name) => tool === name || tool.startsWith(`${name} `));
  if ([...startedTools(candidate)].some(isProgram)) return true;
  const hasKind = candidate.kind === kind || candidate.kind === "check";
  return hasKind && [...finalTools(candidate)].every((tool) => PROJECT_SCRIPT.test(`${tool} `) || RUNNERS.test(tool));
}

function explain(project: Project, path: string, {readers: [program = ""], declared}: ToolConfig): NotRun {
  const addStage = `add a stage that runs \`${program}\` to \`extraStages\` in verify.json`;
  const notRun = {
    about: path,
    why: `no stage is known to run \`${program}\`, which this file configures`,
    fix: addStage,
  };
  if (declared === undefined) return notRun;
  const manifest = inside(folderOf(path), declared.in);
  const [name = program] = declared.packages;
  const text = project.has(manifest) ? (project.text(manifest) ?? "") : "";
  const isJson = manifest.endsWith(".json");
  if (declared.packages.some((one) => text.includes(isJson ? `"${one}"` : one))) return notRun;
  const why =
    text === "" ? `there is no ${manifest} that declares \`${name}\`` : `${manifest} does not declare \`${name}\``;
  return {about: path, why, fix: `declare \`${name}\` in ${manifest}, or ${addStage}`};
}
