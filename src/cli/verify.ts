/** `assay verify`: verifies the working tree or a commit on a developer's machine. */
import {mkdtemp} from "node:fs/promises";
import {homedir, tmpdir} from "node:os";
import {join} from "node:path";
import picocolors from "picocolors";
import {decideTrigger} from "../changes/document-readers.ts";
import {probeSandbox} from "../process/probes.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {recordedFindings} from "../record/integrity.ts";
import type {RunRecord} from "../record/record.ts";
import type {Sensitivity} from "../record/sensitivity.ts";
import type {Isolation, Verification} from "../record/verification.ts";
import {failureLines} from "../run/event-log.ts";
import {VERSION} from "../run/version.ts";
import {openBaseline} from "../verify/baseline/baseline.ts";
import {openCheckouts} from "../verify/checkout/checkout.ts";
import {openRemover} from "../verify/checkout/folders.ts";
import {type CheckoutOptions, openStageEnvironment} from "../verify/checkout/stage-environment.ts";
import {chooseSandbox, type StageIsolation} from "../verify/isolation/choose-sandbox.ts";
import {stageHome} from "../verify/isolation/home.ts";
import {unknownStages} from "../verify/schedule/skip-reasons.ts";
import {sensitivityOf} from "../verify/sensitivity/of-verification.ts";
import {openLogs} from "../verify/stage/logs.ts";
import {recordToolchain} from "../verify/toolchain.ts";
import {verify, verifyInPlace} from "../verify/verify.ts";
import {liveTerminal} from "./live-terminal.ts";
import {type LocalSetup, prepareLocal, type WrongArgument} from "./local-setup.ts";
import {renderTerminal} from "./terminal-report.ts";

interface VerifyCommandOptions {
  base: string;
  head?: string;
  stage: string[];
  inPlace?: boolean;
  sensitivity?: boolean;
  json?: boolean;
}

/** Exit 0 verified (or nothing to verify), 1 failed or tampered, 2 partial or unverified, 3 a mistake in configuration or arguments. */
export async function verifyCommand(o: VerifyCommandOptions): Promise<number> {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  const remove = openRemover();
  // Probed once per process, so the plan is made meanwhile.
  void probeSandbox({network: true});
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    const startedAt = new Date().toISOString();
    const ground = await prepareLocal({scratch, cwd: process.cwd(), base: o.base, head: o.head ?? null});
    if (!ground.ok) return printFailure(ground.failure);
    const unknown = unknownStages(o.stage, ground.value.plan.stages);
    if (unknown.length > 0) return printUnknownStages(unknown, ground.value);
    const attempted = await attemptOn({ground: ground.value, scratch, options: o, signal: controller.signal});
    const record = recordOf({ground: ground.value, ...attempted, startedAt, only: o.stage});
    if (o.json) process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    else process.stdout.write(renderTerminal({record, colors: picocolors}));
    return exitCode(record);
  } finally {
    await remove(scratch);
  }
}

async function attemptOn(o: {
  ground: LocalSetup;
  scratch: string;
  options: VerifyCommandOptions;
  signal: AbortSignal;
}): Promise<Attempted> {
  const {ground, options} = o;
  const {candidate, changes, repository, config, rules, plan} = ground;
  const about = {number: 1, turn: null, candidate, changes};
  const skip = config.enabled
    ? await decideTrigger({git: repository.git, commit: rules, changes, rules: config, stages: plan.stages})
    : null;
  // With a clean tree or a named stage, the developer wants to see the checks run.
  if (changes.length > 0 && options.stage.length === 0 && skip?.kind !== "verify") {
    const why = skip === null ? {why: "disabled" as const, detail: ""} : {why: skip.why, detail: skip.detail};
    return {attempt: {...about, verification: null, verdict: {kind: "nothing-to-verify", ...why}}, warning: null};
  }
  const fence = await chooseSandbox({...ground.config, folder: o.scratch, mayBeOpen: true});
  const {verification, sensitivity} = await verifyLocally({...o, fence});
  const attempt = {...about, verification, verdict: verification.verdict};
  return {attempt, warning: fence.warning, ...(sensitivity && {sensitivity})};
}

interface Attempted {
  readonly attempt: Attempt;
  readonly warning: StageIsolation["warning"];
  /** present if it was requested and could be measured */
  readonly sensitivity?: Sensitivity;
}

async function verifyLocally(o: {
  ground: LocalSetup;
  scratch: string;
  options: VerifyCommandOptions;
  signal: AbortSignal;
  fence: StageIsolation;
}): Promise<{verification: Verification; sensitivity: Sensitivity | null}> {
  const {ground, scratch, options, signal, fence} = o;
  const {repository, plan, changes, candidate} = ground;
  const {level: isolation} = fence;
  const home = stageHome({realHome: homedir(), variables: process.env, isolation: fence, private: []});
  const onEvent = liveTerminal(process.stderr);
  const {failFast, flaky} = ground.config;
  const logs = openLogs({folder: join(scratch, "logs"), redact: null});
  const toolchain = recordToolchain({plan, realHome: homedir(), variables: process.env});
  const coverageRules = {...ground.config, wholePlan: plan};
  const base = ground.base.commit;
  const hasBase = ground.rules === base;
  const integrity = hasBase ? ground.config.integrity : null;
  const about = {repository, candidate, changes, integrity};
  const shared = {...about, plan, toolchain, coverageRules, only: options.stage, failFast, flaky, onEvent};
  const checkoutOptions: CheckoutOptions = {
    folder: join(scratch, "checkouts"),
    repository,
    base,
    setup: plan.setup,
    dependencies: {kind: "folder", folder: ground.folder},
    home,
    isolation: fence,
    signal,
    onEvent,
    logs,
  };
  if (options.inPlace) {
    if (fence.refusal !== null) return {verification: refusedInPlace(isolation, fence.refusal), sensitivity: null};
    const environment = await environmentInPlace(checkoutOptions, {root: ground.folder, home: join(scratch, "home")});
    return {verification: await verifyInPlace({...shared, environment}), sensitivity: null};
  }
  const checkouts = openCheckouts(checkoutOptions);
  // If the change touches dependencies, the baseline installs its own instead of those in the working folder.
  const compared = {checkouts, repository, base, plan, changes, kept: null, signal};
  const baseline = hasBase && changes.length > 0 ? openBaseline(compared) : null;
  const verification = await verify({
    ...shared,
    checkouts,
    baseline,
    previous: null,
    mayRunAffectedFirst: false,
    specCheck: ground.config.specs && {rules: ground.config.specs, commit: ground.rules},
    spent: () => null,
    isolation,
    signal,
  });
  // Not without the option: a developer, or the stop hook of an agent, waits for the exit code.
  const attempt = {candidate, changes, verification, verdict: verification.verdict};
  const isRequested = options.sensitivity === true && hasBase;
  const sensitivity = isRequested ? await sensitivityOf(attempt, {plan, checkouts, repository, signal}) : null;
  return {verification, sensitivity};
}

async function environmentInPlace(options: CheckoutOptions, {root, home}: {root: string; home: string}) {
  await options.home.populate(home);
  const {reports: _, ...environment} = openStageEnvironment(options, {root, home, isSetup: false});
  return environment;
}

function refusedInPlace(isolation: Isolation, detail: string): Verification {
  const verdict = {kind: "unverified", why: "gate-error", detail} as const;
  return {candidate: null, where: "in-place", isolation, setup: [], stages: [], verdict, durationMs: 0};
}

function recordOf(o: Attempted & {ground: LocalSetup; startedAt: string; only: string[]}): RunRecord {
  const {ground, attempt, startedAt, warning, sensitivity} = o;
  return {
    schema: "assay.record/1",
    run: {id: `local-${startedAt}`, url: null, startedAt, finishedAt: new Date().toISOString(), assay: VERSION},
    request: {kind: "verify", only: o.only},
    thread: null,
    base: {ref: ground.baseName, ...ground.base},
    rules: {ref: ground.baseName, commit: ground.rules},
    plan: ground.plan,
    attempts: [attempt],
    ...recordedFindings([attempt]),
    verdict: attempt.verdict,
    publication: {kind: "none"},
    ...(sensitivity && {sensitivity}),
    failures: [],
    notes: [...(warning === null ? [] : [warning]), ...ground.notes],
    session: null,
  };
}

/** P14: the table in `docs/outcomes.md`. */
export function exitCode({verdict}: Pick<RunRecord, "verdict">): number {
  if (verdict.kind === "failed" || verdict.kind === "tampered") return 1;
  return verdict.kind === "unverified" || verdict.kind === "partial" ? 2 : 0;
}

function printFailure(failure: Failure | WrongArgument): number {
  if (failure.kind === "wrong-argument") {
    process.stderr.write(`${failure.sentence}\n`);
    return 3;
  }
  process.stderr.write(`${failureLines(failure).join("\n")}\n`);
  return failure.kind === "config-invalid" ? 3 : 2;
}

function printUnknownStages(unknown: readonly string[], ground: LocalSetup): number {
  const known = ground.plan.stages.map((stage) => stage.name).join(", ");
  const choice = known === "" ? "No stages were found here. Run `assay plan` to see why." : `Stages here: ${known}`;
  process.stderr.write(`error: unknown stage ${unknown.join(", ")}. ${choice}\n`);
  return 3;
}
