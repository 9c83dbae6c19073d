/** Configuration files of check tools that no stage of the plan runs: each is listed with the reason and the fix. */
import type {NotRun} from "../../record/plan.ts";
import {CONFIGURED_TOOLS} from "../../tools/all.ts";
import type {ToolFiles} from "../../tools/tool.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {PROJECT_SCRIPT} from "./from-ci.ts";
import {finalTools, startedTools} from "./select-stages.ts";

const MAX_LISTED = 50;

/** Runners that start tools by their own configuration, so that nobody can tell here which ones they leave out. */
const RUNNERS = /^(pre-commit|prek|lefthook|tox|nox|hatch|invoke|trunk|bazel|ant|gradle|mvn|sbt|fledge)\b/;

/** Lists the configured tools of these folders that none of the drafts runs. */
export function listUnusedConfigs(o: {
  project: Project;
  folders: Iterable<string>;
  drafts: readonly CandidateStage[];
}): NotRun[] {
  const {project, drafts} = o;
  const listed = [...new Set(o.folders)].flatMap((folder) =>
    project.inFolder(folder).flatMap((path): NotRun[] => {
      const basename = path.slice(path.lastIndexOf("/") + 1);
      const tool = CONFIGURED_TOOLS.find(({files}) => files.test(basename));
      if (tool === undefined || tool.isInUse?.(project.jsonc(path)) === false) return [];
      const above = drafts.filter(({cwd}) => isBelow(folder, cwd));
      return above.some((draft) => mayRun(draft, tool)) ? [] : [entryFor({project, path, tool})];
    }),
  );
  return listed.slice(0, MAX_LISTED);
}

/** True if the draft runs the tool, or may do so behind a runner or target whose body is unknown. */
function mayRun(draft: CandidateStage, {programs, kind}: ToolFiles): boolean {
  if ([...startedTools(draft)].some((tool) => programs.some((program) => isProgram(tool, program)))) return true;
  const isOfKind = draft.kind === kind || draft.kind === "check";
  return isOfKind && [...finalTools(draft)].every((tool) => PROJECT_SCRIPT.test(`${tool} `) || RUNNERS.test(tool));
}

/** Tools are known with their sub-command, such as `biome check`. */
const isProgram = (tool: string, program: string): boolean => tool === program || tool.startsWith(`${program} `);

function entryFor(o: {project: Project; path: string; tool: ToolFiles}): NotRun {
  const {project, path, tool} = o;
  const program = tool.programs[0] ?? "";
  const stage = `add a stage that runs \`${program}\` to \`stages\` in verify.json`;
  const none = {about: path, why: `no stage runs \`${program}\`, which it configures`, fix: stage};
  if (tool.declared === undefined) return none;
  const manifest = inside(folderOf(path), tool.declared.in);
  const [name = program] = tool.declared.packages;
  const text = project.has(manifest) ? (project.text(manifest) ?? "") : "";
  const isJson = manifest.endsWith(".json");
  if (tool.declared.packages.some((one) => text.includes(isJson ? `"${one}"` : one))) return none;
  const why =
    text === "" ? `there is no ${manifest} that declares \`${name}\`` : `${manifest} does not declare \`${name}\``;
  return {about: path, why, fix: `declare \`${name}\` in ${manifest}, or ${stage}`};
}
