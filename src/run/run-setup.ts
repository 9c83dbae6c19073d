/** Run setup: Assay's own repository, the rules from the reviewed branch, the plan, and the target of the work. */
import {join} from "node:path";
import {type Config, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import type {Project} from "../detect/files/project.ts";
import {plan as makePlan} from "../detect/plan.ts";
import {openRepository, type Repository, type Revision} from "../git/repository.ts";
import type {WorkflowFile} from "../github/workflow-job.ts";
import {botBranchNames, branchOf, issueTarget, pullRequestTarget, type Target} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type ChosenSpecs, chooseSpecs} from "../specs/choose-specs.ts";
import {findSpecs} from "../specs/find-specs.ts";
import {machineToolchain, type Toolchain} from "../verify/toolchain.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {JobTime} from "./budget.ts";
import {findJobTime} from "./job-time.ts";
import {missingLfsNotes} from "./lfs-notes.ts";
import {openCommit} from "./open-commit.ts";
import {readOwnWorkflow} from "./own-workflow.ts";
import {requestRules} from "./request-rules.ts";

export interface RunSetup {
  readonly repository: Repository;
  readonly target: Target;
  readonly base: Revision;
  readonly config: Config;
  readonly plan: Plan;
  /** of this machine, before the agent or a stage has run on it */
  readonly toolchain: Toolchain;
  /** the plan that `plan` is this machine's share of */
  readonly wholePlan?: Plan;
  /** the file of the workflow that started this run; null where it is not known */
  readonly workflow: WorkflowFile | null;
  /** when this run has to end by itself; null where its job's limit is not known */
  readonly job: JobTime | null;
  /** the specs for the agent, from the commit of the rules; null without an agent */
  readonly specs: ChosenSpecs | null;
  /** mistakes in verify.json: nothing can be verified */
  readonly configFailure: Failure | null;
}

/** Decisions of the job `admit`: later jobs use the same setup, even if the branches have moved since. */
export interface EndedEarly {
  readonly rules: {readonly ref: string; readonly commit: string};
  readonly target: Target;
}

/** Fetches the commits and writes base, rules and plan into the record. Runs nothing of the repository. */
export async function prepareRun(
  run: AdmittedRun,
  settled: EndedEarly | null = null,
): Promise<Result<RunSetup, Failure>> {
  const {context, event, record} = run;
  const opened = await openOwnRepository(run);
  if (!opened.ok) return opened;
  const repository = opened.value;

  const rulesRef = settled?.rules.ref ?? `refs/heads/${run.head?.baseBranch ?? event.repository.defaultBranch}`;
  const {signal} = context;
  const rules = await repository.fetch(settled?.rules.commit ?? rulesRef, {signal});
  if (!rules.ok) return rules;
  const {commit} = rules.value;
  const read = await readConfig((path) => repository.readText(commit, path, {maxBytes: MAX_CONFIG_BYTES}));
  if (!read.ok && read.failure.kind !== "config-invalid") return read;
  const config = read.ok ? read.value : DEFAULT_CONFIG;

  const publish = config.publish ?? "pull-request";
  const target =
    settled === null
      ? await chooseTarget({run, repository, publish, rules: {ref: rulesRef, commit}})
      : ok(settled.target);
  if (!target.ok) return target;
  const base = await repository.fetch(target.value.base.commit, {signal});
  if (!base.ok) return base;

  const missing = await repository.missingLfs(base.value.commit);
  if (!missing.ok) return missing;
  record.addNotes(missingLfsNotes(missing.value, "Set `lfs: true` for `actions/checkout` in the workflow."));

  const folder = join(run.folder, "rules");
  const project = await openCommit({repository, commit, folder});
  if (!project.ok) return project;
  const planned = makePlan({project: project.value, config});
  const plan: Plan = planned.ok
    ? planned.value
    : {schema: "assay.plan/1", stages: [], setup: [], notRun: [], notes: []};
  record.update({base: {ref: target.value.base.ref, ...base.value}, rules: {ref: rulesRef, commit}, plan});
  const specs = specsFor({run, project: project.value, config});
  if (specs !== null && specs.texts.length > 0) record.update({specs: specs.given});
  if (config.file !== null || !read.ok) record.update({showsPlan: false});
  const workflow = await readOwnWorkflow({run, repository});
  const toolchain = machineToolchain({plan, realHome: context.realHome, variables: context.variables});
  const mistakes = [read, planned].flatMap((result) => (result.ok ? [] : [result.failure]));
  return ok({
    repository,
    target: target.value,
    base: base.value,
    config,
    plan,
    toolchain,
    workflow,
    job: findJobTime({run, workflow}),
    specs,
    configFailure: mistakes[0] ?? null,
  });
}

/** Each job of a run chooses the same specs, because all of them read the same commit and event. */
function specsFor({run, project, config}: {run: AdmittedRun; project: Project; config: Config}): ChosenSpecs | null {
  const {task} = requestRules(run);
  const {specs: rules} = config;
  if (task === null || rules === null) return null;
  const {title, body} = run.event.thread;
  return chooseSpecs({task: [task, title, body].join("\n"), specs: findSpecs(project, rules.paths), rules});
}

/** Opens Assay's own git directory in the run's folder, and creates it on first use. */
export function openOwnRepository({context, event, folder}: AdmittedRun): Promise<Result<Repository, Failure>> {
  const {runner, inputs, variables} = context;
  const url = `${runner.serverUrl}/${event.repository.fullName}.git`;
  return openRepository({
    folder: join(folder, "git"),
    source: {kind: "remote", url, token: inputs["github-token"]},
    variables,
    author: {name: inputs["bot-name"], email: inputs["bot-email"]},
    lfsFolder: runner.workspace,
  });
}

async function chooseTarget(o: {
  run: AdmittedRun;
  repository: Repository;
  publish: "pull-request" | "branch" | "direct";
  rules: {ref: string; commit: string};
}): Promise<Result<Target, Failure>> {
  const {run, repository, publish} = o;
  if (run.head !== null) {
    return ok(pullRequestTarget(run.head));
  }
  if (requestRules(run).task === null && run.record.current().resumes === undefined) {
    return ok({ref: o.rules.ref, expect: o.rules.commit, base: o.rules, pullRequest: "none"});
  }
  const branches = [];
  for (const ref of publish === "direct" ? [] : botBranchNames(run.event.thread.number)) {
    const commit = await repository.remoteRef(ref);
    if (!commit.ok) return commit;
    const pull = commit.value === null ? null : await run.context.github.pullRequestOf(branchOf(ref));
    if (pull !== null && !pull.ok) return pull;
    branches.push({ref, commit: commit.value, hasOpenPullRequest: pull?.value != null});
    if (commit.value === null) break;
  }
  const target = issueTarget({publish, defaultBranch: o.rules, branches});
  if (target !== null) return ok(target);
  return refused({
    kind: "git-refused",
    message: "all branch names of this issue are taken; delete the old assay/issue branches",
  });
}
