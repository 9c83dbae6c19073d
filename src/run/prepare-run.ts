/** Prepares a run: Assay's own repository, the rules from the reviewed branch, the plan, and the target of the work. */
import {statSync} from "node:fs";
import {join} from "node:path";
import {allMistakes} from "../detect/all-mistakes.ts";
import {type CiVersion, versionsOfCi} from "../detect/ci/tool-versions.ts";
import {type Config, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {integrityNotes} from "../detect/config/config-notes.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import type {Project} from "../detect/files/project.ts";
import {plan as makePlan} from "../detect/plan.ts";
import {compareWithCi} from "../engine/program-versions.ts";
import {recordToolchain, type Toolchain} from "../engine/toolchain.ts";
import {openRepository, type Repository, type Revision} from "../git/repository.ts";
import {jobMinutes, readWorkflow, type WorkflowFile, workflowPath} from "../github/workflow-job.ts";
import type {DividedPlan} from "../handover/split-checks.ts";
import {JOB_MINUTES} from "../onboarding/init/workflow-parts.ts";
import {branchOf, issueTarget, pullRequestTarget, type Target} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import type {Note, Plan} from "../record/plan.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {isRound, triggerOf} from "../request/triggers.ts";
import {type ChosenSpecs, chooseSpecs} from "../specs/choose-specs.ts";
import {findSpecs} from "../specs/find-specs.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {budgetAfter, budgetOf, type JobTime, jobTime} from "./budget.ts";
import {extendedOf} from "./extended-config.ts";
import {plansForMachines} from "./file-times.ts";
import {missingLfsNotes} from "./lfs-notes.ts";
import {openCommit} from "./open-commit.ts";
import {branchNames, requestRules} from "./request-rules.ts";
import type {RunContext} from "./run-context.ts";

export const MAX_WORKFLOW_BYTES = 250_000;

/** A run that knows its commits, its rules and its plan. */
export interface PreparedRun extends AdmittedRun {
  readonly repository: Repository;
  readonly target: Target;
  readonly base: Revision;
  readonly config: Config;
  readonly wholePlan: Plan;
  /** with slow checks divided between the machines; the same without several machines */
  readonly divided: DividedPlan;
  /** the files that the plan was made from */
  readonly rulesProject: Project;
  /** this machine's share of the whole plan: all stages, unless several machines verify */
  readonly plan: Plan;
  /** the state of this machine before the agent or a stage has run on it */
  readonly toolchain: Toolchain;
  /** the file of the workflow that started this run; null if it is unknown */
  readonly workflow: WorkflowFile | null;
  /** when this run must end itself; null if its job's limit is unknown */
  readonly jobTime: JobTime | null;
  /** the specs for the agent, from the commit of the rules; null without an agent */
  readonly specs: ChosenSpecs | null;
  /** mistakes in verify.json: nothing can be verified */
  readonly configFailure: Failure | null;
}

/**
 * Fetches the commits and writes base, rules and plan into the record. Runs nothing of the repository. Rules and target
 * are those of the job `admit`, even if the branches have moved since.
 */
export async function prepareRun(run: AdmittedRun): Promise<Result<PreparedRun, Failure>> {
  const {context, event, record, admission} = run;
  const {signal} = context;
  const ownRepository = await openOwnRepository(run);
  if (!ownRepository.ok) return ownRepository;
  const repository = ownRepository.value;

  const rulesRef = admission?.rules.ref ?? `refs/heads/${run.head?.baseBranch ?? event.repository.defaultBranch}`;
  const rules = await repository.fetch(admission?.rules.commit ?? rulesRef, {signal});
  if (!rules.ok) return rules;
  const {commit} = rules.value;
  const readRules = (path: string) => repository.readText(commit, path, {maxBytes: MAX_CONFIG_BYTES});
  const configReading = await readConfig(readRules, extendedOf(run));
  if (!configReading.ok && configReading.failure.kind !== "config-invalid") return configReading;
  const ownersConfig = configReading.ok ? configReading.value : DEFAULT_CONFIG;
  const config = await configOf(run, ownersConfig);

  const {approves} = requestRules(run);
  const place = {repository, config, rules: {ref: rulesRef, commit}};
  const target = admission ? ok(admission.target) : await chooseTarget(run, place);
  if (!target.ok) return target;
  const base = await repository.fetch(target.value.base.commit, {signal});
  if (!base.ok) return base;

  const missing = await repository.missingLfs(base.value.commit);
  if (!missing.ok) return missing;
  record.addNotes([...missingLfsNotes(missing.value, LFS_HINT), ...newIntegrityNotes(run, config)]);
  const planSource = approves === null ? commit : (record.current().resumes ?? commit);
  const fetchedSource = await repository.fetch(planSource, {signal});
  if (!fetchedSource.ok) return fetchedSource;
  const project = await openCommit({repository, commit: planSource, folder: join(run.folder, "rules")});
  if (!project.ok) return project;
  const planning = makePlan({project: project.value, config});
  const plan: Plan = planning.ok
    ? (run.context.clone?.withLocalHints(planning.value, project.value) ?? planning.value)
    : {schema: "assay.plan/1", stages: [], setup: [], notRun: [], notes: []};
  record.update({base: {ref: target.value.base.ref, ...base.value}, rules: {ref: rulesRef, commit}, plan});
  await noteVersions(run, versionsOfCi(project.value, plan.stages));
  const specs = specsFor(run, project.value, config);
  if (specs !== null && specs.texts.length > 0) record.update({specs: specs.given});
  if (config.file !== null || !configReading.ok) record.update(choicesOf(configReading));
  const workflow = await readOwnWorkflow(run, repository);
  const planFailure = planning.ok ? null : planning.failure;
  return ok({
    ...run,
    repository,
    target: target.value,
    base: base.value,
    config,
    wholePlan: plan,
    rulesProject: project.value,
    ...(await plansForMachines(run, {repository, plan, source: planSource})),
    toolchain: recordToolchain({...context, plan, folder: context.runner.workspace}),
    workflow,
    jobTime: findJobTime(context, workflow),
    specs,
    configFailure: configReading.ok ? planFailure : allMistakes(configReading.failure, project.value),
  });
}

/** What a verify.json extends, and the parts of the report that it turns off. */
const choicesOf = (reading: Result<Config, Failure>) => {
  const isQuiet = reading.ok ? !reading.value.notify : "isQuiet" in reading.failure;
  const extended = reading.ok ? reading.value.extended : null;
  return {showsPlan: false, ...(isQuiet && {isQuiet: true as const}), ...(extended && {extended: extended.file})};
};

/**
 * The owner's configuration with the limits of this trigger and of the organization's policy. On a person's machine, it
 * cannot turn the sandbox off.
 */
export async function configOf(
  {
    event,
    context,
    policy,
    record,
  }: Pick<AdmittedRun, "policy"> & {
    readonly event: Pick<AdmittedRun["event"], "trigger">;
    readonly context: Pick<RunContext, "clone">;
    readonly record: Pick<AdmittedRun["record"], "current" | "update">;
  },
  owners: Config,
): Promise<Config> {
  const {earlier} = record.current();
  const budget = budgetOf(owners.budget, triggerOf(event.trigger.kind));
  const config = {...owners, budget, ...(context.clone?.needsSandbox && {sandbox: "required" as const})};
  // The runs that no person starts on a pull request share one budget.
  const forRounds = (whole: Config): Config =>
    withinPeriods(isRound(event.trigger.kind) ? {...whole, budget: budgetAfter(whole.budget, earlier?.rounds)} : whole);
  if (policy === null) return forRounds(config);
  const {tighten, tightenedKeys} = await import("../detect/config/organization-policy.ts");
  record.update({policy: {place: policy.place, keys: tightenedKeys(config, policy.rules)}});
  return forRounds(tighten(config, policy.rules));
}

/** A run that may cost more than a day or a month allows could never start. */
function withinPeriods(config: Config): Config {
  const {budget, allRepositories: all} = config;
  const limits = [budget.usd, budget.usdPerDay, budget.usdPerMonth, all.usdPerDay, all.usdPerMonth];
  return {...config, budget: {...budget, usd: Math.min(...limits.flatMap((usd) => usd ?? []))}};
}

/** Compares the programs of the machine that runs stages with those of CI. */
async function noteVersions({context, record}: AdmittedRun, ofCi: readonly CiVersion[]): Promise<void> {
  if (!["all", "verify"].includes(context.inputs.job)) return;
  record.addNotes(await compareWithCi(ofCi, {folder: context.runner.workspace, variables: context.variables}));
}

const LFS_HINT = "Set `lfs: true` for `actions/checkout` in the workflow.";

/** The job that publishes prepares the run again. */
function newIntegrityNotes({record}: AdmittedRun, config: Config): Note[] {
  return record.current().notes.some(({about}) => about === "integrity") ? [] : integrityNotes(config);
}

/** Each job of a run chooses the same specs, because all of them read the same commit and event. */
function specsFor(run: AdmittedRun, project: Project, {specs: rules}: Config): ChosenSpecs | null {
  const {task, isSetup} = requestRules(run);
  if (task === null || isSetup || rules === null) return null;
  const {title, body} = run.event.thread;
  return chooseSpecs({task: [task, title, body].join("\n"), specs: findSpecs(project, rules.paths), rules});
}

/** Reads the workflow from the commit that GitHub used. Null outside GitHub Actions, and if the file cannot be read. */
async function readOwnWorkflow({context}: AdmittedRun, repository: Repository): Promise<WorkflowFile | null> {
  const {variables, runner, signal} = context;
  const path = workflowPath({ref: variables["GITHUB_WORKFLOW_REF"] ?? "", repository: runner.repository});
  const commit = variables["GITHUB_WORKFLOW_SHA"];
  if (path === null || !commit) return null;
  const revision = await repository.fetch(commit, {signal});
  const text = revision.ok ? await repository.readText(commit, path, {maxBytes: MAX_WORKFLOW_BYTES}) : revision;
  return text.ok && text.value !== null ? readWorkflow({path, text: text.value}) : null;
}

/** Null without a known workflow. */
function findJobTime({variables, runner}: RunContext, workflow: WorkflowFile | null): JobTime | null {
  if (workflow === null) return null;
  const job = variables["GITHUB_JOB"] ?? "";
  const minutes = jobMinutes(workflow, job, JOB_MINUTES);
  return minutes === null ? null : jobTime({minutes, ageMs: performance.timeOrigin - jobStartMs(runner)});
}

/** The runner writes the event's file when the job starts, so earlier steps count too. */
export const jobStartMs = ({eventPath}: RunContext["runner"]): number =>
  statSync(eventPath, {throwIfNoEntry: false})?.mtimeMs ?? performance.timeOrigin;

/** Opens Assay's own git directory in the run's folder, and creates it on first use. */
export function openOwnRepository({context, event, folder}: AdmittedRun): Promise<Result<Repository, Failure>> {
  const {runner, inputs, variables, withheld, clone} = context;
  const url = `${runner.serverUrl}/${event.repository.fullName}.git`;
  return openRepository({
    folder: join(folder, "git"),
    source:
      clone === null ? {kind: "remote", url, token: inputs["github-token"]} : {kind: "local", folder: clone.folder},
    variables,
    author: {name: inputs["bot-name"], email: inputs["bot-email"]},
    lfsFolder: runner.workspace,
    withholdPush: withheld && ((push) => void withheld.push({kind: "push", ...push})),
  });
}

async function chooseTarget(
  run: AdmittedRun,
  options: Parameters<typeof chooseBranch>[1],
): Promise<Result<Target, Failure>> {
  const target = await chooseBranch(run, options);
  if (!target.ok || !requestRules(run).isUpdate) return target;
  return ok({...target.value, base: options.rules, pullRequest: "none"});
}

async function chooseBranch(
  run: AdmittedRun,
  {
    repository,
    config,
    rules,
  }: {
    repository: Repository;
    config: Config;
    rules: {ref: string; commit: string};
  },
): Promise<Result<Target, Failure>> {
  const {task, isUndo, isUpdate, isSetup} = requestRules(run);
  const wanted = (isSetup ? null : config.publish) ?? "pull-request";
  // Without GitHub, nobody could open a pull request.
  const publish = run.context.clone === null ? wanted : "branch";
  if (run.head !== null) return ok(pullRequestTarget(run.head));
  if (task === null && !isUndo && !isUpdate && run.record.current().resumes === undefined) {
    return ok({ref: rules.ref, expect: rules.commit, base: rules, pullRequest: "none"});
  }
  const branches = [];
  for (const ref of publish === "direct" ? [] : branchNames(run)) {
    const commit = await repository.remoteRef(ref);
    if (!commit.ok) return commit;
    // Each proposal starts from the default branch.
    const pull = commit.value === null || isSetup ? null : await run.context.github.pullRequestOf(branchOf(ref));
    if (pull !== null && !pull.ok) return pull;
    branches.push({ref, commit: commit.value, hasOpenPullRequest: pull?.value != null});
    if (commit.value === null) break;
  }
  const target = issueTarget({publish, defaultBranch: rules, branches});
  if (target !== null) return ok(target);
  const message = "all branch names of this issue are taken; delete the old assay/issue branches";
  return refused({kind: "git-refused", message});
}
