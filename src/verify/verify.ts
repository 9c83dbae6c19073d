/** Verifies one candidate: setup, then the plan's stages on a fresh checkout, then the verdict. */
import {createHash} from "node:crypto";
import {join} from "node:path";
import {openProject} from "../detect/files/open-project.ts";
import {planAffectedRun} from "../engine/affected/plan-affected-run.ts";
import {rewrittenFiles} from "../engine/checkout/rewritten-files.ts";
import {expandScripts, scriptsAt, scriptsOf} from "../engine/commands/expand-scripts.ts";
import {isolatedStages} from "../engine/commands/isolated-stages.ts";
import {findUnread} from "../engine/coverage.ts";
import {coverageIn, findCoverage} from "../engine/find-coverage.ts";
import {runStages} from "../engine/run-plan.ts";
import type {StageEnvironment} from "../engine/stage/stage.ts";
import {isLong, type StagesOptions} from "../engine/stage-run.ts";
import type {Toolchain} from "../engine/toolchain.ts";
import {readChange} from "../integrity/read-change.ts";
import {deviceProblem, ownPrograms} from "../process/own-programs.ts";
import {addedTestsOnly, findReproduction} from "../proof/reproduction.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Failure} from "../record/failure.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import type {Stage} from "../record/plan.ts";
import type {Verdict, Verification} from "../record/verification.ts";
import {claimsSomething} from "../record/words.ts";
import {runNewTestsOnBase} from "./find-new-test-evidence.ts";
import {collectFindings, FINDING_SOURCES, IN_PLACE_SOURCES, type StagesEvidence} from "./finding-sources.ts";
import {withRequest} from "./requested-repair.ts";
import {checkSpecDrift, withSpecDrift} from "./spec-drift.ts";
import {CANCELLED, decideVerdict, withFindings} from "./verdict.ts";
import type {VerifyOptions} from "./verify-options.ts";

/**
 * Verifies `candidate` on its own checkout. An affected run can only lead to the verdict `failed`. Every other verdict
 * is based on the whole plan, in checkouts that no narrowed run has used. Expected errors do not reject; they are in
 * the verdict.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const {candidate, plan, isolation, toolchain, signal, request = null} = options;
  return verifyOnMachine({candidate, where: "checkout", isolation, toolchain, signal}, async () => {
    const results = await runAndInspect(options);
    const verdict = withRequest(results.verdict, {stages: results.stages, plan, request});
    return {...results, verdict, ...(await withoutFix(options, {...results, verdict}))};
  });
}

/**
 * Runs the stages and the integrity checks. Checks that only read files run in parallel with the stages, others after
 * them.
 */
async function runAndInspect(options: VerifyOptions): Promise<Results> {
  const {candidate, plan, changes, repository, signal, changeBase = null, approval = null} = options;
  const evidence = runAllStages(options);
  const rules = changes.length === 0 ? null : options.integrity;
  if (rules === null || !rules.enabled) return evidence;
  const newTestsRun = runNewTestsOnBase(options, evidence).catch(() => null);
  const commits = {repository, candidate, changeBase, plan, rules, signal};
  const context = {...commits, verification: options, evidence, bite: newTestsRun};
  const findingsCollection = collectFindings(FINDING_SOURCES, context);
  // If one of them throws, the others must not continue: their git commands would disturb those that save the work.
  await Promise.allSettled([evidence, findingsCollection, newTestsRun]);
  const [results, findings, bite] = await Promise.all([evidence, findingsCollection, newTestsRun]);
  return {
    ...results,
    findings,
    ...(bite && {bite}),
    ...(approval && {approval}),
    verdict: withFindings(results.verdict, findings, approval),
  };
}

/** Setup, stages, coverage and specs, without the integrity of the change. */
async function runAllStages(options: VerifyOptions): Promise<StagesEvidence> {
  const {candidate, plan, changes, checkouts, repository, coverageRules: rules} = options;
  const {commit} = candidate;
  const checkout = await checkouts.open({commit, changes});
  if (!checkout.ok) return {setup: [], stages: [], verdict: gateError(checkout.failure)};
  const {environment, isReady, setupFailedOnBase, openAnother} = checkout.value;
  const setup = [...checkout.value.setup];
  const coverage = await findCoverage({repository, commit, folder: environment.folder, changes, rules});
  if (!coverage.ok) return {setup, stages: [], verdict: gateError(coverage.failure)};
  const pass = await runPlan({options, environment, openAnother, isReady});
  const isShard = rules.wholePlan.stages.some(({name}) => plan.stages.every((stage) => stage.name !== name));
  const uncoveredPaths = isShard ? [] : findUnread(coverage.value, pass.stages).blocking;
  const stageResults = {setup, setupFailedOnBase, ...pass, uncovered: uncoveredPaths};
  const verdict = decideVerdict({...stageResults, cancelled: options.signal.aborted, isBase: changes.length === 0});
  const drift = await findSpecDrift(options, pass.stages);
  return {
    setup,
    stages: [...pass.stages, ...drift],
    coverage: coverage.value,
    verdict: withSpecDrift(verdict, drift),
  };
}

/** A request for some stages does not include the specs. */
async function findSpecDrift(options: VerifyOptions, stages: readonly StageResult[]): Promise<StageResult[]> {
  const {specCheck: check, only, coverageRules} = options;
  if (!check || only.length > 0) return [];
  return checkSpecDrift({...options, check, stages, codeExtensions: coverageRules.codeExtensions});
}

type Results = StagesEvidence & Pick<Verification, "findings" | "approval" | "bite" | "reproduction">;

const CASE_PASSES: Verdict = {kind: "nothing-to-verify", why: "case-passes", detail: ""};

/** For a change of new tests in answer to a bug report. One with a finding is more than tests of the reported case. */
async function withoutFix(
  options: VerifyOptions,
  {stages, findings = [], verdict}: Results,
): Promise<Partial<Results> | null> {
  const {repository, plan, candidate, request = null, spent, signal} = options;
  if (options.isBugFix !== true || request === null || verdict.kind !== "verified") return null;
  if (findings.some(({level}) => level !== "note") || spent() !== null || signal.aborted) return null;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  const texts = [request.title, request.body, request.request].join("\n");
  const added = change.ok ? await addedTestsOnly(change.value) : null;
  if (!change.ok || added === null) return null;
  const reproduction = await findReproduction({...options, change: change.value, stages, request: texts});
  if (reproduction !== null) return {reproduction, verdict: CASE_PASSES};
  const place = {path: added[0].path, line: added[0].line};
  return {findings: [...findings, {check: "new-tests", level: "flag", ...place, ...ONLY_TESTS}]};
}

const ONLY_TESTS = {
  message: "Only tests are added, so nothing is fixed, and they do not show that the reported case passes",
  fix: "Correct the code, or comment what the tests are for.",
};

type Machine = Pick<Verification, "candidate" | "where" | "isolation"> & Pick<VerifyOptions, "toolchain" | "signal">;

/**
 * Runs `work` if the machine is trustworthy, and checks it again afterwards: a stage can modify what the agent can
 * modify.
 */
async function verifyOnMachine({toolchain, signal, ...about}: Machine, work: () => Promise<Results>) {
  const startMs = performance.now();
  const machineProblem = machineVerdict(toolchain);
  // They run next to the checkout: later, the change's own code could answer for them.
  const versions = machineProblem === null ? toolchain?.versions() : undefined;
  const results = machineProblem === null ? await work() : {setup: [], stages: [], verdict: machineProblem};
  const seenVerdict = signal.aborted && claimsSomething(results.verdict) ? CANCELLED : results.verdict;
  const verdict = machineVerdict(toolchain) ?? seenVerdict;
  const setup = results.setup.map((result) => startedAfter(startMs, result));
  const stages = results.stages.map((result) => startedAfter(startMs, withTestDigest(result)));
  const durationMs = performance.now() - startMs;
  const tools = await versions;
  return {...about, ...(tools && {tools}), ...results, setup, stages, verdict, durationMs};
}

/** A result that was taken from an earlier verification gets no start time, because that time is from another clock. */
function startedAfter(startMs: number, {startedMs = -1, ...result}: StageResult): StageResult {
  return startedMs < startMs ? result : {...result, startedMs: startedMs - startMs};
}

/** Larger lists of tests would make the record too large. */
const MAX_RECORDED_TESTS = 1_000;

function withTestDigest(result: StageResult): StageResult {
  if (result.reported?.others === undefined) return result;
  const {others, ...reported} = result.reported;
  const failed = reported.failed.map(({file, title}) => [file, title, "failed"]);
  const tests = [...others.map(({file, title, outcome}) => [file, title, outcome]), ...failed];
  const names = tests.map((test) => JSON.stringify(test)).sort();
  const digest = createHash("sha256").update(names.join("\n")).digest("hex");
  return {
    ...result,
    reported: {
      ...reported,
      ...(others.length <= MAX_RECORDED_TESTS && {others}),
      ...(failed.length === reported.counts.failed && {digest}),
    },
  };
}

/** The report names at most this many changed programs. */
const MAX_SHOWN = 5;

/** The verdict if device files, Assay's own programs or the plan's tools are not trustworthy, else null. */
function machineVerdict(toolchain: Toolchain | null): Verdict | null {
  const device = deviceProblem();
  if (device !== null) return {kind: "unverified", why: "gate-error", detail: `${device.what}; ${device.fix}`};
  const changedFiles = [...ownPrograms().changed(), ...(toolchain?.changed() ?? [])];
  if (changedFiles.length === 0) return null;
  const shownFiles = changedFiles.slice(0, MAX_SHOWN).join("; ");
  const omission = changedFiles.length > MAX_SHOWN ? `; and ${changedFiles.length - MAX_SHOWN} more` : "";
  const advice =
    "Programs and settings of the machine must stay as they were when the run started; install them in a step before Assay";
  return {kind: "unverified", why: "gate-error", detail: `${shownFiles}${omission}. ${advice}`};
}

async function runPlan({
  options,
  environment,
  openAnother,
  isReady,
}: {
  options: VerifyOptions;
  environment: StageEnvironment;
  openAnother: Parameters<typeof runStages>[0]["checkouts"]["openAnother"];
  isReady: boolean;
}) {
  const {plan, baseline, repository} = options;
  const {commit, base} = options.candidate;
  const scripts = (cwd: string) => scriptsAt({repository, commit: options.approval ? commit : base, cwd});
  const expandedCommands = await expandScripts(plan.stages, scripts);
  const isolatedSet = isolatedStages(plan.stages, expandedCommands);
  const durationMs = (stage: Stage) => baseline?.durationMs(stage) ?? null;
  const {folder} = environment;
  const {readText} = repository;
  const isWanted = options.mayRunAffectedFirst || options.isAffectedEnough || options.mostSeconds !== undefined;
  const mayRunAffected = isWanted && isReady && openAnother !== null;
  return runStages({
    options,
    checkouts: {shared: environment, openAnother, isolated: isolatedSet},
    blockedBy: isReady ? "" : "setup did not pass",
    baseline,
    affectedPlan: mayRunAffected
      ? await planAffectedRun({
          ...options,
          folder,
          base,
          expanded: expandedCommands,
          isolated: isolatedSet,
          durationMs,
          isLong: (stage) => isLong(stage, options),
          readText,
        })
      : null,
    restoreRewritten: (checkout, except) => rewrittenFiles({repository, folder: checkout, commit, except}),
    scripts,
  });
}

function gateError(failure: Failure): Verdict {
  const detail = "message" in failure ? failure.message : failure.kind;
  return {kind: "unverified", why: "gate-error", detail};
}

type InPlaceOptions = Omit<StagesOptions, "previous" | "spent"> &
  Pick<VerifyOptions, "toolchain" | "coverageRules" | "integrity" | "candidate" | "repository"> & {
    readonly environment: StageEnvironment;
  };

/**
 * Implements `--in-place`: the stages run in the working folder, without setup and without a check of rewritten files.
 */
export async function verifyInPlace(options: InPlaceOptions): Promise<Verification> {
  const {environment, changes, toolchain, coverageRules: rules} = options;
  const {folder, isolation, signal} = environment;
  return verifyOnMachine({candidate: null, where: "in-place", isolation, toolchain, signal}, async () => {
    const inspection = inspectInPlace(options);
    const pass = await runStages({
      options: {...options, previous: null, spent: () => null},
      checkouts: {shared: environment, openAnother: null, isolated: new Set()},
      blockedBy: "",
      baseline: null,
      affectedPlan: null,
      restoreRewritten: async () => [],
      scripts: (cwd) => scriptsOf(join(folder, cwd)),
    });
    const coverage = coverageIn({tree: await openProject(folder), changes, rules});
    const stageResults = {
      setup: [],
      setupFailedOnBase: false,
      ...pass,
      uncovered: findUnread(coverage, pass.stages).blocking,
    };
    const verdict = decideVerdict({...stageResults, cancelled: signal.aborted, isBase: changes.length === 0});
    const findings = await inspection;
    return {setup: [], stages: pass.stages, coverage, findings, verdict: withFindings(verdict, findings)};
  });
}

async function inspectInPlace(options: InPlaceOptions): Promise<IntegrityFinding[]> {
  const {integrity: rules, changes, environment} = options;
  if (rules === null || !rules.enabled || changes.length === 0) return [];
  return collectFindings(IN_PLACE_SOURCES, {...options, rules, signal: environment.signal});
}
