/** Which part of a report names the one next step of the run. */
import {keptAttempt} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {RunRecord} from "../record/record.ts";
import type {Verdict} from "../record/verification.ts";

type Facts = Pick<RunRecord, "verdict" | "publication" | "failures" | "thread" | "attempts" | "integrity" | "resumes"> &
  Partial<Pick<RunRecord, "request">>;

/** `saved`: what the person can do with the saved changes. `approve`: with changes that were saved before. */
type StepPlace = "failure" | "verdict" | "saved" | "approve" | "publication" | "none";

/** The place for a run without failures, by its verdict. A failure comes first, because it ended the run. */
const PLACES: Readonly<Record<Verdict["kind"], (record: Facts) => StepPlace>> = {
  verified: ofPublication,
  "verified-with-preexisting": ofPublication,
  "nothing-to-verify": ofPublication,
  partial: ({thread}) => (thread === null ? "none" : "verdict"),
  unverified: () => "verdict",
  failed: ofPublication,
  tampered: ofPublication,
};

export const stepPlace = (record: Facts): StepPlace =>
  record.failures.length > 0 ? "failure" : PLACES[record.verdict.kind](record);

function ofPublication(record: Facts): StepPlace {
  const {kind} = record.publication;
  if (kind === "parked") return record.thread === null ? "none" : "saved";
  return kind === "withheld" ? "publication" : approvableTree(record) === null ? "none" : "approve";
}

/** False for a failure whose next step would compete with another one's. An interruption has no cause to fix. */
export function namesStep(failure: Failure, {failures}: Pick<RunRecord, "failures">): boolean {
  const first = failures.find(({kind}) => kind !== "interrupted") ?? failures[0];
  return failure === first || !failures.includes(failure);
}

/** Checks whose findings are about the commands and settings of checks: a failure may come from those of the base. */
const COMMAND_CHECKS = ["scripts", "settings"];

/**
 * The saved tree that `/approve` may name; null if nothing is saved, or a person's decision about the checks would change
 * nothing.
 */
export function approvableTree({verdict, publication, resumes, attempts, integrity, request}: Facts): string | null {
  if (request?.kind === "update") return null;
  const changesCommands = integrity?.some(({check}) => COMMAND_CHECKS.includes(check)) === true;
  if (verdict.kind !== "tampered" && !(verdict.kind === "failed" && changesCommands)) return null;
  if (publication.kind === "parked") return publication.tree;
  return resumes === undefined ? null : (keptAttempt(attempts)?.candidate?.tree ?? null);
}
