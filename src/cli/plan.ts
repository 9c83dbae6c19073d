/** `assay plan`: the stages that would run in this repository, and the detected commands that would not. */

import {readFile} from "node:fs/promises";
import {join, relative, resolve, sep} from "node:path";
import {allMistakes} from "../detect/all-mistakes.ts";
import {noteOtherVersions, versionsOfCi} from "../detect/ci/tool-versions.ts";
import {type Config, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {readConfigIn} from "../detect/config/read-config.ts";
import type {Listing} from "../detect/files/list-files.ts";
import {openProject} from "../detect/files/open-project.ts";
import type {Project} from "../detect/files/project.ts";
import {plan} from "../detect/plan.ts";
import {installedVersions} from "../engine/program-versions.ts";
import type {Git} from "../git/git.ts";
import {showInvisible} from "../markdown/escape.ts";
import {escapeLog} from "../process/escape-log.ts";
import type {Failure} from "../record/failure.ts";
import type {Note, Plan, Setting} from "../record/plan.ts";
import {CHANGED_PATHS} from "../record/words.ts";
import {extendedFile} from "./extended-file.ts";
import {bareProblem, repositoryFolder} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";
import {withPolicy} from "./policy-option.ts";
import {withStoredProofs} from "./proof-store.ts";
import {jsonText} from "./reporters/json-text.ts";
import {useTerminalPrograms} from "./terminal-programs.ts";

/**
 * Exit 0; 3 for an empty task, and if verify.json has mistakes. Reads the working folder and runs nothing of it.
 * `listing` is the list of its files if the caller has started it.
 */
export async function planCommand(
  options: {json?: boolean; changed?: string[]; task?: string; policy?: string},
  listing?: Promise<Listing>,
): Promise<number> {
  useTerminalPrograms();
  if (options.task?.trim() === "") {
    const sentence = "error: --task is empty. Write what the agent would be asked to do.";
    return printOnDemand({kind: "wrong-argument", sentence});
  }
  const problem = bareProblem(process.cwd());
  if (problem !== null) return printOnDemand({kind: "wrong-argument", sentence: problem});
  const folder = repositoryFolder(process.cwd());
  const leftOutPaths: string[] = [];
  const project = await openProject(folder, process.env, listing, (path) => leftOutPaths.push(path));
  const config = await readConfigIn(folder, extendedFile, (path) => project.text(path));
  if (!config.ok) return printOnDemand(allMistakes(config.failure, project));
  const limited = await withPolicy(config.value, options.policy);
  if (!limited.ok) return printOnDemand(limited.failure);
  const changedPaths = options.changed?.map((path) => toPosix(relative(folder, resolve(path))));
  // The programs answer while the plan is made.
  const programs = versionsOfCi(project, []).map(({program}) => program);
  const versions = installedVersions(programs, {folder, variables: process.env});
  const planResult = plan({
    project,
    config: limited.value.config,
    ...(changedPaths && {changed: changedPaths}),
  });
  if (!planResult.ok) return printOnDemand(planResult.failure);
  const provedPlan = await withStoredProofs(planResult.value, {folder, project});
  if (changedPaths !== undefined) await warnOfMissing(folder, changedPaths);
  const selection = {project, config: limited.value.config, changed: changedPaths ?? []};
  const notes = [
    ...noteOtherVersions(versionsOfCi(project, provedPlan.stages), await versions),
    ...provedPlan.notes,
    ...noteUnlisted(project, relative(folder, process.cwd())),
    ...noteLeftOut(leftOutPaths),
    ...limited.value.notes,
    ...(limited.value.config.enabled ? [] : [NOTHING_VERIFIED]),
  ];
  const settings = await settingsOf(folder, {
    owners: config.value,
    config: limited.value.config,
    policy: options.policy,
  });
  const fullPlan = {...provedPlan, notes, ...(settings.length > 0 && {settings})};
  const printedPlan =
    selection.changed.length === 0 ? fullPlan : await forChangedPaths(fullPlan, {...selection, folder});
  const rankingPart = options.task === undefined ? {} : await rankingFor(options.task, selection);
  if (options.json) process.stdout.write(jsonText({...printedPlan, ...rankingPart}));
  else (await import("./plan-text.ts")).printPlan({...printedPlan, ...rankingPart});
  return 0;
}

/** Loaded only for a configuration, so that a plan without one starts fast. */
async function settingsOf(
  folder: string,
  configs: {owners: Config; config: Config; policy: string | undefined},
): Promise<Setting[]> {
  const {file} = configs.owners;
  if (configs.config === DEFAULT_CONFIG) return [];
  const text = file === null ? "" : await readFile(join(folder, file), "utf8").catch(() => "");
  const {settingOrigins} = await import("./setting-origins.ts");
  return settingOrigins({...configs, own: file === null ? null : {file, text}, policy: configs.policy ?? null});
}

const NOTHING_VERIFIED: Note = {about: "enabled", text: "verify.json says false, so nothing is verified"};

/** A plan is always for the whole repository, which may ignore the folder that the command runs in. */
function noteUnlisted(project: Project, cwd: string): Note[] {
  if (cwd === "" || project.below(toPosix(cwd)).length > 0) return [];
  const text = "git lists no file of this folder, so it is not in the plan of the repository around it; is it ignored?";
  return [{about: toPosix(cwd), text}];
}

/** `assay verify` checks whole commits, so the plan has to include what this folder lacks. */
function noteLeftOut(paths: readonly string[]): Note[] {
  const [first] = [...paths].sort();
  if (first === undefined) return [];
  const files = paths.length === 1 ? `the file ${first} is` : `${paths.length} files, such as ${first}, are`;
  return [
    {
      about: ".",
      text: `${files} read from git, because a sparse checkout leaves ${paths.length === 1 ? "it" : "them"} out of this folder`,
    },
  ];
}

/** Loaded only for a task, so that a plan starts fast. */
async function rankingFor(task: string, options: {project: Project; config: Config}): Promise<Pick<Plan, "specs">> {
  const {rankSpecs} = await import("./spec-ranking.ts");
  return {specs: rankSpecs({task, project: options.project, rules: options.config.specs})};
}

/** Only a warning, because a program may ask about paths that do not exist yet. */
async function warnOfMissing(folder: string, paths: readonly string[]): Promise<void> {
  const {missingPaths} = await import("./missing-paths.ts");
  for (const path of await missingPaths(folder, paths)) {
    const text = showInvisible(`warning: ${path} is neither in this repository nor in the last commit`);
    process.stderr.write(`${escapeLog(text, "")}\n`);
  }
}

/** Adds the stages that read each changed path. Without stages if `verify` would run none for these paths. */
async function forChangedPaths(
  fullPlan: Plan,
  options: {project: Project; config: Config; changed: readonly string[]; folder: string},
): Promise<Plan> {
  const {project, config, folder} = options;
  const {coverageIn} = await import("../engine/find-coverage.ts");
  const {decideVerification} = await import("../changes/document-readers.ts");
  const changes = options.changed.map((path) => ({path, status: "modified" as const}));
  const coverage = coverageIn({tree: project, changes, rules: {...config, wholePlan: fullPlan}}).paths;
  const {stages} = fullPlan;
  const {hardenedGit} = await import("../git/git.ts");
  const hardened = hardenedGit({folder, variables: process.env});
  const git: Git = (args, call) => hardened(args, {...call, cwd: folder});
  const decision = await decideVerification({git, commit: "HEAD", changes, rules: config, stages});
  if (decision.kind === "verify" || stages.length === 0) return {...fullPlan, coverage};
  const note = {about: CHANGED_PATHS, text: `nothing to verify: ${decision.detail}`};
  return {...fullPlan, stages: [], setup: [], notes: [note], coverage};
}

const toPosix = (path: string) => path.split(sep).join("/");

/** The text modules are loaded on demand, so that `--json` starts faster. */
const printOnDemand = async (failure: Failure | WrongArgument): Promise<number> =>
  (await import("./error-text.ts")).printFailure(failure);
