/** The findings of a run: those of the work that is published or parked. */
import {type Attempt, keptAttempt} from "./attempt.ts";
import type {IntegrityFinding} from "./finding.ts";
import type {Approval} from "./verification.ts";

/**
 * The record's keys for findings: `integrity` has the findings that a person must read, `integrityNotes` has the
 * others.
 */
export interface RecordedFindings {
  readonly integrity: IntegrityFinding[];
  readonly integrityNotes: IntegrityFinding[];
  readonly approval?: Approval;
}

export function recordedFindings(attempts: readonly Attempt[]): RecordedFindings {
  const {findings = [], approval} = keptAttempt(attempts)?.verification ?? {};
  return {
    integrity: findings.filter(({level}) => level !== "note"),
    integrityNotes: findings.filter(({level}) => level === "note"),
    ...(approval && {approval}),
  };
}
