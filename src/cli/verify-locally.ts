/** Verifies the prepared candidate of `assay verify`, or returns the reason why nothing has to run. */
import {homedir} from "node:os";
import {join} from "node:path";
import {decideVerification} from "../changes/document-readers.ts";
import {openBaseline} from "../engine/baseline/baseline.ts";
import {openCheckouts} from "../engine/checkout/checkout.ts";
import {
  type CheckoutFolders,
  type CheckoutOptions,
  openStageEnvironment,
} from "../engine/checkout/stage-environment.ts";
import {chooseSandbox, type StageIsolation} from "../engine/isolation/choose-sandbox.ts";
import {stageHome} from "../engine/isolation/home.ts";
import {skipReason} from "../engine/schedule/skip-reasons.ts";
import {openLogs} from "../engine/stage/logs.ts";
import {recordToolchain} from "../engine/toolchain.ts";
import {measureAfterVerification, NOT_MEASURED, type TestMeasurements} from "../proof/after-verification.ts";
import type {Attempt} from "../record/attempt.ts";
import type {OnEvent} from "../record/events.ts";
import type {Approval, Isolation, Verification} from "../record/verification.ts";
import {verify, verifyInPlace} from "../verify/verify.ts";
import {type LocalSetup, NO_BASE} from "./local-setup.ts";

interface LocalOptions {
  readonly scratch: string;
  /** names and kinds of stages; empty for all */
  readonly only: readonly string[];
  readonly inPlace?: boolean;
  readonly sensitivity?: boolean;
  readonly executedLines?: boolean;
  /** run only what the change affects, where the tools can do that */
  readonly affected?: boolean;
  /** by default those in the working folder */
  readonly dependencies?: CheckoutOptions["dependencies"];
  readonly approval?: Approval | null;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
}

export interface LocalAttempt {
  readonly attempt: Attempt;
  readonly warning: StageIsolation["warning"];
  readonly measured: TestMeasurements;
}

/** The one attempt of a run on a developer's machine. */
export async function attemptLocally(setup: LocalSetup, options: LocalOptions): Promise<LocalAttempt> {
  const {candidate, changes, repository, config, rules, plan} = setup;
  const attemptFields = {number: 1, turn: null, candidate, changes};
  const skip = config.enabled
    ? await decideVerification({git: repository.git, commit: rules, changes, rules: config, stages: plan.stages})
    : null;
  // With a clean tree or a named stage, the developer wants to see the checks run.
  if (changes.length > 0 && options.only.length === 0 && skip?.kind !== "verify") {
    const reasonToSkip = skip === null ? {why: "disabled" as const, detail: ""} : {why: skip.why, detail: skip.detail};
    return {
      attempt: {...attemptFields, verification: null, verdict: {kind: "nothing-to-verify", ...reasonToSkip}},
      warning: null,
      measured: NOT_MEASURED,
    };
  }
  const request = {only: options.only, changes, stages: plan.stages};
  options.onEvent({kind: "planned", stages: plan.stages.filter((stage) => skipReason(stage, request) === "")});
  const sandbox = await chooseSandbox({...setup.config, folder: options.scratch, mayBeOpen: true});
  const {verification, measured} = await verifyLocally(setup, {...options, sandbox});
  const attempt = {...attemptFields, verification, verdict: verification.verdict};
  return {attempt, warning: sandbox.warning, measured};
}

export async function verifyLocally(
  setup: LocalSetup,
  options: LocalOptions & {readonly sandbox: StageIsolation},
): Promise<{verification: Verification; measured: TestMeasurements}> {
  const {scratch, signal, sandbox} = options;
  const {repository, plan, changes, candidate} = setup;
  const {checkoutOptions, shared, hasBase} = localMachine(setup, options);
  const sharedOptions = {...shared, candidate, changes, only: options.only};
  const {level: isolation} = sandbox;
  const base = setup.base.commit;
  if (options.inPlace) {
    if (sandbox.refusal !== null)
      return {verification: refusedInPlace(isolation, sandbox.refusal), measured: NOT_MEASURED};
    const environment = await environmentInPlace(checkoutOptions, {
      ...{root: setup.folder, home: join(scratch, "home"), commit: candidate.commit},
    });
    return {verification: await verifyInPlace({...sharedOptions, environment}), measured: NOT_MEASURED};
  }
  const checkouts = openCheckouts(checkoutOptions);
  // If the change touches dependencies, the baseline installs its own instead of those in the working folder.
  const baselineOptions = {checkouts, repository, base, plan, changes, kept: null, signal};
  const baseline = hasBase && changes.length > 0 ? openBaseline(baselineOptions) : null;
  const verification = await verify({
    ...sharedOptions,
    checkouts,
    baseline,
    approval: options.approval ?? null,
    previous: null,
    mayRunAffectedFirst: false,
    isAffectedEnough: options.affected === true,
    specCheck: setup.config.specs && {rules: setup.config.specs, commit: setup.rules},
    spent: () => null,
    isolation,
    signal,
  });
  // Only with the option, because a developer, or the stop hook of an agent, waits for the exit code.
  const attempt = {candidate, changes, verification, verdict: verification.verdict};
  const {sensitivity = false, executedLines = false} = hasBase ? options : {};
  const wants = {sensitivity, executedLines};
  return {
    verification,
    measured: await measureAfterVerification(attempt, {plan, checkouts, repository, signal, wants}),
  };
}

/** What all verifications on this machine share. */
export function localMachine(
  setup: LocalSetup,
  options: Pick<LocalOptions, "scratch" | "signal" | "onEvent" | "dependencies"> & {readonly sandbox: StageIsolation},
) {
  const {scratch, signal, onEvent, sandbox} = options;
  const {repository, plan, config} = setup;
  const base = setup.base.commit;
  const hasBase = setup.rules === base || setup.baseName !== NO_BASE;
  const checkoutOptions: CheckoutOptions = {
    folder: join(scratch, "checkouts"),
    repository,
    base,
    setup: plan.setup,
    dependencies: options.dependencies ?? {kind: "folder", folder: setup.folder},
    home: stageHome({realHome: homedir(), variables: process.env, isolation: sandbox, private: []}),
    isolation: sandbox,
    signal,
    onEvent,
    logs: openLogs({folder: join(scratch, "logs"), redact: null}),
  };
  const shared = {
    ...{repository, plan, onEvent, failFast: config.failFast, flaky: config.flaky},
    integrity: hasBase ? config.integrity : null,
    toolchain: recordToolchain({plan, folder: setup.folder, realHome: homedir(), variables: process.env}),
    coverageRules: {...config, wholePlan: plan},
  };
  return {checkoutOptions, shared, hasBase};
}

async function environmentInPlace(options: CheckoutOptions, folders: CheckoutFolders) {
  await options.home.populate(folders.home);
  const {reports: _, ...environment} = openStageEnvironment(options, {...folders, isSetup: false});
  return environment;
}

function refusedInPlace(isolation: Isolation, detail: string): Verification {
  const verdict = {kind: "unverified", why: "gate-error", detail} as const;
  return {candidate: null, where: "in-place", isolation, setup: [], stages: [], verdict, durationMs: 0};
}
