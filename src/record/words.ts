/** The vocabulary of the records: every closed list and shared type that more than one folder uses. */

/** Kinds of stage, in the order that they run in. `check` is a project's own all-in-one command. */
export const STAGE_KINDS = ["typecheck", "lint", "test", "build", "check"] as const;
export type StageKind = (typeof STAGE_KINDS)[number];

/** The outcome of one stage. Only `passed` is a pass. */
export const STAGE_OUTCOMES = ["passed", "failed", "flaky", "timed-out", "unavailable", "skipped"] as const;
export type StageOutcome = (typeof STAGE_OUTCOMES)[number];

/** Why a stage failed. Only `code` and `timeout` are sent to the agent. */
export const FAILURE_KINDS = ["code", "environment", "timeout", "no-check"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Why nothing could be claimed about a change. */
export const UNVERIFIED_REASONS = [
  "no-stages",
  "unavailable",
  "no-tests-ran",
  "flaky",
  "setup-failed",
  "gate-error",
  "not-covered",
  "not-comparable",
  "still-failing",
  "out-of-time",
  "cancelled",
  "unfinished",
] as const;
export type UnverifiedReason = (typeof UNVERIFIED_REASONS)[number];

/** Why a change needs no verification; always shown, so that a skip is never silent. */
export const NOTHING_REASONS = [
  "no-change",
  "only-skipped-paths",
  "only-set-aside",
  "disabled",
  "plan-only",
  "nothing-saved",
  "up-to-date",
  "case-passes",
  "proposal",
  "nothing-proposed",
  "red-not-run",
  "red-on-base",
  "red-machine",
  "red-budget",
] as const;
export type NothingReason = (typeof NOTHING_REASONS)[number];

/**
 * What Assay does about a failed job of CI: the agent fixes it; Assay does not run its check; it fails on the base, too; the
 * machine or the set-up failed.
 */
export const RED_JOB_OUTCOMES = ["fix", "not-run", "on-base", "machine"] as const;
export type RedJobOutcome = (typeof RED_JOB_OUTCOMES)[number];

/** Tries end with the first verified one, or all of them are compared. */
export const TRY_MODES = ["first", "best"] as const;
export const MAX_TRIES = 5;
/** Why the work of a try that was not chosen is saved nowhere. */
export const UNSAVED_REASONS = ["secret", "unsearched", "refused"] as const;

/** Why the agent gets a prompt; `tests` is for faults that no test notices, `held-out` for failing held-out tests. */
export const TURN_REASONS = ["task", "failure", "objection", "tests", "held-out"] as const;
export type TurnReason = (typeof TURN_REASONS)[number];

/** The effect of a push on the repository's own workflows: they wait for a person, do not start, or start. */
export const PUSHED_WORKFLOWS = ["wait-for-approval", "not-started", "started"] as const;
export type PushedWorkflows = (typeof PUSHED_WORKFLOWS)[number];

/**
 * `block`: not verified until a person approves. `flag`: shown at the top of the report. `note`: shown in the details.
 */
export const FINDING_LEVELS = ["block", "flag", "note"] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** The checks, in the order of their findings in a report. */
export const INTEGRITY_CHECK_NAMES = [
  "removed-tests",
  "disabled-tests",
  "weakened-tests",
  "mocked-subject",
  "runner-tricks",
  "scripts",
  "settings",
  "replaced-tools",
  "suppressions",
  "test-detection",
  "dependencies",
  "advisories",
  "snapshots",
  "new-tests",
  "lost-tests",
  "unnoticed-failures",
  "base-replay",
  "held-out",
  "not-inspected",
] as const;
export type IntegrityCheckName = (typeof INTEGRITY_CHECK_NAMES)[number];

/** The end of a process. Only `exited` with code 0 is a success. */
export type Exit =
  | {readonly kind: "exited"; readonly code: number}
  | {readonly kind: "signaled"; readonly signal: string}
  | {
      readonly kind: "timed-out";
      readonly afterMs: number;
      /** what the innermost shell ran at that moment; absent if none was seen */
      readonly running?: readonly string[] | undefined;
    }
  | {readonly kind: "cancelled"}
  | {readonly kind: "not-started"; readonly message: string};

/** A success or an expected failure. Failures are data; a throw is a bug. */
export type Result<T, F> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: F};

export const ok = <T>(value: T): {readonly ok: true; readonly value: T} => ({ok: true, value});
export const refused = <F>(failure: F): {readonly ok: false; readonly failure: F} => ({ok: false, failure});

/** True for the two verdicts that claim a change is good. */
export function isVerified(verdict: {readonly kind: string}): boolean {
  return verdict.kind === "verified" || verdict.kind === "verified-with-preexisting";
}

/** True if the verdict says something good about the change, so that doubts about it matter. */
export const claimsSomething = (verdict: {readonly kind: string}): boolean =>
  isVerified(verdict) || verdict.kind === "partial";

/** Formats some of the items for a sentence: `a, b and 3 more`. */
export function listSome(items: readonly string[], most: number): string {
  const shownItems = items.slice(0, most).join(", ");
  return items.length > most ? `${shownItems} and ${items.length - most} more` : shownItems;
}

/** `about` of a note on what the changed paths mean for the plan. */
export const CHANGED_PATHS = "changed paths";

/** `why` of a listed command that may be a check: one run of it on the base decides. */
export const UNKNOWN_CHECK = "nothing shows that it is a check; `assay plan --prove` runs it once to see";
