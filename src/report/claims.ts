/** The sentences about a run that can be untrue, each with the condition on the record under which a report says it (P17). */

import {findUnread} from "../engine/coverage.ts";
import {branchOf} from "../publish/target.ts";
import {keptAttempt} from "../record/attempt.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Failure} from "../record/failure.ts";
import {isPreExisting} from "../record/failure-cause.ts";
import {isGreen, isHeld, type RunRecord} from "../record/record.ts";
import type {StageOutcome, UnverifiedReason} from "../record/words.ts";

/** The parts of a record that decide its headline. */
export type HeadlineFacts = Pick<RunRecord, "verdict" | "failures" | "publication"> & Partial<RunRecord>;
type Condition = (record: HeadlineFacts) => boolean;

const isPublished: Condition = ({publication}) => publication.kind === "published";
const isNotPublished: Condition = (record) => !isPublished(record);
/** In a run without GitHub, the work is published as a branch of the clone. */
const isPushed: Condition = (record) => isPublished(record) && record.isInClone !== true;
const isParked: Condition = ({publication}) => publication.kind === "parked";

/** By place in the report, in the order of preference. */
export const CLAIMS = {
  verdict: {
    "Assay stopped before the agent or a check started. Nothing was changed.": (record) =>
      isNotStarted(record) && isNotPublished(record),
    "A second model objects to it, so no pull request was opened or updated.": (record) =>
      isHeld(record) && isNotPublished(record) && record.failures.every(({kind}) => kind === "judge-objects"),
    "It has grown far beyond what was asked for, so the pull request was not updated.": (record) =>
      isHeld(record) && isNotPublished(record) && record.failures.every(({kind}) => kind === "grown"),
    "It changes protected files, so no pull request was opened or updated.": (record) =>
      isHeld(record) && isNotPublished(record) && record.failures.some(({kind}) => kind === "protected-paths"),
    "Assay could not finish the run. The report gives the reason.": ({verdict, failures}) =>
      isGreen({verdict, failures: []}) && !isGreen({verdict, failures}),
    "Every required check passed in the working folder, where ignored files can make a check pass.": (record) =>
      isVerifiedBy(record, ["passed", "skipped"]) && lastVerification(record)?.where === "in-place",
    "Every required check ran on exactly these files and passed.": (record) => isVerifiedBy(record, ["passed"]),
    "Every required check that this change concerns ran on exactly these files and passed.": (record) =>
      isVerifiedBy(record, ["passed", "skipped"]),
    "The failures that remain also occur without this change.": (record) => failsWithoutChange(record),
    "The set-up before the checks fails, so no check ran.": (record) =>
      record.verdict.kind === "failed" && failsInSetup(record),
    "At least one required check fails on these files, without any change.": ({verdict, attempts}) =>
      verdict.kind === "failed" && attempts?.at(-1)?.changes.length === 0,
    "At least one required check fails because of this change.": (record) =>
      record.verdict.kind === "failed" && namedStages(record).some(({baseline}) => baseline?.outcome === "new"),
    "At least one required check fails.": ({verdict}) => verdict.kind === "failed",
    "Not every required check ran in full, so the change is not verified.": ({verdict}) => verdict.kind === "partial",
    "The checks pass, but the change weakens the checks themselves, so their result proves nothing.": (record) =>
      record.verdict.kind === "tampered" && havePassed(requiredStages(record), ["passed", "skipped"]),
    "The change weakens its own checks, so their result proves nothing.": ({verdict}) => verdict.kind === "tampered",
    "No checks were found in this repository, so the agent was not started.": (record) =>
      isUnverified(record, "no-stages") && record.plan?.stages.length === 0 && record.attempts?.length === 0,
    "No checks were found in this repository.": (record) =>
      isUnverified(record, "no-stages") && record.plan?.stages.length === 0,
    "A test command ran no tests.": (record) =>
      isUnverified(record, "no-tests-ran") &&
      requiredStages(record).some(({kind, failureKind}) => kind === "test" && failureKind === "no-check"),
  },
  committed: {
    'It was committed because of `"onFailure": "commit"`.': ({publication}) =>
      publication.kind === "published" && publication.withWarning,
  },
  notPublished: {"No pull request was opened or updated.": isNotPublished},
  publication: {
    "The changes are in this clone, on the branch": ({publication, isInClone}) =>
      isInClone === true && (publication.kind === "published" || publication.kind === "parked"),
    "Pushed to": isPushed,
    "The changes are saved on": isParked,
    "**Dry run:** nothing was pushed.": ({publication}) => publication.kind === "withheld",
    "The changes could not be pushed, so they are only on the machine that ran this, on": ({publication}) =>
      publication.kind === "parked-locally",
  },
  /** of a run that ended early */
  work: {
    "The work so far is pushed.": isPushed,
    "The work so far is saved.": (record) => isParked(record) || (isPublished(record) && !isPushed(record)),
    "The changes that were saved before this run are still saved.": ({publication, resumes}) =>
      publication.kind === "none" && resumes !== undefined,
    "No saved work is recorded.": ({publication, attempts}) =>
      publication.kind === "none" && attempts?.some(({turn, changes}) => turn !== null && changes.length > 0) === true,
  },
  leftOut: {"These files are not on the saved branch.": isParked},
  heldOut: {
    "Tests that another session wrote from the request before the work:": ({heldOut}) =>
      heldOut !== undefined && heldOut.tests.length > 0,
    "No tests were written from the request before the work:": ({heldOut}) =>
      heldOut !== undefined && heldOut.problem !== "",
  },
  unread: {"No check that ran is known to read these changed files:": (record) => unreadPaths(record).length > 0},
  update: {"This merges": ({request, attempts = []}) => request?.kind === "update" && attempts.length > 0},
  pushed: {
    "This run started by itself, because GitHub reported a conflict with the default branch.": ({thread}) =>
      thread?.trigger.kind === "push",
  },
  undo: {"This reverts": ({attempts = []}) => keptAttempt(attempts)?.candidate != null},
  specs: {
    "Specs given to the agent:": ({attempts = []}) =>
      attempts.some(({turn}) => turn !== null && turn.end.kind !== "not-started"),
  },
} satisfies Record<string, Readonly<Record<string, Condition>>>;

export type ClaimPlace = keyof typeof CLAIMS;

/** The claim for this place; empty if none holds. */
export function claimAt(place: ClaimPlace, record: HeadlineFacts): string {
  const claims: Readonly<Record<string, Condition>> = CLAIMS[place];
  return Object.entries(claims).find(([, holds]) => holds(record))?.[0] ?? "";
}

const isUnverified = ({verdict}: HeadlineFacts, why: UnverifiedReason): boolean =>
  verdict.kind === "unverified" && verdict.why === why;

const lastVerification = ({attempts}: HeadlineFacts) => attempts?.at(-1)?.verification;

const requiredStages = (record: HeadlineFacts): readonly StageResult[] =>
  (lastVerification(record)?.stages ?? []).filter(({optional}) => !optional);

const isVerifiedBy = (record: HeadlineFacts, outcomes: readonly StageOutcome[]): boolean =>
  record.verdict.kind === "verified" && havePassed(requiredStages(record), outcomes);

const havePassed = (stages: readonly StageResult[], outcomes: readonly StageOutcome[]): boolean =>
  stages.some(({outcome}) => outcome === "passed") &&
  stages.every(({outcome, narrowed}) => outcomes.includes(outcome) && narrowed === undefined);

/** The stages and setup steps that the verdict names. */
function namedStages(record: HeadlineFacts): readonly StageResult[] {
  const names = "stages" in record.verdict ? record.verdict.stages : [];
  const {setup = [], stages = []} = lastVerification(record) ?? {};
  return [...setup, ...stages].filter(({name}) => names.includes(name));
}

/** True if the verdict names a step of the set-up, after which no check starts. */
const failsInSetup: Condition = (record) => {
  const {verdict} = record;
  const names = verdict.kind === "failed" ? verdict.stages : [];
  return lastVerification(record)?.setup.some(({name}) => names.includes(name)) === true;
};

/** True if each failure that the verdict excuses was seen without the change, too. */
export const failsWithoutChange: Condition = (record) =>
  record.verdict.kind === "verified-with-preexisting" &&
  namedStages(record).length > 0 &&
  namedStages(record).every(isPreExisting);

/** Changed paths that no stage is known to read, if they do not decide the verdict and any stage ran. */
export function unreadPaths(record: HeadlineFacts): readonly string[] {
  const {coverage, stages = []} = lastVerification(record) ?? {};
  const hasRun = stages.some(({exit}) => exit !== null && exit.kind !== "not-started");
  return hasRun ? findUnread(coverage, stages).listed : [];
}

/**
 * The branch that the change was compared with; null if the record does not name it. `/verify` compares the head of a
 * pull request with an older commit.
 */
export function comparedBranch({attempts, base}: Pick<RunRecord, "attempts" | "base">): string | null {
  const candidate = keptAttempt(attempts)?.candidate;
  const isKnown = base !== null && candidate?.base === base.commit && candidate.commit !== base.commit;
  return isKnown ? branchOf(base.ref) : null;
}

/** Failures that can only occur before the agent or a stage starts. */
const BEFORE_THE_START: ReadonlySet<Failure["kind"]> = new Set([
  "config-invalid",
  "approval-refused",
  "spending-limit",
  "undo-refused",
  "update-refused",
  "missing-key",
  "missing-permission",
  "program-missing",
  "agent-unavailable",
  "no-sandbox",
  "github-refused",
]);

/** True for a run that ended before the agent or a check started. */
export function isNotStarted({verdict, failures, attempts}: HeadlineFacts): boolean {
  // The agent's job ended before Assay, for example because its tools could not be installed.
  if (failures.some((failure) => failure.kind === "job-without-result" && failure.job === "work"))
    return attempts?.length === 0;
  const isUndecided = verdict.kind === "unverified" && verdict.why === "gate-error" && verdict.detail === "";
  return isUndecided && attempts?.length === 0 && failures.some(({kind}) => BEFORE_THE_START.has(kind));
}
